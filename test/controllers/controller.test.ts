import t from 'tap'
import type { AuditTrail } from '../../application/audit/trail.ts'
import { testTrail, uploadResult } from '../fixtures/alarms.ts'
import {
  caseFolder,
  intakeKey,
  outcomeKey,
  receiptKey,
  resultKey,
  uploadKey,
} from '../../domain/cases/keys.ts'
import { failureCountKey, mailsWaitKey, retryAtKey } from '../../domain/cases/jobs.ts'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { EXPIRY_GRACE_MS } from '../../domain/limits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { KubernetesEvent, CaseResources } from '../../domain/ports/case-resources.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { buildController } from '../../controllers/controller.ts'
import { reconcile } from '../../controllers/signature-case/reconcile.ts'
import { PROGRESS_DELAY_MS } from '../../controllers/signature-case/held-status.ts'
import { LOST_JOB_MS, UPLOAD_POLL_MS } from '../../controllers/signature-case/pending-jobs.ts'
import { type ControllerWorld, controllerWorld, startedController } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import type { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { seededHex } from '../fixtures/seeded-hex.ts'
import {
  CASE_ID,
  CASE_KEY,
  participant,
  signature,
  signatureCase,
  VALID_UNTIL,
} from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const phase = async ({ cases }: { cases: MemoryCaseStore }) =>
  (await cases.get(CASE_KEY))?.status?.phase

async function types({ trail }: { trail: AuditTrail }) {
  return (await trail.entries(CASE_KEY)).map(({ type }) => type)
}

t.test('a created case is recorded; an unannounced upload is found by polling', async (t) => {
  const w = controllerWorld()
  const controller = buildController(w.deps)
  await controller.start()
  await w.cases.create(signatureCase())
  await settle()
  t.same(await types(w), [], 'the upload often follows at once')
  await w.timers.moveTo(w.timers.nowMs() + PROGRESS_DELAY_MS)
  t.same(await types(w), ['case.created', 'participant.created', 'participant.created'])
  w.objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  await w.timers.moveTo(w.timers.nowMs() + UPLOAD_POLL_MS)
  t.match(w.jobs.take(), [{ kind: 'intake', payload: CASE_KEY, delayMs: 0 }])
  await controller.stop()
})

t.test('a case of the API is not read before its upload or its entries are due', async (t) => {
  const w = controllerWorld()
  const controller = await startedController(w)
  const { metrics } = w
  const runs = () => metrics.of('sigcase_reconcile_duration_seconds')['{result="succeeded"}'] ?? 0
  const created = await w.cases.create(signatureCase())
  await w.timers.moveTo(w.timers.nowMs() + PROGRESS_DELAY_MS - 1)
  t.equal(runs(), 0)
  w.objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.equal(runs(), 1, 'one run for the creation and the upload')
  t.match(w.jobs.take(), [{ kind: 'intake' }])
  await w.cases.delete(CASE_KEY)
  const { creation: _, ...applied } = created.spec
  await w.cases.create({ ...created, spec: applied as SignatureCase['spec'] })
  await settle()
  t.ok((await w.cases.get(CASE_KEY))?.status, 'an applied case is accepted at once')
  await controller.stop()
})

t.test('a notification makes the controller reconcile a case at once', async (t) => {
  const w = controllerWorld()
  const controller = buildController(w.deps)
  await controller.start()
  await w.cases.create(signatureCase())
  await settle()
  const rejected = {
    outcome: 'rejected',
    code: 'UNREADABLE',
    reason: 'no',
    size: 1,
    decidedAt: VALID_UNTIL,
  }
  uploadResult(w.objects, intakeKey(CASE_KEY), rejected)
  await w.ephemeral.publish(CASE_CHANGED, 'nonsense')
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.equal(await phase(w), 'UPLOAD_REJECTED')
  await controller.stop()
})

t.test('a case expires when its grace is over, without an event', async (t) => {
  const due = Date.parse(VALID_UNTIL) + EXPIRY_GRACE_MS
  const w = controllerWorld(new Date(due - 20 * 60_000).toISOString())
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 1 }))
  const controller = await startedController(w)
  await w.timers.moveTo(due - 1)
  t.equal(await phase(w), 'IN_PROGRESS')
  await w.timers.moveTo(due)
  t.equal(await phase(w), 'EXPIRED')
  await controller.stop()
})

const readCondition = async ({ cases }: { cases: MemoryCaseStore }, name: string) =>
  (await cases.get(CASE_KEY))?.status?.conditions.find(({ type }) => type === name)

/** As `resources` of a cluster, with the Events that people read. */
function announcing() {
  const received: KubernetesEvent[] = []
  const publishEvent = async (_case: SignatureCase, one: KubernetesEvent) => void received.push(one)
  return { received, resources: { publishEvent } as Partial<CaseResources> as CaseResources }
}

