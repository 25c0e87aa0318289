import t from 'tap'
import { RESYNC_INTERVAL_MS } from '../../../controllers/case-runs.ts'
import { buildController } from '../../../controllers/controller.ts'
import { eraseRemoved } from '../../../controllers/removed-cases.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { ERASE_ANNOTATION, type Tombstone } from '../../../domain/cases/erasure.ts'
import * as keys from '../../../domain/cases/keys.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { ERASED_RESOURCE_LIFE_MS } from '../../../domain/limits.ts'
import type { JobKind, JobPayloads } from '../../../domain/ports/jobs.ts'
import { runJob } from '../../../workers/worker.ts'
import { uploadResult } from '../../fixtures/alarms.ts'
import { settle } from '../../fixtures/frozen-timers.ts'
import { Life, mortal } from '../../fixtures/life.ts'
import { keptFor, KEPT_FOR_EVER } from '../../fixtures/retention.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY as key,
  signatureCase,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'
import { outboundAnswer } from '../../fixtures/scripted-http.ts'
import { workerDeps, type TestWorkerDeps } from '../../fixtures/worker.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAXIMUM_TURNS = 20
const DOCUMENT = keys.documentKey(key)
const TOMBSTONE = keys.tombstoneKey(key)
const ASKED = { [ERASE_ANNOTATION]: CASE_ID }

async function world(options: CaseOptions, annotations?: Record<string, string>) {
  const deps = await workerDeps()
  const value = signatureCase(options)
  const metadata = {
    ...value.metadata,
    finalizers: [FINALIZER],
    ...(annotations && { annotations }),
  }
  deps.cases.seed({ ...value, metadata })
  deps.objects.upload(DOCUMENT, new Uint8Array(10))
  await deps.secrets.create(key, { signingSecret: 's'.repeat(32) })
  return deps
}

/** Reconciles and does all jobs until no work is pending. */
async function work(deps: TestWorkerDeps, without: readonly JobKind[] = []): Promise<void> {
  for (let turn = 0; turn < MAXIMUM_TURNS; turn++) {
    await reconcile(key, deps)
    const jobs = deps.jobs.take().filter(({ kind }) => !without.includes(kind))
    if (jobs.length === 0) return
    for (const { kind, payload } of jobs) {
      await runJob(kind, payload as JobPayloads[typeof kind], deps)
    }
  }
  throw new Error('the case never comes to rest')
}

const stored = (deps: TestWorkerDeps) => deps.cases.get(key)
const tombstoneOf = (deps: TestWorkerDeps) => deps.objects.json<Tombstone>(TOMBSTONE)

async function erased(deps: TestWorkerDeps) {
  const { conditions = [] } = (await stored(deps))?.status ?? {}
  return conditions.find(({ type }) => type === 'Erased')
}

/** The resource as somebody else left it. */
async function change(deps: TestWorkerDeps, alter: (one: SignatureCase) => SignatureCase) {
  deps.cases.seed(alter((await stored(deps))!))
}

const removed = (one: SignatureCase, at: Date): SignatureCase => ({
  ...one,
  metadata: { ...one.metadata, deletionTimestamp: at.toISOString() },
})

const moveBy = (deps: TestWorkerDeps, ms: number) => deps.timers.leapTo(deps.timers.nowMs() + ms)

t.test(
  'a case is erased when it is asked for by its id, and its resource goes later',
  async (t) => {
    const deps = await world({ phase: 'DONE', signed: 2 }, ASKED)
    await work(deps)
    t.match(await erased(deps), { status: 'True', reason: 'Erased' })
    t.match((await stored(deps))?.status, {
      phase: 'DONE',
      erasure: { rule: 'annotation', erasedAt: deps.now().toISOString() },
    })
    t.notOk(await deps.objects.stat(DOCUMENT))
    t.match(
      tombstoneOf(deps)?.objects.map(({ name }) => name),
      ['document.pdf'],
    )
    await moveBy(deps, ERASED_RESOURCE_LIFE_MS - 1)
    await work(deps)
    t.ok(await stored(deps))
    await moveBy(deps, 1)
    await work(deps)
    t.notOk(await stored(deps))
    t.notOk(await deps.secrets.get(key))
    t.ok(tombstoneOf(deps)?.erasedAt, 'the receipt stays')
  },
)

