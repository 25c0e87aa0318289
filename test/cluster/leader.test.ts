import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import t from 'tap'
import { watchCores } from '../fixtures/busy.ts'
import { until } from '../fixtures/until.ts'
import { RESTARTED, TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(600_000)

/** Until a case rests and that is stored: its mails are sent first. */
const REST_LIMIT_MS = 240_000
const POLL_MS = 500

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

  /** Cases that rest according to any leader so far. */
  const readResting = async () => {
    const { command } = cluster.redis.options
    const url = `redis://127.0.0.1:${command[command.indexOf('--port') + 1]}`
    const redis = await createClient({ url }).connect()
    const tables = await redis.keys('*/table/resting-cases/*')
    const names = await Promise.all(tables.map((table) => redis.hKeys(table)))
    redis.destroy()
    return new Set(names.flat())
  }

  t.test('a case that is signed while there is no leader ends', async (t) => {
    const people = await client()
    const pdf = await smallDocument()
    const cases = [1, 2].map(() => people.create('Contract', [{ notify: false }]))
    const ids: string[] = []
    for (const { case: created, upload } of await Promise.all(cases)) {
      await people.upload(upload.url, pdf)
      t.equal((await people.untilNot('NEW', created.id)).status, 'IN_PROGRESS')
      ids.push(created.id)
    }
    const sign = async (id: string) => {
      const [participant] = (await people.get(id)).participants
      return (await people.sign(participant?.signerUrl ?? '')).status
    }
    const deadlineMs = performance.now() + REST_LIMIT_MS
    const isResting = async () => {
      const resting = await readResting()
      return ids.every((id) => resting.has(`${TENANT}/${id}`))
    }
    while (!(await isResting()) && performance.now() < deadlineMs) await sleep(POLL_MS)
    t.ok(await isResting(), 'both cases rest')
    await Promise.all(controllers.map((controller) => controller.end('SIGKILL')))
    t.equal(await sign(ids[0] ?? ''), 200)
    for (const controller of controllers) controller.start()
    await Promise.all(controllers.map((controller) => controller.ready()))
    t.equal((await people.untilNot('IN_PROGRESS', ids[0] ?? '')).status, 'DONE')
    t.equal(await sign(ids[1] ?? ''), 200, 'the other one still rested')
    t.equal((await people.untilNot('IN_PROGRESS', ids[1] ?? '')).status, 'DONE')
  })
})
