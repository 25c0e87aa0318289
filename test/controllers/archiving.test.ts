import t from 'tap'
import { archiveCase } from '../../application/archive/archive-case.ts'
import { withArchive } from '../../application/archive/archived-cases.ts'
import { restoreCase } from '../../application/archive/restore-case.ts'
import { FINALIZER } from '../../domain/cases/complete.ts'
import { uploadResult } from '../fixtures/alarms.ts'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { dueAuditEvents, trailSealReceiptId } from '../../domain/cases/due-audit-events.ts'
import { archiveKey, grownTrailKey, receiptKey, redeliveryKey } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { Life, mortal } from '../fixtures/life.ts'
import { CASE_ID, CASE_KEY, signatureCase } from '../fixtures/signature-case.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const AFTER_HOURS = 24

function world() {
  const deps = { ...controllerDeps('2026-11-02T08:00:01.000Z'), archiveAfterHours: AFTER_HOURS }
  return { ...deps, deps }
}

type World = ReturnType<typeof world>

async function started({ deps }: World) {
  const controller = buildController(deps)
  await controller.start()
  await settle()
  return controller
}

/** Seals the trail as a worker does. */
async function seal({ trail, objects, timers, ephemeral }: World) {
  const { length } = await trail.entries(CASE_KEY)
  const sealed = { sequence: length, hash: '00', at: new Date(timers.nowMs()).toISOString() }
  objects.objects.delete(receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID)))
  uploadResult(objects, receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID)), { sealed })
  await ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
}

/** A controller with a case that ended just now and is settled. */
async function settled(w: World) {
  w.cases.seed(signatureCase({ phase: 'EXPIRED' }))
  const controller = await started(w)
  await seal(w)
  return controller
}

const isLiving = async ({ cases }: World) => (await cases.get(CASE_KEY)) !== undefined

const archivedCount = ({ metrics }: World) => metrics.of('sigcase_cases_archived_total')['']

/** A case that the controller has archived. */
async function archived(w: World) {
  const controller = await settled(w)
  await w.timers.leapTo(w.timers.nowMs() + AFTER_HOURS * HOUR_MS)
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
  w.jobs.take()
  return controller
}

t.test('a settled case is archived when its time is over, and then costs nothing', async (t) => {
  const w = world()
  const first = await settled(w)
  await w.timers.leapTo(w.timers.nowMs() + AFTER_HOURS * HOUR_MS - 2 * RESYNC_INTERVAL_MS)
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
  t.ok(await isLiving(w))
  await w.timers.moveTo(w.timers.nowMs() + 2 * RESYNC_INTERVAL_MS)
  t.notOk(await isLiving(w))
  t.equal(archivedCount(w), 1)
  await first.stop()
  w.jobs.take()
  w.objects.gets = []
  const second = await started(w)
  await w.timers.leapTo(w.timers.nowMs() + 3 * DAY_MS)
  t.same(w.objects.gets, [])
  t.same(w.jobs.take(), [])
  await second.stop()
})

t.test('without a time, cases stay', async (t) => {
  const w = world()
  const { archiveAfterHours: _, ...deps } = w.deps
  const controller = await settled({ ...w, deps } as World)
  await w.timers.leapTo(w.timers.nowMs() + 30 * DAY_MS)
  t.ok(await isLiving(w))
  await controller.stop()
})

t.test('an archived case is restored, sealed and archived when its trail grew', async (t) => {
  const w = world()
  const controller = await archived(w)
  const mark = grownTrailKey(CASE_KEY, w.now())
  w.objects.upload(mark, encodeJson({}), JSON_TYPE)
  const [event] = dueAuditEvents(signatureCase(), [])
  await w.trail.append(CASE_KEY, [{ ...event!, eventId: 'viewed', type: 'participant.viewed' }])
  await w.timers.leapTo(w.timers.nowMs() + 3 * DAY_MS)
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
  t.match(w.jobs.take(), [{ kind: 'trail-seal', payload: CASE_KEY }])
  t.ok(await isLiving(w))
  t.equal(w.metrics.of('sigcase_cases_restored_total')[''], 1)
  await seal(w)
  await w.timers.moveTo(w.timers.nowMs() + 2 * RESYNC_INTERVAL_MS)
  t.notOk(await isLiving(w))
  t.same(w.objects.under('grown-trails/'), [])
  await controller.stop()
})

t.test('a mark or a notification of a case that never existed changes nothing', async (t) => {
  const w = world()
  const controller = await started(w)
  const mark = grownTrailKey(CASE_KEY, w.now())
  w.objects.upload(mark, encodeJson({}), JSON_TYPE)
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await w.timers.leapTo(w.timers.nowMs() + 3 * DAY_MS)
  t.same(w.objects.under(''), [])
  t.notOk(await isLiving(w))
  await controller.stop()
})

