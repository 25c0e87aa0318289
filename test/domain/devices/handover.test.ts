/** Which case a kiosk shows to whom. */
import t from 'tap'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { caseView } from '../../../domain/cases/lifecycle.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { isLater, nextEventId } from '../../../domain/devices/event-id.ts'
import { deviceEventOf, dueHandOver, type ObservedCase } from '../../../domain/devices/handover.ts'
import type { HandOver } from '../../../domain/devices/schema.ts'
import { HAND_OVER_LIFE_MS } from '../../../domain/limits.ts'
import { device, DEVICE_ID, deviceIdOf } from '../../fixtures/device.ts'
import {
  ACCEPTED_AT,
  CASE_ID,
  keyring,
  participant,
  signatureCase,
  SIGNED_AT,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const OTHER_CASE = '00000000-0000-4000-8000-000000000000'
const ACCEPTED_MS = Date.parse(ACCEPTED_AT)
const SIGNED_MS = Date.parse(SIGNED_AT)
const NOW_MS = SIGNED_MS + 1000
const ENDED = PHASES.filter((phase) => phase !== 'NEW' && phase !== 'IN_PROGRESS')

function see(options: CaseOptions = {}): ObservedCase {
  const value = signatureCase({ phase: 'IN_PROGRESS', ...options })
  return { signatureCase: value, view: caseView(value, acceptedSignatures(keyring, value), NOW_MS) }
}

const withKiosk = (options: CaseOptions = {}) =>
  see({ ...options, definition: { device: { deviceId: DEVICE_ID } } })

const shown = (more: Partial<HandOver> = {}): HandOver => ({
  eventId: `${NOW_MS - 1000}-0`,
  state: 'open',
  caseId: CASE_ID,
  participantId: participant(1).id,
  ...more,
})

function due(seen: ObservedCase, current?: HandOver, deviceId = DEVICE_ID) {
  const kiosk = device({ deviceId, ...(current ? { handOver: current } : {}) })
  const { eventId, ...next } = dueHandOver(seen, kiosk, NOW_MS)?.spec.handOver ?? {}
  if (eventId === undefined) return undefined
  if (current && !isLater(eventId, current.eventId)) throw new Error(`${eventId} is not later`)
  return next
}

const opened = (position: number) => ({
  state: 'open',
  caseId: CASE_ID,
  participantId: participant(position).id,
})
const closed = (reason: string, position = 1) => ({
  state: 'closed',
  caseId: CASE_ID,
  participantId: participant(position).id,
  reason,
})

t.test('the first who has not signed is opened for, then the next', async (t) => {
  t.same(due(withKiosk()), opened(1))
  t.same(due(withKiosk({ signed: 1 }), shown()), opened(2))
  t.same(due(withKiosk({ signed: 1 }), shown(closed('SIGNED') as HandOver)), opened(2))
})

t.test('a case is not opened twice for one participant', async (t) => {
  t.equal(due(withKiosk(), shown()), undefined)
  const closedByHand = shown({ state: 'closed' })
  t.equal(due(withKiosk(), closedByHand), undefined)
  t.equal(due(withKiosk({ signed: 1 }), shown({ participantId: participant(2).id })), undefined)
})

t.test('a case without a kiosk, not yet uploaded or on another kiosk opens nothing', async (t) => {
  t.equal(due(see()), undefined)
  t.equal(due(withKiosk({ phase: 'NEW' })), undefined)
  t.equal(due(withKiosk(), undefined, deviceIdOf(1)), undefined)
})

t.test('when all have signed, the last is closed and no other is opened', async (t) => {
  const last = shown({ participantId: participant(2).id })
  t.same(due(withKiosk({ signed: 2 }), last), closed('SIGNED', 2))
  t.equal(due(withKiosk({ signed: 2 })), undefined)
})

t.test('who was opened for by hand is closed when signed', async (t) => {
  const seen = see({ signed: 1, definition: { quickSign: true } })
  t.same(due(seen, shown()), closed('SIGNED'))
  t.equal(due(seen, shown({ participantId: participant(2).id })), undefined)
})

for (const phase of ENDED.filter((phase) => phase !== 'DONE')) {
  t.test(`a case that is ${phase} is closed, once, where it is shown`, async (t) => {
    const seen = see({ phase, definition: { quickSign: true } })
    t.same(due(seen, shown()), closed(phase))
    t.equal(due(seen, shown(closed(phase) as HandOver)), undefined)
    t.equal(due(seen, shown({ caseId: OTHER_CASE })), undefined)
    t.equal(due(seen), undefined)
    t.equal(due(withKiosk({ phase })), undefined, 'and opens nothing')
  })
}

t.test('a case that begins takes the kiosk from what was opened before', async (t) => {
  const before = shown({ caseId: OTHER_CASE, eventId: `${ACCEPTED_MS - 1}-0` })
  t.same(due(withKiosk(), before), opened(1))
  const since = shown({ caseId: OTHER_CASE, eventId: `${ACCEPTED_MS}-0` })
  t.equal(due(withKiosk(), since), undefined, 'a later opening has precedence')
})

t.test('the next participant does not take the kiosk from another case', async (t) => {
  const seen = withKiosk({ signed: 1 })
  const eventMs = SIGNED_MS - 1
  const theirs = { caseId: OTHER_CASE, eventId: `${eventMs}-0` }
  t.equal(due(seen, shown(theirs)), undefined)
  t.same(due(seen, shown({ ...theirs, state: 'closed' })), opened(2))
  const stale = `${NOW_MS - HAND_OVER_LIFE_MS - 1}-0`
  t.same(due(seen, shown({ ...theirs, eventId: stale })), opened(2))
})

t.test('what is open is reported with the title', async (t) => {
  const title = 'Zmluva o dielo'
  t.same(deviceEventOf(shown(), see(), NOW_MS), { type: 'device.open_case', title })
  const old = shown({ eventId: `${NOW_MS - HAND_OVER_LIFE_MS}-0` })
  t.same(deviceEventOf(old, see(), NOW_MS), { type: 'device.open_case', title })
})

t.test('what is stale, signed, over or gone is reported as closed', async (t) => {
  const type = 'device.close_case'
  const stale = shown({ eventId: `${NOW_MS - HAND_OVER_LIFE_MS - 1}-0` })
  t.same(deviceEventOf(stale, see(), NOW_MS), { type })
  t.same(deviceEventOf(shown(), undefined, NOW_MS), { type })
  t.same(deviceEventOf(shown(), see({ signed: 1 }), NOW_MS), { type, reason: 'SIGNED' })
  for (const reason of ENDED.filter((phase) => phase !== 'DONE')) {
    t.same(deviceEventOf(shown(), see({ phase: reason }), NOW_MS), { type, reason })
  }
  const ended = shown({ state: 'closed', reason: 'EXPIRED' })
  t.same(deviceEventOf(ended, see(), NOW_MS), { type, reason: 'EXPIRED' })
  t.same(deviceEventOf(shown({ state: 'closed' }), see(), NOW_MS), { type })
})

t.test('event ids ascend whatever the clock does', async (t) => {
  t.equal(nextEventId(undefined, 5), '5-0')
  t.equal(nextEventId('4-9', 5), '5-0')
  t.equal(nextEventId('5-9', 5), '5-10')
  t.equal(nextEventId('7-0', 5), '7-1', 'a clock that went back')
  t.equal(nextEventId('nonsense', 5), '5-0')
})

t.test('ids are compared as numbers, and an invalid id precedes all others', async (t) => {
  for (const [later, than] of [
    ['5-10', '5-9'],
    ['10-0', '9-9'],
    ['5-0', undefined],
    ['5-0', 'x'],
    ['5-0', ''],
  ] as const) {
    t.ok(isLater(later, than), `${later} ${than}`)
    if (than !== undefined) t.notOk(isLater(than, later))
  }
  t.notOk(isLater('5-0', '5-0'))
  t.notOk(isLater('x', 'y'))
})
