/** The same case with workers on Node; the container that reads documents stays on Deno. */
import t from 'tap'
import { installChart } from '../../dev/pods/release.ts'
import { cluster, podsOf, runCase, untilReady } from './cases.ts'

t.test('workers on Node bring a case to DONE', async (t) => {
  await installChart({ ...cluster, workers: 'node' })
  for (const { spec } of await untilReady('worker', 2)) {
    const images = spec.containers.map(({ image }) => /sigcase-(\w+):/.exec(image)?.[1])
    t.same(images, ['node', 'deno'])
  }
  await runCase(t)
})

t.test('a change back to Deno replaces them', async (t) => {
  await installChart(cluster)
  const pods = await untilReady('worker', 2)
  t.ok(pods.every(({ spec }) => spec.containers[0]?.image.includes('deno')))
  t.equal((await podsOf('api')).length, 2)
})
