/** The index of cases in SQLite, and that the store keeps it in step. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { SqliteCaseStore } from '../../../adapters/embedded/case-store.ts'
import { selectCases } from '../../../adapters/shared/case-query.ts'
import { CASE_SORTS, type CaseFilter, type CaseSort } from '../../../domain/ports/case-index.ts'
import { caseIndexContract } from '../../contract/case-index.ts'
import { CASE_KEY, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const now = () => new Date()

caseIndexContract('SqliteCaseIndex', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  return new SqliteCaseIndex(database)
})

function openStore(t: Test, path: string): SqliteCaseStore {
  const store = new SqliteCaseStore(path, now)
  t.teardown(() => store.close())
  return store
}

const idsOf = async ({ index }: SqliteCaseStore, filter: CaseFilter) => {
  const asked = { tenant: TENANT, filter, sort: 'ID', limit: 9, nowMs: 0 } as const
  return (await index.find(asked)).map(({ caseId }) => caseId)
}

t.test('each write of the store is found at once', async (t) => {
  const store = openStore(t, join(t.testdir(), 'cases.sqlite'))
  const { status, ...made } = signatureCase({ phase: 'DONE' })
  const { caseId } = CASE_KEY
  const created = await store.create(made)
  t.same(await idsOf(store, { phases: ['NEW'] }), [caseId])
  const done = await store.replaceStatus({ ...created, status: status! })
  t.same(await idsOf(store, { phases: ['NEW'] }), [])
  t.same(await idsOf(store, { phases: ['DONE'], words: ['stastny'] }), [caseId])
  const erasure = { rule: 'annotation', decidedAt: '2026-11-20T00:00:00.000Z' } as const
  await store.replaceStatus({ ...done, status: { ...status!, erasure } })
  t.same(await idsOf(store, { words: ['stastny'] }), [], 'an erased case has no personal data')
  t.same(await idsOf(store, { phases: ['DONE'] }), [caseId])
  await store.delete(CASE_KEY)
  t.same(await idsOf(store, {}), [])
})

t.test('a write that loses its race changes no row', async (t) => {
  const store = openStore(t, join(t.testdir(), 'cases.sqlite'))
  const { status, ...made } = signatureCase({ phase: 'DONE' })
  const created = await store.create(made)
  await store.replaceSpec(created)
  await t.rejects(store.replaceStatus({ ...created, status: status! }))
  await t.rejects(store.create(made))
  t.same(await idsOf(store, { phases: ['NEW'] }), [CASE_KEY.caseId])
})

t.test('cases of a version without the index get their rows when it opens', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const { status: _, ...made } = signatureCase()
  const before = new SqliteCaseStore(path, now)
  for (let n = 0; n < 600; n++) {
    await before.create({ ...made, metadata: { name: `case-${n}`, namespace: TENANT } })
  }
  before.close()
  const database = new DatabaseSync(path)
  database.exec("DELETE FROM case_row WHERE case_id <> 'case-7'")
  database.exec('UPDATE case_row SET version = 0')
  database.close()
  const { index } = openStore(t, path)
  t.equal((await index.listLiving(1_000)).length, 600)
})

t.test('each page is a range of an index that has all columns', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const open = new SqliteCaseIndex(database)
  t.ok(open)
  const planOf = (filter: CaseFilter, sort: CaseSort) => {
    const after = { caseId: 'c', createdMs: 5 }
    const query = { tenant: TENANT, filter, sort, limit: 20, nowMs: 0, after }
    const { sql, values } = selectCases('case_row', query)
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
    return plan.map(({ detail }) => String(detail))
  }
  const filters: CaseFilter[] = [
    {},
    { phases: ['DONE'] },
    { isArchived: true },
    { isArchived: true, phases: ['DONE'] },
    { createdFromMs: 1, createdBeforeMs: 9 },
  ]
  for (const filter of filters) {
    for (const sort of CASE_SORTS) {
      if (sort === 'ID' && filter.createdFromMs !== undefined) continue
      const plan = planOf(filter, sort)
      const name = `${JSON.stringify(filter)} ${sort}: ${plan.join('; ')}`
      t.equal(plan.length, 1, name)
      // Without a filter, pages by id are read from the store and not from the index.
      const isRange = sort === 'ID' && Object.keys(filter).length === 0
      t.match(plan[0], isRange ? /^SEARCH / : /^SEARCH case_row USING COVERING INDEX /, name)
    }
  }
})