t.test('a cancellation of another time counts, and a condition names the time', async (t) => {
  const { creation } = signatureCase().spec
  const stated: [string, string, string][] = [
    ['2020-01-01T00:00:00Z', creation.at, 'before the creation of the case'],
    ['2999-01-01T00:00:00Z', '2026-11-02T08:00:01.000Z', 'in the future'],
  ]
  for (const [at, cancelledAt, where] of stated) {
    const w = controllerWorld()
    w.cases.seed(signatureCase({ cancellation: { at } }))
    const controller = await startedController(w)
    t.match((await w.cases.get(CASE_KEY))?.status, { phase: 'CANCELLED', cancelledAt })
    t.match(await readCondition(w, 'Invalid'), {
      reason: 'statedTimeOutOfBounds',
      message: `spec/cancellation/at is ${where}`,
    })
    const [cancelled] = (await w.trail.entries(CASE_KEY)).slice(-1)
    t.match(cancelled, { type: 'case.cancelled', occurredAt: cancelledAt })
    await controller.stop()
  }
})

t.test('a request for an upload URL of the year 2999 is ignored, and named', async (t) => {
  const w = controllerWorld()
  const value = signatureCase()
  w.cases.seed({ ...value, spec: { ...value.spec, uploadRequestedAt: '2999-01-01T00:00:00Z' } })
  const controller = await startedController(w)
  t.equal(await phase(w), 'NEW')
  t.match(await readCondition(w, 'Invalid'), { message: /uploadRequestedAt is in the future/ })
  const current = await w.cases.get(CASE_KEY)
  const uploadRequestedAt = w.now().toISOString()
  await w.cases.replaceSpec({ ...current!, spec: { ...current!.spec, uploadRequestedAt } })
  await settle()
  t.equal(await readCondition(w, 'Invalid'), undefined)
  t.same(w.warnings, [])
  await controller.stop()
})

t.test('a case whose runs fail again and again says why, until one succeeds', async (t) => {
  const w = controllerWorld()
  const { received, resources } = announcing()
  const cause = new Error('no such bucket: https://objects.example/b?X-Signature=abc')
  const list = w.objects.list.bind(w.objects)
  let isBroken = true
  w.objects.list = async (prefix, options) => {
    if (isBroken && prefix === caseFolder(CASE_KEY))
      throw new ServiceError('TIMEOUT', {}, { cause })
    return list(prefix, options)
  }
  w.cases.seed(signatureCase({ definition: { pinRequired: true } }))
  const controller = buildController({ ...w.deps, resources })
  await controller.start()
  await settle()
  await w.timers.moveTo(w.timers.nowMs() + 25_500)
  t.equal(await readCondition(w, 'Delayed'), undefined, 'eight failures may pass')
  await w.timers.moveTo(w.timers.nowMs() + 26_000)
  const message = /the controller fails .* no such bucket: https:\/\/objects\.example\/b\?…$/
  t.match(await readCondition(w, 'Delayed'), { status: 'True', reason: 'ReconcileFails', message })
  // The cause can quote the case, and logs of clusters keep Events.
  const sentence =
    'the controller fails repeatedly and retries every minute; see the condition Delayed'
  t.strictSame(received, [{ type: 'Warning', reason: 'Delayed', message: sentence }])
  await w.timers.moveTo(w.timers.nowMs() + 200_000)
  t.equal(received.length, 1, 'reported once')
  t.equal(w.cases.statusWrites.length, 1)
  isBroken = false
  await w.secrets.create(CASE_KEY, { signingSecret: 's' })
  await w.timers.moveTo(w.timers.nowMs() + 70_000)
  t.equal(await readCondition(w, 'Delayed'), undefined)
  t.equal(received.length, 1, 'the end of a fault is not announced')
  t.same(await w.secrets.listUnadopted(new Date('2100-01-01'), 10), [], 'its secrets are adopted')
  await controller.stop()
})

t.test('cases that changed while no controller ran are found at its start', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const controller = await startedController(w)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await controller.stop()
})

t.test('a job that was lost is added again, and one that was done is not', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const controller = await startedController(w)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  const start = w.timers.nowMs()
  await w.timers.moveTo(start + LOST_JOB_MS - 1)
  t.same(w.jobs.take(), [])
  await w.timers.moveTo(start + LOST_JOB_MS)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  w.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(9))
  uploadResult(w.objects, resultKey(CASE_KEY), { completedAt: VALID_UNTIL })
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.equal(await phase(w), 'DONE')
  await w.timers.moveTo(start + 3 * LOST_JOB_MS)
  t.notOk(w.jobs.take().some(({ kind }) => kind === 'finalise'))
  await controller.stop()
})

