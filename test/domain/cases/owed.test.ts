/** What a case owes, in every phase. */
import t from 'tap'
import { caseView } from '../../../domain/cases/lifecycle.ts'
import { eventId, owedAuditEvents, owedMails } from '../../../domain/cases/owed.ts'
import { PHASES, type Phase } from '../../../domain/cases/schema.ts'
import {
  CASE_ID,
  participant,
  signatureCase,
  SIGNED_AT,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const NOW_MS = Date.parse(SIGNED_AT)
const CREATION = ['case.created', 'participant.created', 'participant.created']
const SIGNING = ['participant.consented', 'participant.signed']

const types = (options: CaseOptions) => {
  const one = signatureCase(options)
  return owedAuditEvents(one, one.spec.signatures).map(({ type }) => type)
}

const mails = (options: CaseOptions, receipts: string[] = []) => {
  const one = signatureCase(options)
  const view = caseView(one, one.spec.signatures, NOW_MS)
  return owedMails(one, view, new Set(receipts)).map(
    ({ type, participantId }) => `${type} ${participantId === participant(1).id ? 1 : 2}`,
  )
}

const invitation = (position: number) =>
  eventId(CASE_ID, 'mail.invitation', participant(position).id)

t.test('the trail is owed what each phase shows', async (t) => {
  const owed: Readonly<Record<Phase, string[]>> = {
    NEW: CREATION,
    IN_PROGRESS: [...CREATION, 'document.uploaded'],
    DONE: [...CREATION, 'document.uploaded', ...SIGNING, ...SIGNING, 'case.completed'],
    UPLOAD_REJECTED: [...CREATION, 'document.rejected'],
    EXPIRED: [...CREATION, 'document.uploaded', 'case.expired'],
    CANCELLED: [...CREATION, 'document.uploaded', 'case.cancelled'],
    FAILED: [...CREATION, 'document.uploaded', ...SIGNING, ...SIGNING, 'case.failed'],
  }
  for (const phase of PHASES) {
    const signed = phase === 'DONE' || phase === 'FAILED' ? 2 : 0
    t.same(types({ phase, signed }), owed[phase], phase)
  }
})

t.test('events have ids of their own that follow from the case', async (t) => {
  const one = signatureCase({ phase: 'DONE', signed: 2 })
  const ids = owedAuditEvents(one, one.spec.signatures).map((event) => event.eventId)
  t.equal(new Set(ids).size, ids.length)
  t.same(
    owedAuditEvents(one, one.spec.signatures).map((event) => event.eventId),
    ids,
  )
})

t.test('invitations are owed to those who have not signed and want mail', async (t) => {
  t.same(mails({ phase: 'IN_PROGRESS' }), ['invitation 1', 'invitation 2'])
  t.same(mails({ phase: 'IN_PROGRESS', signed: 1 }), ['invitation 2'])
  const participants = [participant(1, { notify: false }), participant(2)]
  t.same(mails({ phase: 'IN_PROGRESS', participants }), ['invitation 2'])
  t.same(mails({ phase: 'IN_PROGRESS', definition: { quickSign: true } }), [])
  t.same(mails({ phase: 'NEW' }), [])
})

t.test('the end is told to whom it concerns', async (t) => {
  t.same(mails({ phase: 'DONE', signed: 2 }), ['completion 1', 'completion 2'])
  t.same(mails({ phase: 'CANCELLED' }), [], 'nobody was invited')
  t.same(mails({ phase: 'CANCELLED' }, [invitation(2)]), ['cancellation 2'])
  t.same(mails({ phase: 'EXPIRED' }, [invitation(1)]), ['expiry 1'])
  t.same(mails({ phase: 'UPLOAD_REJECTED' }, [invitation(1)]), [])
  t.same(mails({ phase: 'FAILED' }, [invitation(1)]), [])
})
