import t from 'tap'
import { EVENT_GAP_MS, MAXIMUM_PENDING, UpdateSource } from '../../../api/graphql/update-source.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'

function open(caseId?: string) {
  const timers = new FrozenTimers('2026-11-02T08:00:00.000Z')
  const seen = { ends: 0 }
  const source = new UpdateSource({ tenant: 'acme', caseId }, timers, () => seen.ends++)
  const pass = () => timers.moveTo(timers.nowMs() + EVENT_GAP_MS)
  return { source, seen, pass }
}

t.test('a case that changes several times before it is read is one change', async (t) => {
  const { source, pass } = open()
  for (const caseId of ['a', 'b', 'a']) source.add(caseId)
  t.same(await source.next(), { done: false, value: { caseId: 'a' } })
  const second = source.next()
  await pass()
  t.same(await second, { done: false, value: { caseId: 'b' } })
})

t.test('changes of other cases are left out', async (t) => {
  const { source } = open('b')
  source.add('a')
  source.add('b')
  t.same(await source.next(), { done: false, value: { caseId: 'b' } })
})

t.test('a source that is too far behind ends once', async (t) => {
  const { source, seen } = open()
  for (let count = 0; count <= MAXIMUM_PENDING; count++) source.add(`case-${count}`)
  t.same(await source.next(), { done: true, value: undefined })
  await source.return()
  t.equal(seen.ends, 1)
})

t.test('the end resolves a read that waits', async (t) => {
  const { source } = open()
  const waiting = source.next()
  source.end()
  t.same(await waiting, { done: true, value: undefined })
})