t.test('an ephemeral store that is unavailable at the start is subscribed to later', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const { subscribe, epoch } = w.ephemeral
  w.ephemeral.subscribe = w.ephemeral.epoch = async () => {
    throw new Error('redis is away')
  }
  const controller = await startedController(w)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  Object.assign(w.ephemeral, { subscribe, epoch })
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  w.jobs.take()
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await controller.stop()
})

t.test(
  'a subscription that begins slowly is made once, and ends with the controller',
  async (t) => {
    const w = controllerWorld()
    const begun = Promise.withResolvers<() => void>()
    let subscriptions = 0
    let ended = 0
    w.ephemeral.subscribe = () => {
      subscriptions += 1
      return begun.promise
    }
    const controller = buildController(w.deps)
    const starting = controller.start()
    await w.timers.moveTo(w.timers.nowMs() + 2_000)
    t.equal(subscriptions, 1)
    await controller.stop()
    begun.resolve(() => {
      ended += 1
    })
    await starting
    t.equal(ended, 1)
  },
)

t.test('a job that failed a moment ago is added with the rest of its delay', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const retryAt = String(w.timers.nowMs() + 700)
  await w.ephemeral.set(retryAtKey('finalise', `acme_${CASE_ID}`), retryAt, { ttlMs: 60_000 })
  await reconcile(CASE_KEY, w.deps)
  t.match(w.jobs.take(), [{ kind: 'finalise', delayMs: 700 }])
})

t.test('mails of a tenant that may send no more in this day wait for the next', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS' }))
  const day = Math.floor(w.timers.nowMs() / DAY_MS)
  const leftMs = (day + 1) * DAY_MS - w.timers.nowMs()
  await w.ephemeral.set(mailsWaitKey('acme', day), '1', { ttlMs: leftMs })
  await reconcile(CASE_KEY, w.deps)
  const mails = w.jobs.take().filter(({ kind }) => kind === 'notify')
  t.match(mails, [{ delayMs: leftMs }])
  w.ephemeral.wipe()
  await reconcile(CASE_KEY, w.deps)
  const again = w.jobs.take().filter(({ kind }) => kind === 'notify')
  t.ok(again.every(({ delayMs = 0 }) => delayMs === 0))
})

t.test('a worker whose clock is ahead delays no job for more than a minute', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const retryAt = String(w.timers.nowMs() + 10 * 60_000)
  await w.ephemeral.set(retryAtKey('finalise', `acme_${CASE_ID}`), retryAt, { ttlMs: 60_000 })
  await reconcile(CASE_KEY, w.deps)
  t.match(w.jobs.take(), [{ kind: 'finalise', delayMs: 60_000 }])
})

t.test('a job that fails again and again is a condition of its case, until it ends', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const delayed = async () => {
    await reconcile(CASE_KEY, w.deps)
    const conditions = (await w.cases.get(CASE_KEY))?.status?.conditions
    return conditions?.find(({ type }) => type === 'Delayed')?.message
  }
  const count = failureCountKey('finalise', `acme_${CASE_ID}`)
  await w.ephemeral.set(count, '2', { ttlMs: 60_000 })
  t.equal(await delayed(), undefined)
  await w.ephemeral.set(count, '3', { ttlMs: 60_000 })
  t.match(await delayed(), /finalise/)
  await w.ephemeral.delete(count)
  t.equal(await delayed(), undefined)
})

t.test('a store that fails is tried again', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  let failures = 2
  w.cases.beforeWrite = async () => {
    if (failures-- > 0) throw new Error('store is down')
  }
  const controller = await startedController(w)
  await w.timers.moveTo(w.timers.nowMs() + 2_000)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  t.same(w.warnings, ['reconcile failed', 'reconcile failed'])
  await controller.stop()
})

t.test('status is written once and not again while nothing changes', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 1 }))
  await reconcile(CASE_KEY, w.deps)
  const { length } = w.cases.statusWrites
  t.equal(length, 1)
  await reconcile(CASE_KEY, w.deps)
  await reconcile(CASE_KEY, w.deps)
  t.equal(w.cases.statusWrites.length, length)
})

/** Lets another writer's spec in, once, right before the controller's status would land. */
function beforeNextStatus(w: ControllerWorld, change: (value: SignatureCase) => void) {
  w.cases.beforeWrite = async (kind) => {
    if (kind !== 'status') return
    w.cases.beforeWrite = undefined
    const value = (await w.cases.get(CASE_KEY)) as SignatureCase
    change(value)
    await w.cases.replaceSpec(value)
  }
}

