/** How often resyncs read cases that only wait for people, and what ends their rest. */
import t from 'tap'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { LONGEST_REST_MS, noteCase, QuietCases } from '../../controllers/quiet-cases.ts'
import { uploadKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { EXPIRY_GRACE_MS } from '../../domain/limits.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import {
  CASE_ID,
  CASE_KEY,
  participant,
  signatureCase,
  VALID_UNTIL,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const HOUR_MS = 60 * 60_000
const SECOND_MS = 1_000
/** Nobody gets mails, so that no mail is pending. */
const SILENT = [1, 2].map((position) => participant(position, { notify: false }))

const waiting = (options: CaseOptions = {}) =>
  signatureCase({ phase: 'IN_PROGRESS', participants: SILENT, ...options })

/** A controller that has looked at one case, and the number of its readings since. */
async function started(options: CaseOptions = {}, more: { areUploadsReported?: boolean } = {}) {
  const deps = { ...controllerDeps('2026-11-10T08:00:00.000Z'), ...more }
  deps.cases.seed(waiting(options))
  const counts = { reads: 0 }
  const get = deps.cases.get.bind(deps.cases)
  deps.cases.get = (key) => {
    counts.reads += 1
    return get(key)
  }
  const controller = buildController(deps)
  await controller.start()
  // The status that the first run writes is held back for a while.
  await deps.timers.moveTo(deps.timers.nowMs() + 2 * RESYNC_INTERVAL_MS)
  counts.reads = 0
  const pass = async (ms: number) => {
    await deps.timers.moveTo(deps.timers.nowMs() + ms)
    const { reads } = counts
    counts.reads = 0
    return reads
  }
  return { ...deps, get, pass, stop: () => controller.stop() }
}

t.test('a case that waits for participants is read once or twice in an hour', async (t) => {
  const w = await started()
  const reads = await w.pass(3 * HOUR_MS)
  t.ok(reads >= 2 && reads <= 6, `${reads} readings`)
  await w.stop()
})

t.test('a case that waits for something else is read by each resync', async (t) => {
  for (const options of [
    { phase: 'NEW' as const },
    { definition: { device: { deviceId: 'kiosk-1' } } },
  ]) {
    const w = await started(options)
    const reads = await w.pass(6 * RESYNC_INTERVAL_MS)
    t.ok(reads >= 6, `${JSON.stringify(options)}: ${reads} readings`)
    await w.stop()
  }
})

t.test('a NEW case rests where uploads are reported, and a report is served at once', async (t) => {
  const w = await started({ phase: 'NEW' }, { areUploadsReported: true })
  const reads = await w.pass(3 * HOUR_MS)
  t.ok(reads >= 2 && reads <= 6, `${reads} readings`)
  w.objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.match(w.jobs.take(), [{ kind: 'intake' }])
  await w.stop()
})

t.test('an upload whose report is lost is found in proportion to its age', async (t) => {
  const deps = { ...controllerDeps('2026-11-10T08:00:00.000Z'), areUploadsReported: true }
  const { timers, objects, cases, jobs } = deps
  const controller = buildController(deps)
  await controller.start()
  const made = signatureCase()
  const creation = { ...made.spec.creation, at: '2026-11-10T08:00:00.000Z' }
  await cases.create({ ...made, spec: { ...made.spec, creation } })
  const createdMs = timers.nowMs()
  await timers.moveTo(createdMs + 5 * 60_000)
  objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  t.same(jobs.take(), [])
  await timers.moveTo(createdMs + 4 * 5 * 60_000)
  t.match(jobs.take(), [{ kind: 'intake' }])
  await controller.stop()
})

t.test('a change that the watch lost is found by the next resync', async (t) => {
  const w = await started()
  const lost = (await w.get(CASE_KEY)) as SignatureCase
  const metadata = { ...lost.metadata, resourceVersion: '900' }
  const list = w.cases.list.bind(w.cases)
  w.cases.list = async (options) => {
    const page = await list(options)
    return { ...page, items: page.items.map((item) => ({ ...item, metadata })) }
  }
  t.equal(await w.pass(RESYNC_INTERVAL_MS), 1)
  await w.stop()
})

t.test('a notification ends the rest, and so does a loss of notifications', async (t) => {
  const w = await started()
  t.equal(await w.pass(RESYNC_INTERVAL_MS), 0)
  await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.equal(await w.pass(0), 1)
  w.ephemeral.wipe()
  t.equal(await w.pass(SECOND_MS), 1, 'another epoch')
  const { epoch } = w.ephemeral
  w.ephemeral.epoch = () => Promise.reject(new Error('redis is away'))
  t.equal(await w.pass(RESYNC_INTERVAL_MS), 1, 'no epoch')
  Object.assign(w.ephemeral, { epoch })
  t.equal(await w.pass(SECOND_MS), 1, 'the subscription may have been broken')
  await w.stop()
})

t.test('a case that rests expires on time', async (t) => {
  const validUntil = '2026-11-10T09:10:00.000Z'
  const w = await started({ signed: 1, definition: { validUntil } })
  const phase = async () => (await w.get(CASE_KEY))?.status?.phase
  const dueMs = Date.parse(validUntil) + EXPIRY_GRACE_MS
  await w.timers.moveTo(dueMs - 1)
  t.equal(await phase(), 'IN_PROGRESS')
  await w.timers.moveTo(dueMs)
  t.equal(await phase(), 'EXPIRED')
  await w.stop()
})

t.test('rests have different lengths, and end before the case is due', async (t) => {
  const quiet = new QuietCases()
  const names = Array.from({ length: 200 }, (_, n) => `acme/${uuidV5(CASE_ID, String(n))}`)
  for (const name of names) quiet.remember(name, waiting(), 0)
  const resting = (nowMs: number) => names.filter((name) => quiet.mayRest(name, '1', nowMs)).length
  t.same([resting(LONGEST_REST_MS / 2), resting(LONGEST_REST_MS)], [200, 0])
  const half = resting(LONGEST_REST_MS * 0.75)
  t.ok(half > 60 && half < 140, String(half))
  quiet.remember('acme/due', waiting(), 0, 1_000)
  t.same(
    [999, 1_000].map((ms) => quiet.mayRest('acme/due', '1', ms)),
    [true, false],
  )
  quiet.remember('acme/now', waiting(), 1_000, 1_000)
  t.notOk(quiet.mayRest('acme/now', '1', 1_000))
  t.notOk(quiet.mayRest(names[0] ?? '', '2', 1), 'another version')
})

/** Whether a case rests after a run that read it so. */
function rests(value: SignatureCase, areUploadsReported = false): boolean {
  const quiet = new QuietCases({ areUploadsReported })
  quiet.remember('acme/a', value, 0)
  return quiet.mayRest('acme/a', value.metadata.resourceVersion, 1)
}

t.test('only some cases rest', async (t) => {
  const condition = { reason: 'x', message: '', lastTransitionTime: VALID_UNTIL }
  const delayed = { ...condition, type: 'Delayed' as const, status: 'True' as const }
  const deletionTimestamp = VALID_UNTIL
  const { resourceVersion: _, ...unversioned } = waiting().metadata
  const cases: [SignatureCase, boolean][] = [
    [waiting(), true],
    [waiting({ phase: 'NEW' }), false],
    [waiting({ phase: 'EXPIRED' }), false],
    [waiting({ status: { conditions: [delayed] } }), false],
    [{ ...waiting(), metadata: { ...waiting().metadata, deletionTimestamp } }, false],
    [{ ...waiting(), metadata: unversioned }, false],
  ]
  for (const [value, expected] of cases) t.equal(rests(value), expected)
})

t.test('where uploads are reported, NEW cases of the API rest too', async (t) => {
  const open = waiting()
  const { document: _document, ...status } = open.status!
  const fresh = { ...open, status: { ...status, phase: 'NEW' as const } }
  const { creation: _, ...applied } = fresh.spec
  t.ok(rests(fresh, true))
  t.notOk(rests({ ...fresh, spec: applied as SignatureCase['spec'] }, true))
  t.notOk(rests(waiting({ phase: 'NEW' }), true), 'without a status')
})

t.test('cases that are gone are forgotten by the next complete listing', async (t) => {
  const quiet = new QuietCases()
  for (const name of ['acme/a', 'acme/b']) quiet.remember(name, waiting(), 0)
  quiet.beginListing()
  quiet.mayRest('acme/a', '1', 1)
  quiet.remember('acme/c', waiting(), 0)
  quiet.endListing()
  t.equal(quiet.size, 2)
})

t.test('the version after the last read or write of a run counts', async (t) => {
  const { cases } = controllerDeps('2026-11-10T08:00:00.000Z')
  cases.seed(waiting())
  const seen = noteCase(cases)
  t.equal(seen.last(), undefined)
  const found = (await seen.cases.get(CASE_KEY)) as SignatureCase
  t.equal(seen.last(), found)
  const written = await seen.cases.replaceStatus(found)
  t.not(written.metadata.resourceVersion, found.metadata.resourceVersion)
  t.equal(seen.last(), written)
})
