import t from 'tap'
import type { Outcome, TenantClient } from '../../../web/console/api.ts'
import { ALL_CASES } from '../../../web/console/choice.ts'
import type { ListedCase } from '../../../web/console/use-cases.ts'
import { readChosen, withChange } from '../../../web/console/use-chosen-cases.ts'

const listed = (id: string, more: Partial<ListedCase> = {}): ListedCase => ({
  id,
  title: id,
  status: 'IN_PROGRESS',
  created: '2026-11-01T08:00:00.000Z',
  participants: [],
  originalDocument: {},
  ...more,
})
const onDay = (id: string, day: string) => listed(id, { created: `2026-11-${day}T08:00:00.000Z` })
const LIST = { items: [onDay('b', '05'), onDay('a', '03')], isCut: false }
const idsOf = (list: { items: ListedCase[] } | undefined) => list?.items.map(({ id }) => id)

type Answer = (variables: Record<string, unknown>) => Outcome<unknown>

/** A client that answers queries; `sorts` are the orders that were requested. */
function clientOf(answer: Answer) {
  const sorts: unknown[] = []
  const query = async (_: string, variables: Record<string, unknown>) => {
    sorts.push(variables['sort'])
    return answer(variables)
  }
  return { client: { query } as unknown as TenantClient, sorts }
}

const pageOf = (cases: ListedCase[], nextCursor: string | null): Outcome<unknown> => ({
  kind: 'answered',
  value: { cases: { cases, nextCursor } },
})
const REFUSED = { kind: 'refused', httpStatus: 200, code: 'INDEX_REQUIRED' } as const

t.test('a change replaces, adds or removes a row', async (t) => {
  const done = { ...onDay('a', '03'), status: 'DONE' as const }
  t.same(withChange({ caseId: 'a', case: done }, LIST, ALL_CASES)?.items[1], done)
  const change = { caseId: 'c', case: onDay('c', '04') }
  t.same(idsOf(withChange(change, LIST, ALL_CASES)), ['b', 'c', 'a'])
  t.same(idsOf(withChange({ caseId: 'b', case: null }, LIST, ALL_CASES)), ['a'])
  const choice = { ...ALL_CASES, status: 'IN_PROGRESS' as const }
  t.same(idsOf(withChange({ caseId: 'a', case: done }, LIST, choice)), ['b'], 'filtered')
  t.equal(withChange(change, undefined, ALL_CASES), undefined)
})

t.test('a case behind the end of what was read is not added', async (t) => {
  const cut = { ...LIST, isCut: true }
  t.same(idsOf(withChange({ caseId: 'c', case: onDay('c', '01') }, cut, ALL_CASES)), ['b', 'a'])
  t.same(idsOf(withChange({ caseId: 'c', case: onDay('c', '04') }, cut, ALL_CASES)), [
    'b',
    'c',
    'a',
  ])
  const changed = { ...onDay('a', '03'), title: 'A' }
  t.equal(withChange({ caseId: 'a', case: changed }, cut, ALL_CASES)?.items[1]?.title, 'A')
})

t.test('short pages are followed until a step is full, or to a limit', async (t) => {
  const short = clientOf(({ after }) =>
    after === 'last' ? pageOf([listed('b')], null) : pageOf([listed('a')], 'last'),
  )
  const outcome = await readChosen(short.client, ALL_CASES, 1)
  t.match(outcome, { value: { items: [{ id: 'a' }, { id: 'b' }], isCut: false } })
  t.same(short.sorts, ['CREATED_DESC', 'CREATED_DESC'])
  const endless = clientOf(() => pageOf([], 'next'))
  t.match(await readChosen(endless.client, ALL_CASES, 1), { value: { isCut: true } })
  t.equal(endless.sorts.length, 10)
  const full = clientOf(() =>
    pageOf(
      Array.from({ length: 100 }, () => listed('a')),
      'next',
    ),
  )
  await readChosen(full.client, ALL_CASES, 2)
  t.equal(full.sorts.length, 2, 'a full step ends the reading')
})

t.test('without an index, the cases are read by id and sorted here', async (t) => {
  const whole = clientOf(({ sort }) =>
    sort === 'ID' ? pageOf([onDay('a', '03'), onDay('b', '05')], null) : REFUSED,
  )
  const all = await readChosen(whole.client, ALL_CASES, 1)
  t.same(all, { kind: 'answered', value: LIST }, 'a complete list is in order')
  const endless = clientOf(({ sort }) => (sort === 'ID' ? pageOf([listed('a')], 'n') : REFUSED))
  const cut = await readChosen(endless.client, ALL_CASES, 1)
  t.match(cut, { value: { isCut: true, orderFault: REFUSED } }, 'a part of it is not')
})

t.test('other refusals are reported', async (t) => {
  const busy = { kind: 'refused', httpStatus: 429 } as const
  const { client, sorts } = clientOf(() => busy)
  t.same(await readChosen(client, ALL_CASES, 1), busy)
  t.equal(sorts.length, 1)
})
