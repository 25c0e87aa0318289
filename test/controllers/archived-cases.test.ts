import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { SqliteCaseIndex } from '../../adapters/embedded/case-index.ts'
import { archiveCase } from '../../application/archive/archive-case.ts'
import { archivedRows, indexWrites } from '../../application/cases/index-writes.ts'
import { eraseArchived } from '../../controllers/archived-cases.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import {
  ARCHIVED_FOLDER,
  archivedFolder,
  archivedKey,
  archiveKey,
  deliveryKey,
  tombstoneKey,
} from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { uploadResult } from '../fixtures/alarms.ts'
import { KEPT_FOR_EVER, keptFor } from '../fixtures/retention.ts'
import { ENDED_AT, settledCase } from '../fixtures/settled-case.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 30
const endedMs = Date.parse(ENDED_AT)
const dueMs = endedMs + DAYS * DAY_MS

/** One archived case with a secret. */
async function archived() {
  const deps = { ...controllerDeps(ENDED_AT), retention: keptFor(DAYS) }
  await deps.secrets.create(CASE_KEY, { inputDigest: 'x' })
  deps.cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  return deps
}

t.test('`onErased` is called for each erasure, and again after an interruption', async (t) => {
  const deps = await archived()
  const erased: CaseKey[] = []
  const onErased = async (key: CaseKey) => void erased.push(key)
  await eraseArchived({ ...deps, onErased }, dueMs - 1)
  t.same(erased, [])
  await eraseArchived({ ...deps, onErased }, dueMs)
  await deps.objects.delete(archiveKey(CASE_KEY))
  await eraseArchived({ ...deps, onErased }, dueMs)
  t.same(erased, [CASE_KEY, CASE_KEY])
})

t.test('`onErased` is called for a case that was restored and then removed', async (t) => {
  const deps = await archived()
  await deps.objects.delete(archiveKey(CASE_KEY))
  const erased: CaseKey[] = []
  await eraseArchived({ ...deps, onErased: async (key) => void erased.push(key) }, dueMs)
  t.same(erased, [CASE_KEY])
  t.same(deps.objects.under(ARCHIVED_FOLDER), [])
})

const orderIn = ({ objects }: Awaited<ReturnType<typeof archived>>) =>
  objects.json<Tombstone>(tombstoneKey(CASE_KEY))

t.test('the erasure of an archived case is ordered when its time is over', async (t) => {
  const deps = await archived()
  await eraseArchived({ ...deps, retention: KEPT_FOR_EVER }, dueMs * 2)
  await eraseArchived(deps, dueMs - 1)
  t.notOk(orderIn(deps))
  await eraseArchived(deps, dueMs)
  t.match(orderIn(deps), { rule: 'retention', retentionDays: DAYS, objects: [] })
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: CASE_KEY }])
  t.notOk(await deps.secrets.get(CASE_KEY))
})

t.test('an erasure that was interrupted goes on, and its entry is removed last', async (t) => {
  const deps = await archived()
  await eraseArchived(deps, dueMs)
  deps.jobs.take()
  await deps.objects.delete(archiveKey(CASE_KEY))
  await eraseArchived(deps, dueMs + DAY_MS)
  t.match(deps.jobs.take(), [{ kind: 'retention', payload: CASE_KEY }])
  t.equal(deps.objects.under(ARCHIVED_FOLDER).length, 1)
  const order = orderIn(deps)!
  await deps.objects.delete(tombstoneKey(CASE_KEY))
  uploadResult(deps.objects, tombstoneKey(CASE_KEY), { ...order, erasedAt: ENDED_AT })
  await eraseArchived(deps, dueMs + 2 * DAY_MS)
  t.same(deps.objects.under(ARCHIVED_FOLDER), [])
  t.same(deps.jobs.take(), [])
})

t.test('the log of webhooks keeps an archived case for 90 days', async (t) => {
  const deps = await archived()
  deps.objects.upload(deliveryKey(CASE_KEY, 'e', 1), encodeJson({}))
  await eraseArchived(deps, dueMs)
  t.notOk(orderIn(deps))
  await eraseArchived(deps, endedMs + 90 * DAY_MS)
  t.ok(orderIn(deps))
})