t.test('a living case says why it waits, and is erased once it has ended', async (t) => {
  const deps = await world({ phase: 'IN_PROGRESS', signed: 1 }, ASKED)
  await work(deps)
  t.match(await erased(deps), { status: 'False', reason: 'NotEnded', message: /participants/ })
  t.ok(await deps.objects.stat(DOCUMENT))
  t.notOk(tombstoneOf(deps))
  const cancellation = { at: deps.now().toISOString() }
  await change(deps, (one) => ({ ...one, spec: { ...one.spec, cancellation } }))
  await work(deps)
  t.match(await erased(deps), { status: 'True' })
  t.notOk(await deps.objects.stat(DOCUMENT))
})

t.test('what is not the id of the case erases nothing, and says so', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 }, { [ERASE_ANNOTATION]: 'true' })
  await work(deps)
  t.match(await erased(deps), { status: 'False', reason: 'IdMismatch' })
  t.ok(await deps.objects.stat(DOCUMENT))
  t.notOk(tombstoneOf(deps))
})

t.test('while a webhook is pending, the case is not erased', async (t) => {
  const deps = await world(
    { phase: 'FAILED', signed: 2, definition: { callback: callback() } },
    ASKED,
  )
  await work(deps, ['webhook'])
  t.match(await erased(deps), { status: 'False', reason: 'WorkPending' })
  t.ok(await deps.objects.stat(DOCUMENT))
})

t.test('entries that are not sealed yet are sealed before their values are erased', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 })
  await work(deps)
  const late = {
    occurredAt: deps.now().toISOString(),
    actor: 'participant' as const,
    ip: '192.0.2.9',
  }
  await deps.trail.append(key, [auditEvent(CASE_ID, 'participant.downloaded', late)])
  await change(deps, (one) => ({ ...one, metadata: { ...one.metadata, annotations: ASKED } }))
  await work(deps)
  const { length } = await deps.trail.entries(key)
  t.ok(await deps.objects.stat(keys.auditHeadKey(key, length)))
  t.match(await erased(deps), { status: 'True' })
})

t.test("a case is erased when its tenant's days are over, not before", async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 })
  deps.retention = keptFor(30)
  await work(deps)
  await moveBy(deps, 30 * DAY_MS - 1)
  await work(deps)
  t.ok(await deps.objects.stat(DOCUMENT))
  t.notOk(await erased(deps), 'it was not requested: the status says nothing')
  await moveBy(deps, 1)
  await work(deps)
  t.notOk(await deps.objects.stat(DOCUMENT))
  t.match(tombstoneOf(deps), { rule: 'retention', retentionDays: 30 })
  t.match(await erased(deps), { status: 'True', message: /30 days after the end/ })
})

t.test(
  'the log of webhooks is kept for 90 days, though the case is to be kept for less',
  async (t) => {
    const definition = { callback: callback() }
    const deps = await world({ phase: 'DONE', signed: 2, definition })
    deps.retention = keptFor(30)
    deps.outboundHttp.answers.push(...Array.from({ length: 3 }, () => outboundAnswer(200)))
    await work(deps)
    const attempts = deps.objects.under(keys.deliveriesFolder(key))
    t.ok(attempts.length > 0)
    await moveBy(deps, 90 * DAY_MS - 1)
    await work(deps)
    t.same(deps.objects.under(keys.deliveriesFolder(key)), attempts)
    await moveBy(deps, 1)
    await work(deps)
    t.same(deps.objects.under(keys.deliveriesFolder(key)), [])
    t.match(await erased(deps), { status: 'True' })
  },
)

t.test('also of a removed case the log of webhooks is kept for 90 days', async (t) => {
  const definition = { callback: callback() }
  const deps = await world({ phase: 'DONE', signed: 2, definition })
  deps.outboundHttp.answers.push(...Array.from({ length: 3 }, () => outboundAnswer(200)))
  const endedAtMs = deps.timers.nowMs()
  await work(deps)
  await change(deps, (one) => removed(one, deps.now()))
  await work(deps)
  await deps.cases.delete(key)
  deps.retention = keptFor(30)
  await eraseRemoved(deps, endedAtMs + 90 * DAY_MS - 1)
  t.same(deps.jobs.take(), [])
  await eraseRemoved(deps, endedAtMs + 90 * DAY_MS)
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: key }])
})

