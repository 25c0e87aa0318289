import t from 'tap'
import { uploadResult } from '../fixtures/alarms.ts'
import { grownTrailKey, receiptKey } from '../../domain/cases/keys.ts'
import { dueAuditEvents, trailSealReceiptId } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { MERGE_DELAY_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { restingCases } from '../../controllers/resting-cases.ts'
import { PROGRESS_DELAY_MS } from '../../controllers/signature-case/held-status.ts'
import { type ControllerWorld, controllerWorld, startedController } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { KEPT_FOR_EVER } from '../fixtures/retention.ts'
import { CASE_ID, CASE_KEY, signatureCase, VALID_UNTIL } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const readCondition = async ({ cases }: ControllerWorld, name: string) =>
  (await cases.get(CASE_KEY))?.status?.conditions.find(({ type }) => type === name)

/** A case that ended and has no pending work, at a controller that counts what is read. */
async function settledCase(w: ControllerWorld) {
  w.cases.seed(signatureCase({ phase: 'EXPIRED' }))
  const first = await startedController(w)
  w.jobs.take()
  const { length } = await w.trail.entries(CASE_KEY)
  const sealed = { sequence: length, hash: '00', at: new Date(w.timers.nowMs()).toISOString() }
  uploadResult(w.objects, receiptKey(CASE_KEY, trailSealReceiptId(CASE_KEY.caseId)), { sealed })
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  await first.stop()
  const counts = { reads: 0 }
  const get = w.cases.get.bind(w.cases)
  w.cases.get = (key) => {
    counts.reads++
    return get(key)
  }
  return counts
}

t.test('a settled case is not read, neither by resyncs nor after a restart', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  const controller = await startedController(w)
  await w.timers.leapTo(w.timers.nowMs() + 3 * DAY_MS)
  t.equal(counts.reads, 0)
  await controller.stop()
})

t.test('a settled case is read again when its resource asks for something', async (t) => {
  const changes: ((value: SignatureCase) => void)[] = [
    ({ metadata }) => (metadata.annotations = { 'sigcase.dev/erase': CASE_ID }),
    ({ metadata }) => (metadata.deletionTimestamp = VALID_UNTIL),
    ({ metadata }) => (metadata.generation = 9),
  ]
  for (const change of changes) {
    const w = controllerWorld()
    const counts = await settledCase(w)
    const value = (await w.cases.get(CASE_KEY)) as SignatureCase
    change(value)
    w.cases.seed(value)
    counts.reads = 0
    const controller = await startedController(w)
    t.ok(counts.reads > 0)
    await controller.stop()
  }
})

t.test('a settled case is read again when its retention time is over', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  const tenant: { days?: number } = {}
  const readDays = async () => {
    if (tenant.days === undefined) throw new Error('no tenants')
    return tenant.days
  }
  const controller = buildController({ ...w.deps, retention: { readDays } })
  await controller.start()
  await settle()
  t.same(w.warnings, ['the retention time of a tenant could not be read'])
  tenant.days = 2
  await w.timers.leapTo(w.timers.nowMs() + DAY_MS)
  t.equal(counts.reads, 0)
  await w.timers.leapTo(w.timers.nowMs() + 2 * DAY_MS)
  t.ok(counts.reads > 0)
  await controller.stop()
})

t.test('a trail that grew after the end is sealed again when the next day is over', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  const event = { ...dueAuditEvents(signatureCase(), [])[0]!, eventId: 'download' }
  await w.trail.append(CASE_KEY, [event])
  const mark = grownTrailKey(CASE_KEY, w.now())
  await w.objects.putIfAbsent(mark, encodeJson({}), 'application/json')
  const controller = await startedController(w)
  await w.timers.leapTo(Date.parse('2026-11-03T23:54:00.000Z'))
  t.equal(counts.reads, 0)
  await w.timers.leapTo(Date.parse('2026-11-04T00:06:00.000Z'))
  t.match(w.jobs.take(), [{ kind: 'trail-seal' }])
  t.match(await readCondition(w, 'Settled'), { status: 'False' })
  t.notOk(await w.objects.stat(mark), 'the status of the case says what is left to do')
  await controller.stop()
})

t.test('a trail that grew is also found when the listing leaves its case out', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  await w.trail.append(CASE_KEY, [
    { ...dueAuditEvents(signatureCase(), [])[0]!, eventId: 'download' },
  ])
  const mark = grownTrailKey(CASE_KEY, w.now())
  await w.objects.putIfAbsent(mark, encodeJson({}), 'application/json')
  const retention = { ...KEPT_FOR_EVER, shortestDays: () => undefined }
  const controller = buildController({ ...w.deps, retention })
  await controller.start()
  await settle()
  t.same(counts.reads, 0)
  t.match(w.metrics.of('sigcase_cases'), { '{phase="EXPIRED"}': 1 }, 'it is counted')
  await w.timers.leapTo(Date.parse('2026-11-04T00:06:00.000Z'))
  t.match(w.jobs.take(), [{ kind: 'trail-seal' }])
  t.notOk(await w.objects.stat(mark))
  await controller.stop()
})