t.test('an entry with another time, which somebody else made, erases nothing', async (t) => {
  const deps = await archived()
  deps.objects.upload(archivedKey(CASE_KEY, '2001-01-01T00:00:00.000Z'), encodeJson({}))
  deps.objects.upload(`${archivedFolder('acme')}nonsense`, encodeJson({}))
  await eraseArchived(deps, dueMs - 1)
  t.notOk(orderIn(deps))
})

t.test('a restored case is left to its resource', async (t) => {
  const deps = await archived()
  deps.cases.seed(settledCase())
  await eraseArchived(deps, dueMs)
  t.notOk(orderIn(deps))
})

t.test('tenants and cases that are not due cost two listings for each tenant', async (t) => {
  const deps = await archived()
  for (const tenant of ['other', 'third']) {
    deps.objects.upload(archivedKey({ ...CASE_KEY, tenant }, ENDED_AT), encodeJson({}))
  }
  const listed: string[] = []
  const list = deps.objects.list.bind(deps.objects)
  deps.objects.list = (prefix, options) => {
    listed.push(prefix)
    return list(prefix, options)
  }
  deps.objects.gets = []
  await eraseArchived(deps, dueMs - 1)
  t.equal(listed.length, 3 * 2 + 1)
  t.same(deps.objects.gets, [])
})

t.test('a case that fails does not keep back the others', async (t) => {
  const deps = await archived()
  const { caseId } = CASE_KEY
  const other = { tenant: 'acme', caseId: caseId.replace('7', '1') }
  deps.objects.upload(archivedKey(other, ENDED_AT), encodeJson({}))
  const get = deps.cases.get.bind(deps.cases)
  deps.cases.get = (key) => (key.caseId === caseId ? get(key) : Promise.reject(new Error('down')))
  await t.rejects(eraseArchived(deps, dueMs), /down/)
  t.ok(orderIn(deps))
})

t.test('keys of another writer hide the archived cases of no tenant', async (t) => {
  const forged = [
    // Sorts behind all entries of a tenant.
    `${archivedFolder('aaa')}\u{ffff}`,
    // It is like the folder of a tenant, and sorts before that of `TENANT`.
    `${ARCHIVED_FOLDER}${CASE_KEY.tenant.slice(0, 3)}`,
    `${ARCHIVED_FOLDER}/`,
    `${archivedFolder('AAA')}x`,
    // It sorts before all entries, and its time is after all of theirs.
    `${archivedFolder(CASE_KEY.tenant)}${'9'.repeat(16).padStart(20, '0')}.${CASE_KEY.caseId}`,
    `${archivedFolder(CASE_KEY.tenant)}${'9'.repeat(15)}.${CASE_KEY.caseId}`,
  ]
  const deps = await archived()
  for (const key of forged) deps.objects.upload(key, encodeJson({}))
  const list = deps.objects.list.bind(deps.objects)
  let listings = 0
  deps.objects.list = (...asked) => {
    listings += 1
    if (listings > 50) throw new Error('the sweep does not end')
    return list(...asked)
  }
  const retention = {
    readDays: async (tenant: string) => {
      if (tenant === CASE_KEY.tenant) return DAYS
      throw new RangeError(`there is no tenant ${tenant}`)
    },
  }
  await t.rejects(eraseArchived({ ...deps, retention }, dueMs), RangeError)
  t.match(orderIn(deps), { rule: 'retention' })
})

t.test('the index keeps the row of an archived case until its erasure', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  const deps = { ...controllerDeps(ENDED_AT), retention: keptFor(DAYS), ...archivedRows(index) }
  const onError = (error: unknown) => t.fail(String(error))
  indexWrites(deps.cases, { index, timers: deps.timers, onError })
  const find = () =>
    index.find({ tenant: CASE_KEY.tenant, filter: {}, sort: 'ID', limit: 9, nowMs: endedMs })
  await deps.cases.replaceStatus(deps.cases.seed(settledCase()))
  t.match(await find(), [{ caseId: CASE_KEY.caseId, isArchived: false }])
  t.equal(await archiveCase(CASE_KEY, () => true, deps), 'archived')
  t.match(await find(), [{ caseId: CASE_KEY.caseId, isArchived: true }])
  await eraseArchived(deps, dueMs)
  t.same(await find(), [], 'names and addresses are gone')
})
