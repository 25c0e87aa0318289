/** Installs the chart as docs/how-to/install-on-a-cluster.md says, and drives a case to its end. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { VERSION } from '../../domain/version.ts'
import { HOME, ROOT } from '../fixtures/chart.ts'
import { Cases, openGround, readTrail, until } from '../fixtures/release/cases.ts'
import { openCluster, Release, TENANT } from '../fixtures/release/release.ts'
import { withoutRelease } from '../fixtures/release/skip.ts'

t.setTimeout(600_000)

/** `npm run make-keyring`. @returns the folder with the keys */
function makeKeyring(folder: string): string {
  const keyring = join(folder, 'new-keyring')
  execFileSync(process.execPath, [join(ROOT, 'cli', 'make-keyring.ts'), keyring])
  return keyring
}

t.test('a case ends DONE on what the chart installs', { skip: withoutRelease }, async (t) => {
  const ground = await openGround(t)
  const { address, outside } = ground
  const { folder, hooks, mails } = outside
  const cluster = await openCluster(t, { folder: join(folder, 'cluster'), address })
  const release = new Release({ ...ground, cluster, keyringFolder: makeKeyring(folder) })
  t.teardown(() => release.stopPods())
  await release.prepare()
  t.match(await release.bring('install', release.writeValues()), `sigcase ${VERSION} in ${HOME}`)
  await release.startPods()
  await release.registerTenant()
  const client = await release.client()
  const cases = await Cases.of(client, hooks.url)
  const open = await cases.open(2)
  await cases.sign(open, 0)
  await cases.sign(open, 1)
  const done = await cases.end(open)
  t.match(done, { status: 'DONE', signedDocument: { level: 'PAdES-BASELINE-LTA' } })
  await until('its webhooks were taken', () => hooks.taken.size === 3)
  await until('its mails were taken', () => mails.length === 4)
  t.ok((await readTrail(t, outside, done.id)).includes('case.completed'))

  const table = await release.kubectl(`-n ${TENANT} get signaturecases`)
  t.match(table, /NAME +PHASE +SIGNED +VALID UNTIL +AGE\n\S+ +DONE +2\/2 /)
  t.match(await release.kubectl('explain tenant.spec'), 'namespace')
  const ready = await (await fetch(`${release.baseUrl}/readyz`)).json()
  t.match(ready, { checks: { canary: { outcome: 'passed' } } }, 'as `helm test` asks')
  t.same(release.logged(/is forbidden: /), [])
  t.same(
    release.logged(/"level":50|NotCapable|PermissionDenied|EROFS/),
    [],
    'the logs have no errors',
  )
})
