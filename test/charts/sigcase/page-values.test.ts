/** The values that the pages of the documentation show make a release. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { render, ROOT, withHelm } from '../../fixtures/chart.ts'

const PAGES = ['install-on-a-cluster.md', 'install-on-gke.md', 'install-on-any-kubernetes.md']
/** What the reader of a page replaces. */
const PLACES: readonly (readonly [place: RegExp, value: string])[] = [
  [/…/g, 'P/locations/L/keyRings/sigcase/cryptoKeys/key'],
  [/\bprojects\/P\b/g, 'projects/example'],
  [/\blocations\/L\b/g, 'locations/europe-west3'],
  [/\bBUCKET\b/g, 'example-sigcase'],
  [/\bADDRESS\b/g, '203.0.113.9'],
  [/\bL-docker\.pkg\.dev\/P\b/g, 'europe-west3-docker.pkg.dev/example'],
]

await withHelm(() => {
  t.test('the values of each page make a release', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'values-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    for (const page of PAGES) {
      const text = readFileSync(join(ROOT, 'docs', 'how-to', page), 'utf8')
      const [, shown = ''] = /```yaml\n(# values\.yaml\n.*?)```/s.exec(text) ?? []
      const filled = PLACES.reduce((so, [place, value]) => so.replace(place, value), shown)
      const values = join(folder, page.replace('.md', '.yaml'))
      writeFileSync(values, filled)
      const kinds = render({ values, kubernetes: '1.33.4-gke.100' }).map(({ kind }) => kind)
      t.equal(kinds.filter((kind) => kind === 'Deployment').length, 3, page)
      t.ok(kinds.includes('Ingress') || kinds.includes('HTTPRoute'), `${page}: has an address`)
    }
  })
})