t.test('without a rule a case is kept; a rule that cannot be read erases nothing', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 })
  await work(deps)
  await moveBy(deps, 36_500 * DAY_MS)
  await work(deps)
  t.ok(await deps.objects.stat(DOCUMENT))
  deps.retention = { readDays: () => Promise.reject(new Error('the API server is away')) }
  await t.rejects(reconcile(key, deps), /away/)
  t.ok(await deps.objects.stat(DOCUMENT))
})

t.test('a controller at its start finds what is due, and adds a lost job again', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 })
  await work(deps)
  await moveBy(deps, 31 * DAY_MS)
  const controller = buildController({ ...deps, retention: keptFor(30) })
  await controller.start()
  await settle()
  const expectedJobs = [
    { kind: 'retention' as const, id: `${key.tenant}_${CASE_ID}`, payload: key },
  ]
  t.match(deps.jobs.take(), expectedJobs)
  deps.ephemeral.values.clear()
  await deps.timers.moveTo(deps.timers.nowMs() + 1_000)
  t.match(deps.jobs.take(), expectedJobs)
  await controller.stop()
})

t.test('a controller that runs removes the resource of an erased case in time', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 }, ASKED)
  await work(deps)
  const controller = buildController(deps)
  await controller.start()
  await settle()
  const steps = Math.ceil(ERASED_RESOURCE_LIFE_MS / RESYNC_INTERVAL_MS) + 1
  for (let step = 0; step < steps; step++) await moveBy(deps, RESYNC_INTERVAL_MS)
  t.notOk(await stored(deps))
  await controller.stop()
})

t.test('a controller at its start finds removed cases whose time is over', async (t) => {
  const deps = await workerDeps()
  deps.objects.upload(keys.removedKey(key, '2026-10-01T08:00:00.000Z'), new Uint8Array(2))
  const controller = buildController({ ...deps, retention: keptFor(30) })
  await controller.start()
  await settle()
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: key }])
  await controller.stop()
})

t.test('a controller that ends between any two writes leaves one that goes on', async (t) => {
  const writes = ['replaceStatus', 'putIfAbsent', 'add', 'delete']
  let ends = 0
  for (let left = 1; left <= 4; left++) {
    const deps = await world({ phase: 'DONE', signed: 2 })
    await work(deps)
    await change(deps, (one) => ({ ...one, metadata: { ...one.metadata, annotations: ASKED } }))
    const life = new Life(left)
    const dying = {
      ...deps,
      cases: mortal(deps.cases, life, writes),
      objects: mortal(deps.objects, life, writes),
      jobs: mortal(deps.jobs, life, writes),
    }
    const run = reconcile(key, dying).then(() => 'ended' as const)
    const turns = settle().then(() => 'killed' as const)
    if ((await Promise.race([run, turns])) === 'killed') ends++
    if (tombstoneOf(deps))
      t.ok((await stored(deps))?.status?.erasure, 'the status is written first')
    deps.jobs.take()
    await work(deps)
    t.match(await erased(deps), { status: 'True' })
    t.notOk(await deps.objects.stat(DOCUMENT))
  }
  t.equal(ends, 3, 'status, order and job')
})

t.test('what comes after the erasure goes, too, and the resource waits for that', async (t) => {
  const deps = await world({ phase: 'CANCELLED' }, ASKED)
  await work(deps)
  deps.objects.upload(keys.uploadKey(key), new Uint8Array(5))
  await moveBy(deps, ERASED_RESOURCE_LIFE_MS)
  await reconcile(key, deps)
  t.ok(await stored(deps))
  t.match(deps.jobs.take(), [{ kind: 'retention' }])
  await runJob('retention', key, deps)
  t.notOk(await deps.objects.stat(keys.uploadKey(key)))
  await work(deps)
  t.notOk(await stored(deps))
})

