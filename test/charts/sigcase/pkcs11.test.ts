/** The values of the guide put the container that signs with a module beside each worker. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import t from 'tap'
import { example, render, ROOT, withHelm, type PodSpec } from '../../fixtures/chart.ts'
import { PKCS11_ARGUMENTS } from '../../fixtures/softhsm.ts'

const GUIDE = join(ROOT, 'docs/how-to/sign-with-pkcs11.md')

/** The pods of each component. */
function podsOf(values: string): Map<string, PodSpec> {
  const deployments = render({ values }).filter(({ kind }) => kind === 'Deployment')
  return new Map(
    deployments.map(({ metadata, spec }) => [
      metadata.name,
      (spec as { template: { spec: PodSpec } }).template.spec,
    ]),
  )
}

await withHelm(() => {
  const own = load(readFileSync(example('own'), 'utf8')) as Record<string, object>
  const [, shown = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? []
  const guide = load(shown) as { vault: object; worker: object }
  const merged = { ...own, vault: guide.vault, worker: { ...own.worker, ...guide.worker } }

  t.test('only the pods of workers have the container, and what it mounts', async (t) => {
    const values = join(t.testdir(), 'values.yaml')
    writeFileSync(values, dump(merged))
    const pods = podsOf(values)
    for (const [name, { containers }] of pods) {
      const has = containers.some((one) => one.name === 'pkcs11')
      t.equal(has, name === 'sigcase-worker', name)
    }
    const { containers, volumes = [] } = pods.get('sigcase-worker') as PodSpec
    const container = containers.find(({ name }) => name === 'pkcs11')
    t.same(container?.args, PKCS11_ARGUMENTS, 'the arguments that the tests with SoftHSM have')
    const names = volumes.map(({ name }) => name)
    for (const { name } of container?.volumeMounts ?? []) t.ok(names.includes(name), name)
  })

  t.test('workers need no way to a server on the loopback address', async (t) => {
    const folder = t.testdir()
    const policiesWith = (address: string) => {
      // A file of its own: what helm printed is remembered by the path of the values.
      const values = join(folder, `${address.length}.yaml`)
      writeFileSync(values, dump({ ...merged, vault: { ...guide.vault, address } }))
      return JSON.stringify(render({ values }))
    }
    t.notMatch(policiesWith('http://127.0.0.1:8777'), '"port":8777')
    t.match(policiesWith('https://vault.vault.svc:8777'), '"port":8777')
  })
})
