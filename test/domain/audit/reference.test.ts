/** The reference of audit events matches what is emitted: here the events of cases and visits. */
import t from 'tap'
import { AUDIT_EVENT_TYPES, type AuditEvent } from '../../../domain/audit/entry.ts'
import { AUDIT_REFERENCE } from '../../../domain/audit/reference.ts'
import { auditEvent, dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { testApi } from '../../fixtures/api.ts'
import { auditFault } from '../../fixtures/audit-fault.ts'
import { CASE_ID, signatureCase, SIGNED_AT } from '../../fixtures/signature-case.ts'

/** Events of finalising, mails, codes or declining, which are compared where these are tested. */
const ELSEWHERE = [
  'participant.invited',
  'participant.declined',
  'participant.otp_sent',
  'participant.otp_failed',
  'participant.otp_verified',
  'participant.certificate_issued',
  'participant.signature_applied',
  'case.finalised',
  'participant.certificate_revoked',
]

t.test('every type has its row, in the order of the contract', async (t) => {
  t.same(Object.keys(AUDIT_REFERENCE), AUDIT_EVENT_TYPES)
})

t.test('what cases owe and what visits leave is as the reference says', async (t) => {
  const seen = new Set<string>()
  const check = (events: readonly AuditEvent[]) => {
    for (const event of events) {
      seen.add(event.type)
      t.equal(auditFault(event), undefined, event.type)
    }
  }
  for (const phase of PHASES) {
    const cancellation = { at: SIGNED_AT, reason: 'mistake', ip: '192.0.2.1' }
    const options = phase === 'CANCELLED' ? { cancellation } : {}
    const one = signatureCase({ phase, signed: phase === 'NEW' ? 0 : 2, ...options })
    check(dueAuditEvents(one, one.spec.signatures))
  }
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  await api.asParticipant(1, 'GET', 'signedDocument')
  check((await api.ask('GET', `/cases/${CASE_ID}/events`)).json().events)
  t.same([...seen, ...ELSEWHERE].sort(), [...AUDIT_EVENT_TYPES].sort())
})

t.test('an event that differs is noticed', async (t) => {
  const event = auditEvent(CASE_ID, 'case.failed', {
    occurredAt: SIGNED_AT,
    actor: 'tenant',
    ip: '192.0.2.1',
    data: { why: 'no' },
  })
  t.equal(
    auditFault(event),
    'case.failed: the actor is tenant, ip is not documented, why is not documented, ' +
      'reason is missing',
  )
})
