/** How often an event is sent, when, and how it ends. */
import t from 'tap'
import type { Attempt } from '../../../domain/cases/webhook-attempts.ts'
import { redeliveryFolder } from '../../../domain/cases/keys.ts'
import { webhook } from '../../../workers/webhook/webhook.ts'
import { CALLBACK_URL, CASE_KEY, TENANT } from '../../fixtures/signature-case.ts'
import { settle } from '../../fixtures/frozen-timers.ts'
import { WORK_START } from '../../fixtures/worker.ts'
import { START_MS, DELAY_MS, webhookWorld } from '../../fixtures/webhook-job.ts'

const statusOf = ({ ending }: Attempt) => ending?.statusCode ?? ending?.error

t.test('a webhook that is accepted is sent once, logged, receipted, and reported', async (t) => {
  const w = await webhookWorld()
  await w.run()
  t.equal(w.http.received.length, 1)
  t.match(w.http.received[0], { url: CALLBACK_URL, method: 'POST', timeoutMs: 10_000 })
  t.match(w.http.bodies(), [{ id: w.event.eventId, type: 'case-failed', status: 'FAILED' }])
  const [attempt, ...others] = await w.attempts()
  t.same(others, [])
  t.match(attempt, { number: 1, round: 1, kind: 'attempt', claimedAt: WORK_START })
  t.strictSame(attempt?.ending, {
    at: WORK_START,
    outcome: 'delivered',
    durationMs: 12,
    statusCode: 200,
  })
  t.equal(w.http.received[0]?.headers['Service-Delivery'], attempt?.deliveryId)
  t.strictSame(w.receipt(), {
    type: 'case-failed',
    state: 'delivered',
    endedAt: WORK_START,
    round: 1,
  })
  t.same(w.ephemeral.published, [JSON.stringify(CASE_KEY)])
  await w.run()
  t.equal(w.http.received.length, 1, 'a job too many sends nothing')
})

t.test('it is retried every 90 seconds, eight attempts in all, and then dead', async (t) => {
  const w = await webhookWorld()
  w.http.answers = [500, 'timeout', 429, 408, 'connection-lost', 503, 'name-not-resolved', 599]
  const receipt = await w.runUntilEnd()
  t.match(receipt, { state: 'dead', round: 1 })
  t.same(w.metrics.of('sigcase_webhook_attempts_total'), { '{outcome="retryable"}': 8 })
  t.same(w.metrics.of('sigcase_webhooks_ended_total'), { '{state="dead"}': 1 })
  t.same(w.metrics.of('sigcase_webhook_first_attempt_seconds'), { '': 1 })
  const expected = [500, 'timeout', 429, 408, 'connection-lost', 503, 'name-not-resolved', 599]
  t.same((await w.attempts()).map(statusOf), expected)
  t.same(
    w.http.received.map(({ atMs }) => atMs - START_MS),
    Array.from({ length: 8 }, (_, index) => index * DELAY_MS),
  )
  t.equal(new Set(w.http.bodies().map(({ id }) => id)).size, 1, 'one id')
  const deliveries = w.http.received.map(({ headers }) => headers['Service-Delivery'])
  t.equal(new Set(deliveries).size, 8, 'a new Service-Delivery each time')
  const [dead] = await w.log.ended(TENANT, 'dead', { limit: 10 })
  t.match(dead?.event, { ...w.event, caseId: CASE_KEY.caseId, endedAt: receipt?.endedAt })
  await w.run()
  t.equal(w.http.received.length, 8)
})

t.test('jobs that come too early send nothing', async (t) => {
  const w = await webhookWorld()
  w.http.answers = [500]
  for (const ms of [0, 0, 1, 45_000, 89_999]) {
    await w.timers.moveTo(START_MS + ms)
    await w.run()
  }
  t.equal(w.http.received.length, 1)
  await w.timers.moveTo(START_MS + DELAY_MS)
  await Promise.all([w.run(), w.run(), w.run()])
  t.equal(w.http.received.length, 2, 'and of three at once one')
})

t.test('any other answer fails the event at once', async (t) => {
  for (const answer of [301, 400, 401, 404, 'address-forbidden', 'url-not-allowed'] as const) {
    const w = await webhookWorld()
    w.http.answers = [answer]
    t.match(await w.runUntilEnd(), { state: 'failed' }, String(answer))
    t.equal(w.http.received.length, 1)
    t.equal((await w.attempts()).map(statusOf)[0], answer)
    t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
  }
})