t.test('finished cases rest until erasing, archiving or sweeping may be due', async (t) => {
  const nowMs = Date.parse('2026-11-02T08:00:00.000Z')
  const rest = (isFull: boolean, more: { days?: number; archiveAfterHours?: number } = {}) => {
    const { days, ...archiving } = more
    const retention = { ...KEPT_FOR_EVER, shortestDays: () => days }
    return restingCases({ retention, ...archiving }, isFull, nowMs)
  }
  t.equal(restingCases({ retention: KEPT_FOR_EVER }, true, nowMs), undefined, 'times are unknown')
  t.same(rest(false), { endedFromMs: -Infinity, createdFromMs: -Infinity })
  t.same(rest(false, { days: 3 }), { endedFromMs: -Infinity, createdFromMs: -Infinity })
  t.same(rest(true), { endedFromMs: -Infinity, createdFromMs: nowMs - 90 * DAY_MS })
  t.equal(rest(true, { days: 3 })?.endedFromMs, nowMs - 3 * DAY_MS)
  t.equal(rest(false, { archiveAfterHours: 24 })?.endedFromMs, nowMs - DAY_MS)
  t.equal(rest(true, { days: 3, archiveAfterHours: 24 })?.endedFromMs, nowMs - DAY_MS)
  t.equal(rest(true, { days: 1, archiveAfterHours: 48 })?.endedFromMs, nowMs - DAY_MS)
})

t.test('a case that rests is erased when its retention time is over', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  const retention = { readDays: async () => 2, shortestDays: () => 2 }
  const controller = buildController({ ...w.deps, retention })
  await controller.start()
  await settle()
  await w.timers.leapTo(w.timers.nowMs() + DAY_MS)
  t.equal(counts.reads, 0)
  await w.timers.leapTo(w.timers.nowMs() + 2 * DAY_MS)
  t.ok(counts.reads > 0)
  await controller.stop()
})

t.test('a mark is removed once a reading shows that its case does not exist', async (t) => {
  const w = controllerWorld()
  const counts = await settledCase(w)
  const stray = { tenant: 'removed-tenant', caseId: CASE_ID }
  const marks = [grownTrailKey(stray, w.now()), grownTrailKey(stray, new Date(0))]
  for (const mark of marks) await w.objects.putIfAbsent(mark, encodeJson({}), 'application/json')
  const controller = await startedController(w)
  await w.timers.leapTo(w.timers.nowMs() + 3 * DAY_MS)
  t.equal(counts.reads, marks.length)
  for (const mark of marks) t.notOk(await w.objects.stat(mark))
  await controller.stop()
})

t.test('a controller does not react to its own writes', async (t) => {
  const w = controllerWorld()
  const controller = await startedController(w)
  const { cases, metrics } = w
  const runs = () => metrics.of('sigcase_reconcile_duration_seconds')['{result="succeeded"}']
  const created = await cases.create(signatureCase())
  await w.timers.moveTo(w.timers.nowMs() + PROGRESS_DELAY_MS)
  t.equal(cases.statusWrites.length, 1)
  t.equal(runs(), 1, 'when the status is due')
  const current = (await cases.get(CASE_KEY)) as SignatureCase
  await cases.replaceSpec({ ...current, spec: created.spec })
  await settle()
  t.equal(runs(), 2, 'a write of another process counts')
  await controller.stop()
})

t.test('notifications after which nothing is urgent are served by one run', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS' }))
  const controller = await startedController(w)
  const { metrics } = w
  const runs = () => metrics.of('sigcase_reconcile_duration_seconds')['{result="succeeded"}']
  const publish = (more = {}) =>
    w.ephemeral.publish(CASE_CHANGED, JSON.stringify({ ...CASE_KEY, ...more }))
  t.equal(runs(), 1)
  await publish({ mayWait: true })
  await publish({ mayWait: true })
  await w.timers.moveTo(w.timers.nowMs() + MERGE_DELAY_MS - 1)
  t.equal(runs(), 1)
  await w.timers.moveTo(w.timers.nowMs() + 1)
  t.equal(runs(), 2)
  await publish({ mayWait: true })
  await publish()
  await settle()
  t.equal(runs(), 3)
  await w.timers.moveTo(w.timers.nowMs() + MERGE_DELAY_MS)
  t.equal(runs(), 3, 'an urgent run serves the others')
  await controller.stop()
})