t.test('a requested redelivery restores the case also when its first run fails', async (t) => {
  const w = world()
  const controller = await archived(w)
  w.objects.upload(redeliveryKey(CASE_KEY, CASE_ID, 2), encodeJson({}), JSON_TYPE)
  const get = w.objects.get.bind(w.objects)
  let failures = 0
  w.objects.get = async (key) => {
    if (key !== archiveKey(CASE_KEY) || failures > 0) return get(key)
    failures += 1
    throw new Error('the store is away')
  }
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.equal(failures, 1)
  t.notOk(await isLiving(w))
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  t.ok(await isLiving(w))
  await controller.stop()
})

t.test('a requested redelivery restores the case, a mere notification does not', async (t) => {
  const w = world()
  const controller = await archived(w)
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.notOk(await isLiving(w))
  const place = redeliveryKey(CASE_KEY, CASE_ID, 2)
  w.objects.upload(place, encodeJson({}), JSON_TYPE)
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.ok(await isLiving(w))
  await controller.stop()
})

t.test('a restored case that is removed takes its record along', async (t) => {
  const w = world()
  const controller = await archived(w)
  await restoreCase(CASE_KEY, w.deps, w.now().toISOString())
  await settle()
  const current = (await w.cases.get(CASE_KEY))!
  const going = { deletionTimestamp: w.now().toISOString(), finalizers: [FINALIZER] }
  w.cases.seed({ ...current, metadata: { ...current.metadata, ...going } })
  await settle()
  t.same((await w.cases.get(CASE_KEY))?.metadata.finalizers, [])
  t.same(w.objects.under(archiveKey(CASE_KEY)), [])
  await controller.stop()
})

t.test('a restoring that another process began is completed', async (t) => {
  const w = world()
  const controller = await archived(w)
  const record = w.objects.json<{ record: ReturnType<typeof signatureCase> }>(archiveKey(CASE_KEY))
  const { spec, metadata, status } = record!.record
  const annotations = { 'sigcase.dev/restoring': 'true' }
  await w.cases.create({ ...signatureCase(), spec, metadata: { ...metadata, annotations } })
  await settle()
  const found = await w.cases.get(CASE_KEY)
  t.equal(found?.metadata.annotations?.['sigcase.dev/restoring'], 'false')
  t.equal(found?.status?.phase, status?.phase)
  await controller.stop()
})

/** Runs `work` with stores that end after a number of writes. @returns whether it was killed */
async function isKilled(
  { deps }: World,
  life: Life,
  work: (deps: World['deps']) => Promise<unknown>,
): Promise<boolean> {
  const cases = mortal(deps.cases, life, ['create', 'delete', 'replaceSpec', 'replaceStatus'])
  const objects = mortal(deps.objects, life, ['putIfAbsent', 'compareAndSwap'])
  let isDone = false
  void work({ ...deps, cases, objects }).then(() => (isDone = true))
  await settle()
  return !isDone
}

/** Calls `attempt` with a life of one write, two and so on, until it is not killed any more. */
async function withEveryLife(attempt: (life: Life) => Promise<boolean>): Promise<number> {
  for (let writes = 1; ; writes += 1) {
    const landed = await attempt(new Life(writes))
    const lost = await attempt(new Life(writes, false))
    if (!landed && !lost) return writes - 1
  }
}

t.test('an archiving that is killed at any write loses nothing and is completed', async (t) => {
  const kills = await withEveryLife(async (life) => {
    const w = world()
    await (await settled(w)).stop()
    const { metadata, ...rest } = (await w.cases.get(CASE_KEY))!
    w.cases.seed({ ...rest, metadata: { ...metadata, finalizers: [FINALIZER] } })
    await w.timers.leapTo(w.timers.nowMs() + AFTER_HOURS * HOUR_MS)
    const wasKilled = await isKilled(w, life, (deps) => archiveCase(CASE_KEY, () => true, deps))
    const found = await withArchive(w.cases, w.deps).get(CASE_KEY)
    t.equal(found?.status?.phase, 'EXPIRED')
    const next = await started(w)
    await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
    t.notOk(await isLiving(w))
    t.ok(w.objects.json(archiveKey(CASE_KEY)))
    t.equal(w.objects.under('archived/').length, 1)
    await next.stop()
    return wasKilled
  })
  t.equal(kills, 4, 'the record, its entry, the finalizer and the resource')
})

t.test('a restoring that is killed at any write loses nothing and is completed', async (t) => {
  const kills = await withEveryLife(async (life) => {
    const w = world()
    await (await archived(w)).stop()
    const wasKilled = await isKilled(w, life, (deps) =>
      restoreCase(CASE_KEY, deps, w.now().toISOString()),
    )
    const found = await withArchive(w.cases, w.deps).get(CASE_KEY)
    t.equal(found?.status?.phase, 'EXPIRED')
    const next = await started(w)
    await restoreCase(CASE_KEY, w.deps, w.now().toISOString())
    await settle()
    t.match(await w.cases.get(CASE_KEY), {
      metadata: { annotations: { 'sigcase.dev/restoring': 'false' } },
      status: { phase: 'EXPIRED' },
    })
    await next.stop()
    return wasKilled
  })
  t.equal(kills, 3, 'the resource, its status and the annotation')
})
