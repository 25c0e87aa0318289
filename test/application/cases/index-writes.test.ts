/** The rows of the index follow the writes of the store. */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { archivedRows, indexWrites, PAUSE_MS } from '../../../application/cases/index-writes.ts'
import type { CaseFilter, CaseIndex } from '../../../domain/ports/case-index.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { CASE_ID, CASE_KEY, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

function open(t: Test) {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  const timers = new FrozenTimers('2026-11-20T00:00:00Z')
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const cases = indexWrites(new MemoryCaseStore(), { index, timers, onError })
  const find = async (filter: CaseFilter) => {
    const asked = { tenant: TENANT, filter, sort: 'ID', limit: 9, nowMs: 0 } as const
    return (await index.find(asked)).map(({ caseId }) => caseId)
  }
  return { cases, index, timers, errors, find }
}

t.test('each write is found when it returns, until the resource is gone', async (t) => {
  const { cases, find } = open(t)
  const { status, ...made } = signatureCase({ phase: 'DONE' })
  const created = await cases.create(made)
  t.same(await find({ phases: ['NEW'] }), [CASE_ID])
  const done = await cases.replaceStatus({ ...created, status: status! })
  t.same(await find({ phases: ['DONE'] }), [CASE_ID])
  const metadata = { ...done.metadata, deletionTimestamp: '2026-11-20T00:00:00Z' }
  const held = { ...done, metadata: { ...metadata, finalizers: ['x'] } }
  const removing = await cases.replaceSpec(held)
  t.same(await find({}), [CASE_ID], 'finalizers keep it')
  const released = { ...removing.metadata, finalizers: [] }
  await cases.replaceSpec({ ...removing, metadata: released })
  t.same(await find({}), [])
})

t.test('a case that is deleted leaves its row only when it is archived', async (t) => {
  const { cases, index, find } = open(t)
  const { status: _, ...made } = signatureCase()
  await cases.create(made)
  await cases.delete(CASE_KEY)
  t.same(await find({}), [])
  const created = await cases.create(made)
  await archivedRows(index).onArchived(created)
  await cases.delete(CASE_KEY)
  t.same(await find({}), [CASE_ID])
})

t.test('an index that fails delays one write, and no others for a while', async (t) => {
  const { cases, index, timers, errors, find } = open(t)
  const real = index.put.bind(index)
  let calls = 0
  const failing: CaseIndex['put'] = () => {
    calls += 1
    return Promise.reject(new Error('away'))
  }
  index.put = failing
  const { status: _, ...made } = signatureCase()
  const created = await cases.create(made)
  t.match(errors, [{ message: 'away' }])
  const second = await cases.replaceSpec(created)
  t.equal(calls, 1)
  index.put = real
  await timers.moveTo(timers.nowMs() + PAUSE_MS)
  await cases.replaceSpec(second)
  t.same(await find({}), [CASE_ID])
})
