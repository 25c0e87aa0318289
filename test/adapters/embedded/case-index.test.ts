/** The index of cases in SQLite, and that the store keeps it in step. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { SqliteCaseStore } from '../../../adapters/embedded/case-store.ts'
import type { CaseFilter } from '../../../domain/ports/case-index.ts'
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
