/** A resync brings the index up to date, and goes on without it. */
import t from 'tap'
import { IndexResync } from '../../controllers/index-resync.ts'
import type { CaseIndex, CaseRow } from '../../domain/ports/case-index.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { CASE_ID, CASE_KEY, signatureCase } from '../fixtures/signature-case.ts'

const cases = new MemoryCaseStore()

t.test('without an index nothing happens', async (t) => {
  const log = { warn: () => t.fail('nothing to warn of') }
  const resync = new IndexResync({ cases, log })
  await t.resolves(resync.add([signatureCase()]))
  await t.resolves(resync.removeGone())
})

t.test('rows are written, and those of missing cases removed', async (t) => {
  const rows: CaseRow[] = []
  const removed: string[] = []
  const gone = { ...CASE_KEY, caseId: 'gone' }
  const index = {
    put: async (given: readonly CaseRow[]) => void rows.push(...given),
    remove: async ({ caseId }: { caseId: string }) => void removed.push(caseId),
    listLiving: async (_: number, after?: object) => (after ? [] : [CASE_KEY, gone]),
  } as unknown as CaseIndex
  const resync = new IndexResync({ cases, index, log: { warn: () => t.fail() } })
  await resync.add([signatureCase()])
  await resync.removeGone()
  t.match(rows, [{ caseId: CASE_ID }])
  t.same(removed, ['gone'])
})

t.test('after a failure, the rest of the resync is without the index', async (t) => {
  const warnings: string[] = []
  let calls = 0
  const index = {
    put: () => {
      calls += 1
      return Promise.reject(new Error('away'))
    },
  } as unknown as CaseIndex
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const resync = new IndexResync({ cases, index, log })
  await resync.add([signatureCase()])
  await resync.add([signatureCase()])
  await resync.removeGone()
  t.equal(calls, 1)
  t.same(warnings, ['the index of cases could not be updated'])
})
