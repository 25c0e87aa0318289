/** The mails that are due in every phase and as time goes by. */
import t from 'tap'
import { caseView } from '../../../domain/cases/lifecycle.ts'
import { eventId } from '../../../domain/cases/due-audit-events.ts'
import { nextReminderMs, dueMails } from '../../../domain/cases/due-mails.ts'
import {
  CASE_ID,
  participant,
  signatureCase,
  SIGNED_AT,
  VALID_UNTIL,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const NOW_MS = Date.parse(SIGNED_AT)
const DAY_MS = 24 * 60 * 60 * 1000

const invitation = (position: number, requestId?: string) =>
  eventId(CASE_ID, 'mail.invitation', participant(position).id, requestId)

/** @param receipts ids, of mails that went out at {@link NOW_MS} */
const given = (options: CaseOptions, receipts: string[], nowMs: number) => {
  const one = signatureCase(options)
  const view = caseView(one, one.spec.signatures, nowMs)
  return [one, view, new Map(receipts.map((id) => [id, NOW_MS])), nowMs] as const
}

const mails = (options: CaseOptions, receipts: string[] = [], nowMs = NOW_MS) =>
  dueMails(...given(options, receipts, nowMs)).map(
    ({ type, participantId, reminder = '' }) =>
      `${type}${reminder} ${participantId === participant(1).id ? 1 : 2}`,
  )

t.test('invitations are due for participants who have not signed and want mail', async (t) => {
  t.same(mails({ phase: 'IN_PROGRESS' }), ['invitation 1', 'invitation 2'])
  t.same(mails({ phase: 'IN_PROGRESS', signed: 1 }), ['invitation 2'])
  const participants = [participant(1, { notify: false }), participant(2)]
  t.same(mails({ phase: 'IN_PROGRESS', participants }), ['invitation 2'])
  t.same(mails({ phase: 'IN_PROGRESS', definition: { quickSign: true } }), [])
  t.same(mails({ phase: 'NEW' }), [])
})

t.test('the end is mailed to whom it concerns (S15)', async (t) => {
  t.same(mails({ phase: 'DONE', signed: 2 }), ['completion 1', 'completion 2'])
  t.same(mails({ phase: 'CANCELLED' }), [], 'no one was invited')
  t.same(mails({ phase: 'CANCELLED' }, [invitation(2)]), ['cancellation 2'])
  t.same(mails({ phase: 'EXPIRED' }, [invitation(1)]), ['expiry 1'])
  t.same(mails({ phase: 'UPLOAD_REJECTED' }, [invitation(1)]), [])
  t.same(mails({ phase: 'FAILED', signed: 2 }), ['failure 1', 'failure 2'])
  const quiet = [participant(1, { notify: false }), participant(2)]
  t.same(mails({ phase: 'FAILED', signed: 2, participants: quiet }), ['failure 2'])
})

const REMINDED: CaseOptions = {
  phase: 'IN_PROGRESS',
  definition: { reminders: { afterDays: [7, 1, 1, 0.5, 40] } },
}
const INVITED = [invitation(1), invitation(2)]
const INVITATIONS = ['invitation 1', 'invitation 2']
const reminders = (options: CaseOptions, days: number, receipts = INVITED) =>
  mails(options, receipts, NOW_MS + days * DAY_MS).filter((mail) => mail.startsWith('reminder'))
const nextDays = (options: CaseOptions, days: number, receipts = INVITED) => {
  const dueMs = nextReminderMs(...given(options, receipts, NOW_MS + days * DAY_MS))
  return dueMs === undefined ? undefined : (dueMs - NOW_MS) / DAY_MS
}

t.test('a reminder is due from its day on, counted from the invitation', async (t) => {
  t.same(mails(REMINDED, INVITED), INVITATIONS, 'none at once')
  t.same(reminders(REMINDED, 0.5 - 1e-6), [])
  t.same(reminders(REMINDED, 0.5), ['reminder0.5 1', 'reminder0.5 2'])
  t.same(reminders(REMINDED, 1), ['reminder1 1', 'reminder1 2'])
  t.same(reminders(REMINDED, 6.9), ['reminder1 1', 'reminder1 2'])
  t.same(reminders(REMINDED, 7), ['reminder7 1', 'reminder7 2'])
})

t.test('after an outage only the newest reminder is due, not each that was missed', async (t) => {
  t.same(reminders(REMINDED, 20), ['reminder7 1', 'reminder7 2'])
})

t.test('each reminder has an id of its own that follows from its day', async (t) => {
  const idAt = (days: number) =>
    dueMails(...given(REMINDED, INVITED, NOW_MS + days * DAY_MS)).find(
      ({ type }) => type === 'reminder',
    )?.eventId
  t.equal(idAt(1), eventId(CASE_ID, 'mail.reminder', participant(1).id, '1'))
  t.equal(idAt(1), idAt(3))
  t.not(idAt(1), idAt(7))
})

t.test(
  'a participant who was not invited, has signed, or gets no mail is not reminded (S15)',
  async (t) => {
    t.same(reminders(REMINDED, 7, []), [])
    t.same(reminders(REMINDED, 7, [invitation(2)]), ['reminder7 2'])
    t.same(reminders({ ...REMINDED, signed: 1 }, 7), ['reminder7 2'])
    const participants = [participant(1, { notify: false }), participant(2)]
    t.same(reminders({ ...REMINDED, participants }, 7), ['reminder7 2'])
    const { definition } = REMINDED
    t.same(reminders({ ...REMINDED, definition: { ...definition, quickSign: true } }, 7), [])
  },
)

t.test('no one is reminded at the end or after it', async (t) => {
  const endDays = (Date.parse(VALID_UNTIL) - NOW_MS) / DAY_MS
  t.same(reminders(REMINDED, endDays - 1e-6).length, 2)
  t.same(reminders(REMINDED, endDays), [], 'while the grace of expiry runs')
  const atTheEnd = { reminders: { afterDays: [endDays] } }
  t.equal(nextDays({ ...REMINDED, definition: atTheEnd }, 0), undefined)
  for (const phase of ['DONE', 'CANCELLED', 'EXPIRED', 'FAILED'] as const) {
    t.same(reminders({ ...REMINDED, phase, signed: phase === 'DONE' ? 2 : 0 }, 7), [], phase)
  }
})

t.test('no one is invited while the grace of expiry runs', async (t) => {
  const endMs = Date.parse(VALID_UNTIL)
  t.same(mails({ phase: 'IN_PROGRESS' }, [], endMs - 1), INVITATIONS)
  t.same(mails({ phase: 'IN_PROGRESS' }, [], endMs), [])
  const invitations = [request(1, 'r1')]
  const [one, ...rest] = given({ phase: 'IN_PROGRESS' }, [], endMs)
  t.same(dueMails({ ...one, spec: { ...one.spec, invitations } }, ...rest), [])
})

t.test('the next reminder is the first that lies ahead', async (t) => {
  t.equal(nextDays(REMINDED, 0), 0.5)
  t.equal(nextDays(REMINDED, 0.5), 1)
  t.equal(nextDays(REMINDED, 1), 7)
  t.equal(nextDays(REMINDED, 7), undefined, '40 days lie after the end')
  t.equal(nextDays(REMINDED, 0, []), undefined)
  t.equal(nextDays({ ...REMINDED, signed: 2 }, 0), undefined)
})

const request = (position: number, requestId: string) => ({
  requestId,
  participantId: participant(position).id,
  at: SIGNED_AT,
  ip: '192.0.2.1',
})

t.test('an invitation that the tenant requested is due whatever the case says', async (t) => {
  const invitations = [request(1, 'r1'), request(1, 'r2')]
  const asked = (options: CaseOptions) => {
    const [one, ...rest] = given(options, [], NOW_MS)
    return dueMails({ ...one, spec: { ...one.spec, invitations } }, ...rest)
  }
  const participants = [participant(1, { notify: false }), participant(2)]
  for (const definition of [{ quickSign: true }, {}]) {
    const due = asked({ phase: 'IN_PROGRESS', participants, definition })
    const ids = due.flatMap(({ request: asking, eventId: id }) => (asking ? [id] : []))
    t.same(ids, [invitation(1, 'r1'), invitation(1, 'r2')])
  }
  t.same(asked({ phase: 'NEW' }), [])
  t.same(asked({ phase: 'CANCELLED' }), [])
  const signed = asked({ phase: 'IN_PROGRESS', signed: 1 })
  t.same(
    signed.map(({ participantId }) => participantId),
    [participant(2).id],
  )
})

t.test(
  'a participant who was invited on request alone gets the mail of the end as well',
  async (t) => {
    const [one, view, , nowMs] = given(
      { phase: 'CANCELLED', definition: { quickSign: true } },
      [],
      NOW_MS,
    )
    const spec = { ...one.spec, invitations: [request(2, 'r1')] }
    const receipts = new Map([[invitation(2, 'r1'), NOW_MS]])
    const due = dueMails({ ...one, spec }, view, receipts, nowMs)
    t.match(due, [{ type: 'cancellation', participantId: participant(2).id }])
    t.equal(due.length, 1)
  },
)
