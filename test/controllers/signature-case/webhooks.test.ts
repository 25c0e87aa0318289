import t from 'tap'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import {
  DELIVERY_TIMES,
  type Attempt,
  type AttemptOutcome,
} from '../../../domain/cases/webhook-attempts.ts'
import { dueWebhooks } from '../../../domain/cases/webhooks.ts'
import { isSettled } from '../../../domain/cases/finished.ts'
import { decide } from '../../../controllers/signature-case/decide.ts'
import type {
  DeliveriesObservation,
  Observation,
} from '../../../controllers/signature-case/observation.ts'
import { REPLAN_DELAY_MS, webhookWork } from '../../../controllers/signature-case/webhooks.ts'
import { REMOVAL_POLL_MS } from '../../../controllers/signature-case/resource.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { NOW_MS, observe as observeCase } from '../../fixtures/observation.ts'
import {
  callback,
  CASE_KEY,
  keyring,
  signatureCase,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'
import { mailIdsOf } from '../../fixtures/planned-mails.ts'

const at = (ms: number) => new Date(NOW_MS + ms).toISOString()

/** What the log holds, by the place of the event in the order of the case. */
interface Log {
  attempts?: Readonly<Record<number, readonly Attempt[]>>
  ended?: readonly number[]
  requests?: readonly { place: number; round: number }[]
}

function attempt(endedMs: number | undefined, outcome: AttemptOutcome = 'retryable', round = 1) {
  const claimed = { number: 1, deliveryId: 'd', round, kind: 'attempt' as const }
  if (endedMs === undefined) return { ...claimed, claimedAt: at(-5000) }
  const ending = { at: at(endedMs), outcome, durationMs: 1 }
  return { ...claimed, claimedAt: at(endedMs), ending }
}

function observe(options: CaseOptions, log: Log = {}, nowMs = NOW_MS) {
  const definition = { callback: callback(), ...options.definition }
  const value = signatureCase({ ...options, definition })
  const accepted = acceptedSignatures(keyring, value)
  const ids = dueWebhooks(value, accepted).map(({ eventId }) => eventId)
  const idOf = (place: number | string) => `${ids[Number(place)]}`
  const attempts = new Map(
    Object.entries(log.attempts ?? {}).map(([place, some]) => [idOf(place), some]),
  )
  const requests = (log.requests ?? []).map(({ place, round }) => ({ eventId: idOf(place), round }))
  const deliveries: DeliveriesObservation = { times: DELIVERY_TIMES, attempts, requests }
  const receipts = new Map((log.ended ?? []).map((index) => [idOf(index), nowMs]))
  const seen = observeCase({ ...options, definition }, { nowMs, deliveries, receipts })
  const plan = decide(seen)
  const jobs = plan.jobs.filter(({ kind }) => kind === 'webhook')
  const { wakeAtMs } = webhookWork(seen, value)
  return { seen, plan, ids, planned: jobs.map(({ id }) => ids.indexOf(id)), jobs, wakeAtMs }
}

t.test('a signature is reported at once, and the job carries ids alone', async (t) => {
  const { jobs, ids, plan } = observe({ phase: 'IN_PROGRESS', signed: 1 })
  t.strictSame(jobs, [
    { kind: 'webhook', id: ids[0], payload: { ...CASE_KEY, eventId: `${ids[0]}` } },
  ])
  t.equal(plan.wakeAtMs, NOW_MS + REPLAN_DELAY_MS, 'a job that gets lost is planned again')
})

t.test(
  'a case that goes with its namespace sends no webhook, and is read again soon',
  async (t) => {
    const cancellation = { at: at(0) }
    const removed = ({ signatureCase: value, ...seen }: Observation) => {
      const metadata = { ...value.metadata, deletionTimestamp: at(0), finalizers: [FINALIZER] }
      return { ...seen, signatureCase: { ...value, metadata } }
    }
    const seen = removed(observe({ phase: 'CANCELLED', cancellation }).seen)
    const webhooks = (isNamespaceEnding: boolean) =>
      decide({ ...seen, ...(isNamespaceEnding && { isNamespaceEnding }) }).jobs.filter(
        ({ kind }) => kind === 'webhook',
      ).length
    t.equal(webhooks(false), 1)
    t.equal(webhooks(true), 0, 'its credentials go with the namespace')
    const silent = removed(observeCase({ phase: 'CANCELLED', cancellation }))
    t.equal(decide(silent).wakeAtMs, NOW_MS + REMOVAL_POLL_MS)
  },
)

t.test('an end that this plan causes is reported by the same plan', async (t) => {
  const cancellation = { at: at(0) }
  const { plan } = observe({ phase: 'IN_PROGRESS', cancellation })
  t.equal(plan.replacement?.status?.phase, 'CANCELLED')
  t.equal(plan.jobs.filter(({ kind }) => kind === 'webhook').length, 1)
})

t.test('the next event starts when the one before has one finished attempt', async (t) => {
  const done: CaseOptions = { phase: 'DONE', signed: 2 }
  const rows: readonly [string, Log, number[]][] = [
    ['nothing was sent', {}, [0]],
    ['the first is under way', { attempts: { 0: [attempt(undefined)] } }, []],
    ['the first was not taken', { attempts: { 0: [attempt(-1)] } }, [1]],
    ['the first ended', { ended: [0] }, [1]],
    ['the second is under way', { ended: [0], attempts: { 1: [attempt(undefined)] } }, []],
    ['both wait', { attempts: { 0: [attempt(-1)], 1: [attempt(-1)] } }, [2]],
    ['the first is due', { attempts: { 0: [attempt(-90_000)], 1: [attempt(-1)] } }, [0, 2]],
    ['both ended', { ended: [0, 1] }, [2]],
    ['all ended', { ended: [0, 1, 2] }, []],
  ]
  for (const [name, log, expected] of rows) t.same(observe(done, log).planned, expected, name)
})

t.test('an attempt that was lost lets the next event start', async (t) => {
  const log = { attempts: { 0: [attempt(undefined)] } }
  const lostMs = NOW_MS - 5000 + DELIVERY_TIMES.lostAfterMs
  const before = observe({ phase: 'DONE', signed: 2 }, log, lostMs - 1)
  t.same(before.planned, [])
  t.equal(before.plan.wakeAtMs, lostMs)
  t.same(observe({ phase: 'DONE', signed: 2 }, log, lostMs).planned, [1])
})

t.test('the clock is watched for the next attempt', async (t) => {
  const log = { attempts: { 0: [attempt(-30_000)] } }
  const { plan, planned } = observe({ phase: 'FAILED' }, log)
  t.same(planned, [])
  t.equal(plan.wakeAtMs, NOW_MS + 60_000)
  t.same(observe({ phase: 'FAILED' }, log, NOW_MS + 60_000).planned, [0])
})

t.test('what ended in the log without a receipt gets its job', async (t) => {
  t.same(observe({ phase: 'FAILED' }, { attempts: { 0: [attempt(-1, 'final')] } }).planned, [0])
  t.same(observe({ phase: 'FAILED' }, { attempts: { 0: [attempt(-1, 'delivered')] } }).planned, [0])
})

t.test('a case does not settle while a webhook is pending', async (t) => {
  const settledWith = (log: Log) => {
    const first = observe({ phase: 'FAILED' }, log)
    const recorded = new Set(first.plan.auditEvents.map(({ eventId }) => eventId))
    const sealedHead = { sequence: recorded.size, sealedAtMs: NOW_MS }
    const mails = mailIdsOf(first.plan.jobs)
    const receipts = new Map([
      ...first.seen.receipts,
      ...mails.map((id): [string, number] => [id, NOW_MS]),
    ])
    return isSettled(decide({ ...first.seen, recorded, receipts, sealedHead }).replacement?.status)
  }
  t.notOk(settledWith({}))
  t.notOk(settledWith({ attempts: { 0: [attempt(-1)] } }), 'also while it waits for its time')
  t.ok(settledWith({ ended: [0] }))
  t.notOk(settledWith({ ended: [0], requests: [{ place: 0, round: 2 }] }))
})

t.test('a redelivery is planned by its own round and holds nothing up', async (t) => {
  const asked: Log = { ended: [0, 1], requests: [{ place: 0, round: 2 }] }
  t.same(observe({ phase: 'DONE', signed: 2 }, asked).planned, [0, 2])
  const old = [attempt(-1, 'final'), attempt(-1, 'retryable', 2)]
  const { planned, wakeAtMs } = observe(
    { phase: 'FAILED' },
    {
      ended: [0],
      attempts: { 0: old },
      requests: [{ place: 0, round: 2 }],
    },
  )
  t.same(planned, [])
  t.equal(wakeAtMs, NOW_MS - 1 + DELIVERY_TIMES.retryDelayMs)
})

t.test('without callback nothing is planned and nothing keeps the case open', async (t) => {
  const value = signatureCase({ phase: 'FAILED' })
  const { seen } = observe({ phase: 'FAILED' })
  const { deliveries: _, ...rest } = seen
  t.same(webhookWork({ ...rest, signatureCase: value }, value), { jobs: [], open: 0 })
})
