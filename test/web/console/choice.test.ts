import t from 'tap'
import { ALL_CASES, comparisonOf, matches, variablesOf } from '../../../web/console/choice.ts'
import type { ListedCase } from '../../../web/console/use-cases.ts'

const LEASE: ListedCase = {
  id: 'b5ab3a9c-4c5f-4a0e-9d5c-2f0d0f7d5f11',
  title: 'Nájomná zmluva',
  status: 'IN_PROGRESS',
  created: '2026-11-10T12:00:00.000Z',
  participants: [
    { firstName: 'Peter', lastName: 'Kôň', email: 'peter@example.com', status: 'UNSIGNED' },
  ],
  originalDocument: {},
}

t.test('days become the times between which a case was created', async (t) => {
  t.same(variablesOf(ALL_CASES), { search: '', filter: {} })
  const choice = { ...ALL_CASES, firstDay: '2026-11-10', lastDay: '2026-11-10' }
  const filter = variablesOf(choice)['filter'] as Record<string, string>
  t.equal(filter['createdFrom'], new Date(2026, 10, 10).toISOString())
  t.equal(filter['createdBefore'], new Date(2026, 10, 11).toISOString(), 'the last day is included')
  const early = variablesOf({ ...ALL_CASES, firstDay: '0020-01-01' })['filter']
  t.match(early, { createdFrom: /^00(19|20)-/ }, 'a year that is still being typed')
  const late = { ...ALL_CASES, firstDay: '9999-12-31', lastDay: '9999-12-31' }
  t.notOk('createdBefore' in (variablesOf(late)['filter'] as object), 'the API reads no such year')
  t.same(variablesOf({ ...ALL_CASES, firstDay: 'today' })['filter'], {}, 'not a day')
})

t.test('a status is part of the filter', async (t) => {
  t.same(variablesOf({ ...ALL_CASES, status: 'DONE' })['filter'], { status: ['DONE'] })
})

t.test('a case matches as in the index', async (t) => {
  const isFound = (changes: Partial<typeof ALL_CASES>) =>
    matches(LEASE, { ...ALL_CASES, ...changes })
  t.ok(isFound({}))
  t.ok(isFound({ search: ' KON  zmluva ' }), 'without accents, case and order')
  t.ok(isFound({ search: 'peter kon' }))
  t.ok(isFound({ search: 'b5ab3a9c' }))
  t.notOk(isFound({ search: 'kon faktura' }), 'every word occurs')
  t.ok(isFound({ status: 'IN_PROGRESS' }))
  t.notOk(isFound({ status: 'DONE' }))
  t.ok(isFound({ firstDay: '2026-11-09', lastDay: '2026-11-11' }))
  t.notOk(isFound({ firstDay: '2026-11-12' }))
  t.notOk(isFound({ lastDay: '2026-11-08' }))
})

t.test('the order is by creation', async (t) => {
  const newer = { ...LEASE, id: 'c', created: '2026-11-11T12:00:00.000Z' }
  t.same([LEASE, newer].sort(comparisonOf('CREATED_DESC')), [newer, LEASE])
  t.same([newer, LEASE].sort(comparisonOf('CREATED_ASC')), [LEASE, newer])
})
