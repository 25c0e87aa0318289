import t from 'tap'
import { watchCores } from '../fixtures/busy.ts'
import { until } from '../fixtures/until.ts'
import { RESTARTED, withLocalCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(600_000)

await withLocalCluster(RESTARTED, (cluster) => {
  const { admin, controllers, client } = cluster
  const holder = async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/sigcase-system/leases/sigcase-controller'
    const lease = await admin.send<{ spec: { holderIdentity?: string } }>({ path })
    return lease.spec.holderIdentity?.split('_')[0]
  }
  const leader = async () => {
    await until(async () => (await holder()) !== undefined)
    const name = await holder()
    return controllers.find(({ options }) => options.name === name)
  }

  t.test('a second replica takes over from a killed leader in under 20 seconds', async (t) => {
    const first = await leader()
    const startedMs = performance.now()
    const isBusy = watchCores()
    await first?.end('SIGKILL')
    const takenOver = until(async () => (await leader()) !== first).then(() => {
      const tookMs = performance.now() - startedMs
      t.comment(`${Math.round(tookMs)} ms`)
      t.ok(tookMs < 20_000 || isBusy())
    })
    const people = await client()
    const { case: created, upload } = await people.create('Contract', [{}])
    await people.upload(upload.url, await smallDocument())
    const taken = await people.untilNot('NEW', created.id)
    t.equal(taken.status, 'IN_PROGRESS')
    await takenOver
    t.not(await leader(), first)
    first?.start()
    await first?.ready()
  })

  t.test('a leader that ends gives its place away at once', async (t) => {
    const first = await leader()
    const startedMs = performance.now()
    const isBusy = watchCores()
    t.equal(await first?.end('SIGTERM'), 0)
    await until(async () => (await leader()) !== first)
    t.ok(performance.now() - startedMs < 8_000 || isBusy())
    first?.start()
    await first?.ready()
  })
})