t.test('a cancellation that lands before the result is written wins over it', async (t) => {
  const w = controllerWorld('2026-11-02T10:00:00.000Z')
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const made = { sha256: 'a'.repeat(64), size: 1, level: 'PAdES-BASELINE-LTA' }
  w.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(1))
  const completedAt = '2026-11-02T09:59:00.000Z'
  const result = { signedDocument: made, evidenceDocument: made, completedAt }
  uploadResult(w.objects, resultKey(CASE_KEY), result)
  beforeNextStatus(w, ({ spec }) => {
    spec.cancellation = { at: '2026-11-02T10:00:00.000Z' }
  })
  await reconcile(CASE_KEY, w.deps)
  t.equal(await phase(w), 'CANCELLED')
  const eventTypes = await types(w)
  t.ok(eventTypes.includes('case.cancelled'))
  t.notOk(eventTypes.includes('case.completed'))
})

t.test('a cancellation that comes after the result was written changes nothing', async (t) => {
  const w = controllerWorld('2026-11-02T10:00:00.000Z')
  const cancellation = { at: '2026-11-02T10:00:00.000Z' }
  w.cases.seed(signatureCase({ phase: 'DONE', signed: 2, cancellation }))
  await reconcile(CASE_KEY, w.deps)
  t.equal(await phase(w), 'DONE')
  t.notOk((await types(w)).includes('case.cancelled'))
})

t.test('the last signature that lands within the grace wins over the expiry', async (t) => {
  const w = controllerWorld(new Date(Date.parse(VALID_UNTIL) + EXPIRY_GRACE_MS).toISOString())
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 1 }))
  const lastSecond = '2026-11-29T23:59:59.900Z'
  beforeNextStatus(w, ({ spec }) => {
    spec.signatures.push(signature(participant(2), { fieldIds: ['f2'], signedAt: lastSecond }))
  })
  await reconcile(CASE_KEY, w.deps)
  t.equal(await phase(w), 'IN_PROGRESS')
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  t.notOk((await types(w)).includes('case.expired'))
})

t.test('two controllers on one case make one history', async (t) => {
  const w = controllerWorld('2026-11-02T10:00:00.000Z')
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const failure = { reason: 'cannot be signed', failedAt: '2026-11-02T09:59:00.000Z' }
  uploadResult(w.objects, outcomeKey(CASE_KEY), failure)
  const other = { ...w.deps, trail: testTrail(w.objects, seededHex('other')) }
  await Promise.all([reconcile(CASE_KEY, w.deps), reconcile(CASE_KEY, other)])
  t.equal(await phase(w), 'FAILED')
  const eventTypes = await types({ trail: testTrail(w.objects, seededHex()) })
  t.equal(eventTypes.filter((type) => type === 'case.failed').length, 1)
  t.equal(new Set(eventTypes).size, 6)
  t.equal(eventTypes.length, 9)
})

t.test('a controller that died after the status was written leaves nothing out', async (t) => {
  const w = controllerWorld('2026-11-02T10:00:00.000Z')
  const cancellation = { at: '2026-11-02T10:00:00.000Z' }
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', cancellation }))
  w.objects.upload(
    receiptKey(CASE_KEY, eventId(CASE_ID, 'mail.invitation', participant(1).id)),
    encodeJson({}),
  )
  const broken = { ...w.deps, trail: testTrail(w.objects, seededHex()) }
  broken.trail.append = async () => {
    throw new Error('killed')
  }
  await t.rejects(reconcile(CASE_KEY, broken), { message: 'killed' })
  t.equal(await phase(w), 'CANCELLED')
  t.same(await types(w), [])
  await reconcile(CASE_KEY, w.deps)
  t.ok((await types(w)).includes('case.cancelled'))
  t.match(w.jobs.take(), [{ kind: 'notify' }, { kind: 'trail-seal' }])
})

t.test('reconciles, requeues and cases are measured while the controller runs', async (t) => {
  const w = controllerWorld()
  await w.cases.create(signatureCase())
  const controller = await startedController(w)
  const { metrics } = w
  t.match(metrics.of('sigcase_cases'), { '{phase="NEW"}': 1, '{phase="DONE"}': 0 })
  t.equal(metrics.values.get('sigcase_oldest_unfinished_case_seconds'), 0)
  const ran = metrics.of('sigcase_reconcile_duration_seconds')
  t.ok((ran['{result="succeeded"}'] ?? 0) >= 1)
  t.equal(ran['{result="failed"}'], undefined)
  t.ok((metrics.of('sigcase_reconcile_requeues_total')['{reason="due"}'] ?? 0) >= 1)
  w.cases.get = async () => {
    throw new Error('broken')
  }
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  const failed = metrics.of('sigcase_reconcile_duration_seconds')['{result="failed"}']
  t.equal(failed, 1)
  t.equal(metrics.of('sigcase_reconcile_requeues_total')['{reason="failed"}'], failed)
  await controller.stop()
  t.same(metrics.of('sigcase_cases'), {}, 'a replica that does not lead reports no cases')
  t.same(metrics.of('sigcase_reconcile_queue_length'), {})
})