t.test('who removes the resource of a case to be erased has both', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 }, ASKED)
  await change(deps, (one) => removed(one, deps.now()))
  await reconcile(key, deps)
  t.match((await stored(deps))?.metadata.finalizers, [FINALIZER])
  deps.jobs.take()
  await work(deps)
  t.notOk(await deps.objects.stat(DOCUMENT))
  t.same((await stored(deps))?.metadata.finalizers, [])
  t.same(deps.objects.under(keys.REMOVED_FOLDER), [])
})

t.test('objects of a removed case are erased when their time is over', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 })
  const endedAtMs = deps.timers.nowMs()
  await work(deps)
  await change(deps, (one) => removed(one, deps.now()))
  await work(deps)
  t.same((await stored(deps))?.metadata.finalizers, [])
  const place = keys.removedKey(key, new Date(endedAtMs).toISOString())
  t.same(deps.objects.under(keys.REMOVED_FOLDER), [place])
  deps.retention = keptFor(30)
  await eraseRemoved(deps, endedAtMs + 30 * DAY_MS)
  t.same(deps.jobs.take(), [], 'the resource is still there')
  await deps.cases.delete(key)
  await eraseRemoved(deps, endedAtMs + 30 * DAY_MS - 1)
  t.same(deps.jobs.take(), [], 'not a moment before')
  await eraseRemoved({ ...deps, retention: KEPT_FOR_EVER }, endedAtMs + 9999 * DAY_MS)
  t.same(deps.jobs.take(), [])
  await eraseRemoved(deps, endedAtMs + 30 * DAY_MS)
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: key }])
  await runJob('retention', key, deps)
  t.notOk(await deps.objects.stat(DOCUMENT))
  t.match(tombstoneOf(deps), { rule: 'retention', retentionDays: 30, erasedAt: String })
  t.same(deps.objects.under(keys.REMOVED_FOLDER), [])
})

t.test('removed cases with names of others do not keep back the erasure of one', async (t) => {
  const deps = await workerDeps()
  const empty = new Uint8Array(2)
  const { caseId } = key
  // Names that this service does not write, which sort before and after its own.
  for (const name of ['a b/c.1', `a/${caseId}.${'9'.repeat(20)}`, `../${caseId}.1`, 'zz/c.1']) {
    deps.objects.upload(`${keys.REMOVED_FOLDER}${name}`, empty)
  }
  const failing = { tenant: 'a-tenant', caseId }
  deps.objects.upload(keys.removedKey(failing, '2026-10-01T08:00:00.000Z'), empty)
  deps.objects.upload(keys.removedKey(key, '2026-10-01T08:00:00.000Z'), empty)
  const readDays = async (tenant: string) => {
    if (tenant !== key.tenant) throw new Error(`there is no tenant ${tenant}`)
    return 30
  }
  const erasing = eraseRemoved({ ...deps, retention: { readDays } }, deps.timers.nowMs())
  await t.rejects(erasing, { message: 'there is no tenant a-tenant' })
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: key }])
})

t.test('a case that was erased and is restored is removed, not erased anew', async (t) => {
  const deps = await world({ phase: 'DONE', signed: 2 }, ASKED)
  await work(deps)
  const before = tombstoneOf(deps)
  await change(deps, () => signatureCase({ phase: 'DONE', signed: 2 }))
  await work(deps)
  t.match(await erased(deps), { status: 'True' })
  t.same(tombstoneOf(deps), before)
  await moveBy(deps, ERASED_RESOURCE_LIFE_MS)
  await work(deps)
  t.notOk(await stored(deps))
})

t.test('a new case cannot have the id of one that was erased', async (t) => {
  const deps = await world({})
  const decidedAt = deps.now().toISOString()
  const tombstone: Tombstone = { version: 1, ...key, rule: 'annotation', decidedAt, objects: [] }
  uploadResult(deps.objects, TOMBSTONE, tombstone)
  for (const look of ['the first', 'the event of its own write', 'the resync']) {
    await work(deps)
    const { conditions = [] } = (await stored(deps))?.status ?? {}
    t.match(conditions, [{ type: 'Invalid', reason: 'erasedBefore' }], look)
  }
  t.same(await deps.trail.entries(key), [], 'nothing is done for it')
  await deps.objects.delete(TOMBSTONE)
  await work(deps)
  t.notSame(await deps.trail.entries(key), [], 'until the tombstone is gone')
})