t.test('a process that ends during an attempt: it counts, and the next follows', async (t) => {
  const w = await webhookWorld()
  w.http.whileAsked = () => new Promise<void>(() => {})
  void w.run()
  await settle()
  t.equal(w.http.received.length, 1)
  w.http.whileAsked = undefined
  w.http.answers = [500]
  for (const ms of [1000, 59_999, 60_000, 89_999]) {
    await w.timers.moveTo(START_MS + ms)
    await w.run()
  }
  t.equal(w.http.received.length, 1, 'not before its time')
  await w.timers.moveTo(START_MS + DELAY_MS)
  t.match(await w.runUntilEnd(), { state: 'dead' })
  t.equal(w.http.received.length, 8)
  const attempts = await w.attempts()
  t.equal(attempts[0]?.ending, undefined)
  t.same(
    attempts.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

t.test('a worker that was paused after its claim does not send when another may', async (t) => {
  const w = await webhookWorld()
  const put = w.objects.putIfAbsent.bind(w.objects)
  const pauses = [50_000, 0]
  w.objects.putIfAbsent = async (...args) => {
    const generation = await put(...args)
    if (args[0].includes('/deliveries/')) {
      await w.timers.moveTo(w.timers.nowMs() + (pauses.shift() ?? 0))
    }
    return generation
  }
  await w.run()
  t.same(w.http.received, [])
  t.match(await w.attempts(), [{ number: 1, ending: { outcome: 'retryable', error: 'not-sent' } }])
  t.match(await w.runUntilEnd(), { state: 'delivered' })
  t.same(
    w.http.received.map(({ atMs }) => atMs - START_MS),
    [50_000 + DELAY_MS],
  )
})

t.test(
  'an ending that the store refuses at first is recorded, and nothing is sent again',
  async (t) => {
    const w = await webhookWorld()
    const swap = w.objects.compareAndSwap.bind(w.objects)
    let refused = 0
    w.objects.compareAndSwap = async (key, ...rest) => {
      if (key.includes('/deliveries/') && refused++ < 3) throw new Error('the store is away')
      return swap(key, ...rest)
    }
    const running = w.run()
    await settle()
    t.match(await w.attempts(), [{ ending: undefined }])
    await w.timers.moveTo(START_MS + 3_000)
    await running
    t.match(await w.attempts(), [{ ending: { at: WORK_START, outcome: 'delivered' } }])
    t.match(w.receipt(), { state: 'delivered' })
    t.equal(w.warnings.length, 1)
    await w.timers.moveTo(START_MS + DELAY_MS)
    await w.run()
    t.equal(w.http.received.length, 1)
  },
)

t.test('an ending that cannot be recorded in a minute is lost, and the job fails', async (t) => {
  const w = await webhookWorld()
  const swap = w.objects.compareAndSwap.bind(w.objects)
  const away = new Error('the store is away')
  w.objects.compareAndSwap = () => Promise.reject(away)
  const failing = t.rejects(w.run(), away)
  await settle()
  await w.timers.moveTo(START_MS + 60_000)
  await failing
  w.objects.compareAndSwap = swap
  t.match(await w.runUntilEnd(), { state: 'delivered' })
  t.equal(w.http.received.length, 2, 'at least once')
})

t.test('a process that ends before the receipt writes it the next time', async (t) => {
  const w = await webhookWorld()
  w.http.answers = [404]
  for (const folder of ['/receipts/', '/webhook-events/']) {
    const swap = w.objects.compareAndSwap.bind(w.objects)
    const put = w.objects.putIfAbsent.bind(w.objects)
    const refuse = (key: string) => {
      if (key.includes(folder)) throw new Error('killed')
    }
    w.objects.compareAndSwap = async (key, ...rest) => (refuse(key), swap(key, ...rest))
    w.objects.putIfAbsent = async (key, ...rest) => (refuse(key), put(key, ...rest))
    await t.rejects(w.run(), { message: 'killed' })
    Object.assign(w.objects, { compareAndSwap: swap, putIfAbsent: put })
    t.equal(w.receipt(), undefined)
  }
  await w.run()
  t.equal(w.http.received.length, 1)
  t.match(w.receipt(), { state: 'failed' })
  t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
})

t.test(
  'a redelivery is a new round: same id, new delivery, and the list is put right',
  async (t) => {
    const w = await webhookWorld()
    w.http.answers = [500]
    t.match(await w.runUntilEnd(), { state: 'dead', round: 1 })
    await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 2 }, w.now())
    w.http.answers = [503, 200]
    t.match(await w.runUntilEnd(), { state: 'delivered', round: 2 })
    t.equal(w.http.received.length, 10)
    t.same((await w.attempts()).map(({ number, round }) => [number, round]).slice(7), [
      [8, 1],
      [9, 2],
      [10, 2],
    ])
    t.equal(new Set(w.http.bodies().map(({ id }) => id)).size, 1)
    t.same(await w.log.ended(TENANT, 'dead', { limit: 10 }), [])
    t.same(w.objects.under(redeliveryFolder(CASE_KEY)), [])
    await w.run()
    t.equal(w.http.received.length, 10)
  },
)

t.test('a redelivery that ends badly goes from one list to the other', async (t) => {
  const w = await webhookWorld()
  w.http.answers = [500]
  await w.runUntilEnd()
  await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 2 }, w.now())
  w.http.answers = [410]
  t.match(await w.runUntilEnd(), { state: 'failed', round: 2 })
  t.same(await w.log.ended(TENANT, 'dead', { limit: 10 }), [])
  t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
})

t.test('a request for a round that has ended is taken off the list', async (t) => {
  const w = await webhookWorld()
  await w.run()
  await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 1 }, w.now())
  await w.run()
  t.same(w.objects.under(redeliveryFolder(CASE_KEY)), [])
  t.equal(w.http.received.length, 1)
})

t.test('a webhook that is not due is not sent', async (t) => {
  const w = await webhookWorld()
  await webhook({ ...CASE_KEY, eventId: CASE_KEY.caseId }, w.deps)
  await webhook({ tenant: 'other', caseId: CASE_KEY.caseId, eventId: w.event.eventId }, w.deps)
  t.same(w.http.received, [])
})
