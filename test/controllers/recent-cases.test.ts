/** Which cases a run takes from memory, and which it reads. */
import t from 'tap'
import { CaseRuns } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { RecentCases } from '../../controllers/recent-cases.ts'
import { Resync } from '../../controllers/resync.ts'
import { uploadKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { ERASE_ANNOTATION } from '../../domain/cases/erasure.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { ConflictError } from '../../domain/ports/stores.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { CASE_ID, CASE_KEY, signatureCase } from '../fixtures/signature-case.ts'

const LIFE_MS = 10_000

/** A store with one case, the memory in front of it, and the number of its readings. */
function world(first = signatureCase({ phase: 'IN_PROGRESS' })) {
  const cases = new MemoryCaseStore()
  const clock = { nowMs: 1_000_000 }
  const recent = new RecentCases(() => clock.nowMs)
  const counts = { reads: 0 }
  const get = cases.get.bind(cases)
  cases.get = (key) => {
    counts.reads += 1
    return get(key)
  }
  cases.watch((key, version, _isNew, read) => recent.note(key, version, read))
  const seeded = cases.seed(first)
  const store = recent.over(cases)
  const readings = async () => {
    const before = counts.reads
    const found = await store.get(CASE_KEY)
    return { found, reads: counts.reads - before }
  }
  return { cases, clock, recent, store, seeded, readings }
}

t.test('a case that was just reported is not read', async (t) => {
  const w = world()
  const { found, reads } = await w.readings()
  t.equal(reads, 0)
  t.equal(found?.metadata.resourceVersion, w.seeded.metadata.resourceVersion)
  w.clock.nowMs += LIFE_MS
  t.equal((await w.readings()).reads, 1, 'some seconds later it is')
})

t.test(
  'a late event does not replace a newer version, nor does one without a version',
  async (t) => {
    const w = world()
    const newer = await w.store.replaceStatus(w.seeded)
    w.recent.note(CASE_KEY, w.seeded.metadata.resourceVersion, () => w.seeded)
    const { found } = await w.readings()
    t.equal(found?.metadata.resourceVersion, newer.metadata.resourceVersion)
    w.recent.note(CASE_KEY, 'opaque', () => w.seeded)
    t.equal((await w.readings()).reads, 1)
  },
)

t.test('after a lost race or a deletion the case is read', async (t) => {
  const w = world()
  const stale = { ...w.seeded, metadata: { ...w.seeded.metadata, resourceVersion: '0' } }
  await t.rejects(w.store.replaceStatus(stale), ConflictError)
  t.equal((await w.readings()).reads, 1)
  await w.store.replaceStatus(w.seeded)
  t.equal((await w.readings()).reads, 0)
  await w.cases.delete(CASE_KEY)
  t.same(await w.readings(), { found: undefined, reads: 1 })
})

t.test('what comes late does not bring back a deleted case or a lost race', async (t) => {
  const w = world()
  const { resourceVersion } = w.seeded.metadata
  await w.cases.delete(CASE_KEY)
  w.recent.note(CASE_KEY, resourceVersion, () => w.seeded)
  t.same(await w.readings(), { found: undefined, reads: 1 })
  const other = world()
  const newer = await other.store.replaceStatus(other.seeded)
  await t.rejects(other.store.replaceStatus(other.seeded), ConflictError)
  other.recent.note(CASE_KEY, newer.metadata.resourceVersion, () => newer)
  t.equal((await other.readings()).reads, 1)
})

t.test('a listing is as old as its beginning', async (t) => {
  const w = world()
  const listedAtMs = w.clock.nowMs
  w.clock.nowMs += LIFE_MS
  const { resourceVersion } = w.seeded.metadata
  w.recent.note(CASE_KEY, resourceVersion, () => w.seeded, listedAtMs)
  t.equal((await w.readings()).reads, 1)
})

t.test('a case that is being deleted or erased is always read', async (t) => {
  const made = signatureCase({ phase: 'IN_PROGRESS' })
  const { metadata } = made
  const ending: Record<string, SignatureCase['metadata']> = {
    deletion: { ...metadata, deletionTimestamp: '2026-11-02T08:00:00Z' },
    erasure: { ...metadata, annotations: { [ERASE_ANNOTATION]: CASE_ID } },
  }
  for (const [what, changed] of Object.entries(ending)) {
    t.equal((await world({ ...made, metadata: changed }).readings()).reads, 1, what)
  }
})

t.test('a case that a resync lists is not read again', async (t) => {
  const deps = { ...controllerDeps('2026-11-02T08:00:01.000Z'), keepsRecentCases: true }
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS' }))
  let reads = 0
  const get = deps.cases.get.bind(deps.cases)
  deps.cases.get = (key) => {
    reads += 1
    return get(key)
  }
  const controller = buildController(deps)
  await controller.start()
  await settle()
  t.match(deps.jobs.take(), [{ kind: 'notify' }], 'it was reconciled')
  t.equal(reads, 0)
  await controller.stop()
})

t.test('none of many cases that a resync lists is read', async (t) => {
  const deps = { ...controllerDeps('2026-11-02T08:00:01.000Z'), keepsRecentCases: true }
  const { cases } = deps
  const one = signatureCase({ phase: 'IN_PROGRESS' })
  for (let index = 0; index < 1_600; index++) {
    const name = uuidV5(CASE_ID, String(index))
    cases.seed({ ...one, metadata: { ...one.metadata, name } })
  }
  let reads = 0
  const get = cases.get.bind(cases)
  cases.get = (key) => {
    reads += 1
    return get(key)
  }
  const runs = new CaseRuns(deps)
  await new Resync(runs).start()
  await runs.queue.below(0)
  t.equal(reads, 0)
  await runs.queue.close()
})

t.test('a signature that the memory does not show yet is not lost', async (t) => {
  const deps = { ...controllerDeps('2026-11-02T08:00:01.000Z'), keepsRecentCases: true }
  const { cases } = deps
  const withheld: (() => void)[] = []
  const watch = cases.watch.bind(cases)
  let isLate = false
  cases.watch = (onChange) =>
    watch((...change) => {
      if (isLate) withheld.push(() => onChange(...change))
      else onChange(...change)
    })
  const controller = buildController(deps)
  await controller.start()
  await cases.create(signatureCase())
  deps.objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.match(deps.jobs.take(), [{ kind: 'intake' }])
  cases.seed({
    ...((await cases.get(CASE_KEY)) as SignatureCase),
    ...signatureCase({ phase: 'IN_PROGRESS', signed: 1 }),
  })
  await settle()
  deps.jobs.take()
  isLate = true
  const { signatures } = signatureCase({ phase: 'IN_PROGRESS', signed: 2 }).spec
  const before = (await cases.get(CASE_KEY)) as SignatureCase
  await cases.replaceSpec({ ...before, spec: { ...before.spec, signatures } })
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.same(
    deps.jobs.take().filter(({ kind }) => kind === 'finalise'),
    [],
    'decided by memory',
  )
  for (const report of withheld) report()
  await settle()
  t.match(
    deps.jobs.take().filter(({ kind }) => kind === 'finalise'),
    [{ kind: 'finalise' }],
  )
  await controller.stop()
})
