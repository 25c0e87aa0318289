/** A slow receiver delays only its own webhooks. */
import t from 'tap'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { MAXIMUM_OF_HOST, ReceiverTurns } from '../../../workers/webhook/receiver-turns.ts'
import { until } from '../../fixtures/until.ts'

const JOBS_OF_WORKER = 64

/** A queue of 64 jobs, whose jobs deliver to hosts that answer when the test says so. */
function openWorld() {
  const jobs = new InProcessJobQueue(systemTimers, (error) => {
    throw error
  })
  const running = new Map<string, (() => void)[]>()
  const delivered: string[] = []
  const requeued: string[] = []
  let most = 0
  const deliver = async (host: string, id: string) => {
    const held = running.get(host) ?? []
    running.set(host, held)
    await new Promise<void>((resolve) => {
      held.push(resolve)
      most = Math.max(most, held.length)
    })
    delivered.push(id)
  }
  const hostOf = (id: string) => id.split('-')[0] as string
  const turns: ReceiverTurns<string> = new ReceiverTurns({
    resume: async (id) => turns.run(hostOf(id), { id, payload: id }, () => deliver(hostOf(id), id)),
    requeue: (id) => requeued.push(id),
  })
  jobs.work('webhook', JOBS_OF_WORKER, async ({ eventId: id }) => {
    await turns.run(hostOf(id), { id, payload: id }, () => deliver(hostOf(id), id))
    await turns.end(id)
  })
  return {
    turns,
    delivered,
    requeued,
    most: () => most,
    runningOf: (host: string) => running.get(host)?.length ?? 0,
    add: (id: string) => jobs.add('webhook', id, { tenant: 'acme', caseId: id, eventId: id }),
    answer: (host: string) => running.get(host)?.shift()?.(),
    answerAll: (host: string) => {
      for (const resolve of running.get(host)?.splice(0) ?? []) resolve()
    },
  }
}

const idsOf = (host: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${host}-${n}`)

t.test('a host that does not answer keeps no other host waiting', async (t) => {
  const world = openWorld()
  for (const id of idsOf('slow', 200)) await world.add(id)
  for (const id of idsOf('fast', 3)) await world.add(id)
  await until(() => world.runningOf('fast') === 3)
  t.equal(world.runningOf('slow'), MAXIMUM_OF_HOST)
  for (let count = 0; count < 3; count++) world.answer('fast')
  await until(() => world.delivered.length === 3)
})

t.test('what waits is delivered in order when turns become free, each once', async (t) => {
  const world = openWorld()
  const ids = idsOf('slow', 100)
  for (const id of ids) await world.add(id)
  await until(() => world.runningOf('slow') === MAXIMUM_OF_HOST)
  // While it waits or runs, the controller asks for it again.
  for (const id of ids) await world.add(id)
  await until(() => {
    world.answerAll('slow')
    return world.delivered.length === ids.length
  })
  t.same(world.delivered, ids)
  t.equal(world.most(), MAXIMUM_OF_HOST)
  t.same(world.requeued, [])
  t.equal(world.runningOf('slow'), 0)
})

t.test('a job takes over some deliveries, and returns the next one to the queue', async (t) => {
  const world = openWorld()
  const ids = idsOf('slow', MAXIMUM_OF_HOST * 20)
  for (const id of ids) await world.add(id)
  await until(() => {
    world.answerAll('slow')
    return world.requeued.length > 0
  })
  await until(() => {
    world.answerAll('slow')
    for (const id of world.requeued.splice(0)) void world.add(id)
    return world.delivered.length === ids.length
  })
  t.same(world.delivered.toSorted(), ids.toSorted())
})

t.test(
  'a failed delivery frees its turn, and what waits returns to the queue at the end',
  async (t) => {
    const resumed: string[] = []
    const requeued: string[] = []
    const turns: ReceiverTurns<string> = new ReceiverTurns({
      resume: async (id) => resumed.push(id),
      requeue: (id) => requeued.push(id),
    })
    const run = (id: string, work: () => Promise<void>) =>
      turns.run('host', { id, payload: id }, work)
    const fail = async () => {
      throw new Error('the store is away')
    }
    for (const id of idsOf('a', MAXIMUM_OF_HOST)) await t.rejects(run(id, fail))
    for (const id of ['b', 'c', 'b']) await run(id, fail)
    t.same(resumed, [])
    await turns.end('a-0')
    t.same(resumed, ['b', 'c'], 'jobs that deliver nothing keep no turn')
    await t.rejects(run('d', fail), 'the turn is free')
    await run('e', fail)
    t.same(turns.stop(), ['e'])
    await run('f', fail)
    t.same(requeued, ['f'])
    await turns.end('unknown')
  },
)
