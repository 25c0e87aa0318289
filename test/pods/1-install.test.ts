/** An installation on a real node: pods are ready, and a case goes from NEW to DONE. */
import t from 'tap'
import { SERVICE_IMAGES } from '../../dev/pods/images.ts'
import { RELEASE } from '../../dev/pods/release.ts'
import { kubectl, NAMESPACE, listPods, runCase, TENANT, untilReady } from './cases.ts'

/** An image that a node pulls before its pods start; docs/how-to/install-on-a-cluster.md. */
const MAXIMUM_IMAGE_BYTES = 200_000_000

interface Node {
  status: { images?: { names?: string[] | null; sizeBytes: number }[] }
}

t.test('the images of the service have at most 200 MB', async (t) => {
  const { items } = await kubectl.get<{ items: Node[] }>('nodes')
  const images = items.flatMap(({ status }) => status.images ?? [])
  for (const image of Object.values(SERVICE_IMAGES)) {
    const bytes = images.find(({ names }) => names?.includes(image))?.sizeBytes ?? Infinity
    t.comment(`${image}: ${(bytes / 1e6).toFixed(1)} MB`)
    t.ok(bytes <= MAXIMUM_IMAGE_BYTES, image)
  }
})

t.test('every component has its pods, with the image of its runtime', async (t) => {
  const images = { api: ['node'], controller: ['node'], worker: ['deno', 'deno'] }
  for (const [component, runtimes] of Object.entries(images)) {
    for (const { spec } of await untilReady(component, 2)) {
      const found = spec.containers.map(({ image }) => /sigcase-(\w+):/.exec(image)?.[1])
      t.same(found, runtimes, component)
    }
  }
})

t.test('no container has restarted', async (t) => {
  for (const component of ['api', 'controller', 'worker', 'redis']) {
    for (const { status } of await listPods(component)) {
      t.ok(
        status.containerStatuses?.every(({ restartCount }) => restartCount === 0),
        component,
      )
    }
  }
})

t.test('`helm test` brings a case to DONE', async (t) => {
  const output = await kubectl.helm('test', RELEASE, NAMESPACE, '--timeout', '5m')
  t.match(output, /^Phase: +Succeeded$/m)
})

t.test('a client of the Service brings a case to DONE', async (t) => {
  const caseId = await runCase(t)
  const found = await kubectl.get<{ status: { phase: string } }>(
    'signaturecase',
    caseId,
    `--namespace=${TENANT}`,
  )
  t.equal(found.status.phase, 'DONE')
})
