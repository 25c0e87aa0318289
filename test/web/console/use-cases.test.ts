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

t.test('a change replaces, adds or removes a case', async (t) => {
  const done = listed('a', { status: 'DONE' })
  t.same(withChange({ caseId: 'a', case: done }, LIST)?.cases, [listed('b'), done])
  t.same(idsOf(withChange({ caseId: 'c', case: listed('c') }, LIST)), ['b', 'a', 'c'])
  t.same(idsOf(withChange({ caseId: 'b', case: null }, LIST)), ['a'])
  t.equal(withChange({ caseId: 'a', case: done }, undefined), undefined)
})
