import t from 'tap'
import { withChange, type ListedCase } from '../../../web/console/use-cases.ts'

const listed = (id: string, more: Partial<ListedCase> = {}): ListedCase => ({
  id,
  title: id,
  status: 'IN_PROGRESS',
  created: '2026-11-01T08:00:00.000Z',
  participants: [],
  originalDocument: {},
  ...more,
})
const LIST = { cases: [listed('b'), listed('a')], isCut: false }
const idsOf = (list: typeof LIST | undefined) => list?.cases.map(({ id }) => id)

t.test('a change replaces, adds or removes a row', async (t) => {
  const done = listed('a', { status: 'DONE' })
  t.same(withChange({ caseId: 'a', case: done }, LIST, undefined)?.cases[1], done)
  const newer = listed('c', { created: '2026-11-02T08:00:00.000Z' })
  t.same(idsOf(withChange({ caseId: 'c', case: newer }, LIST, undefined)), ['c', 'b', 'a'])
  t.same(idsOf(withChange({ caseId: 'b', case: null }, LIST, undefined)), ['a'])
  t.same(idsOf(withChange({ caseId: 'a', case: done }, LIST, 'IN_PROGRESS')), ['b'], 'filtered')
  t.equal(withChange({ caseId: 'a', case: done }, undefined, undefined), undefined)
})
