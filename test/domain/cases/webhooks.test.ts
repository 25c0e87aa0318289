import t from 'tap'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { eventId } from '../../../domain/cases/due-audit-events.ts'
import type { SignatureFact } from '../../../domain/cases/spec.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import {
  authenticationHeaders,
  serviceSignature,
  standardSignature,
  webhookBody,
  webhookHeaders,
} from '../../../domain/cases/webhook-request.ts'
import { dueWebhooks, WEBHOOK_TYPES } from '../../../domain/cases/webhooks.ts'
import {
  callback,
  CASE_ID,
  keyring,
  participant,
  signature,
  signatureCase,
  SIGNED_AT,
  TENANT,
  VALID_UNTIL,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const [first, second] = [participant(1), participant(2)]

function pendingWork(options: CaseOptions) {
  const definition = { callback: callback(), ...options.definition }
  const value = signatureCase({ ...options, definition })
  return dueWebhooks(value, acceptedSignatures(keyring, value))
}

t.test('each end is reported by its webhook, and a rejected upload by none', async (t) => {
  const ends = PHASES.map((phase) => [phase, pendingWork({ phase }).map(({ type }) => type)])
  t.same(Object.fromEntries(ends), {
    NEW: [],
    IN_PROGRESS: [],
    DONE: ['case-completed'],
    UPLOAD_REJECTED: [],
    EXPIRED: ['case-expired'],
    CANCELLED: ['case-cancelled'],
    FAILED: ['case-failed'],
  })
  t.match(pendingWork({ phase: 'EXPIRED' }), [{ occurredAt: VALID_UNTIL }])
})

t.test('signatures are reported in the order in which they were given, then the end', async (t) => {
  const earlier = '2026-11-02T08:59:59.999Z'
  const signatures = [
    signature(first, { fieldIds: ['f1'] }),
    signature(second, { fieldIds: ['f2'], signedAt: earlier }),
  ]
  t.match(pendingWork({ phase: 'DONE', signatures }), [
    { type: 'participant-signed', participantId: second.id, occurredAt: earlier },
    { type: 'participant-signed', participantId: first.id, occurredAt: SIGNED_AT },
    { type: 'case-completed', occurredAt: '2026-11-02T09:01:00.000Z' },
  ])
})

t.test('ids follow from case, type, participant and fact, and from nothing else', async (t) => {
  const [signed, ended] = pendingWork({ phase: 'CANCELLED', signed: 1 })
  const { factId } = signature(first)
  t.equal(signed?.eventId, eventId(CASE_ID, 'webhook.participant-signed', first.id, factId))
  t.equal(ended?.eventId, eventId(CASE_ID, 'webhook.case-cancelled', undefined))
  t.equal(ended?.participantId, undefined)
  const again = pendingWork({ phase: 'CANCELLED', signed: 1, definition: { title: 'Another' } })
  t.same(again, [signed, ended])
  const ids = pendingWork({ phase: 'DONE', signed: 2 }).map((event) => event.eventId)
  t.equal(new Set(ids).size, 3)
})

t.test('a case without callback has no webhooks, and neither has a forged signature', async (t) => {
  const value = signatureCase({ phase: 'DONE', signed: 2 })
  t.same(dueWebhooks(value, acceptedSignatures(keyring, value)), [])
  const forged: SignatureFact = { ...signature(first), signedAt: '2026-11-02T09:00:00.001Z' }
  t.same(pendingWork({ phase: 'IN_PROGRESS', signatures: [forged] }), [])
})

t.test('the body is that of specification 6.2, and data comes back unchanged', async (t) => {
  const data = { order: 118, nested: { a: [1, null, 'ž'] }, '': true }
  const value = signatureCase({
    phase: 'DONE',
    signed: 1,
    definition: { callback: callback({ data: JSON.stringify(data) }) },
  })
  const [signed, completed] = dueWebhooks(value, acceptedSignatures(keyring, value))
  t.strictSame(webhookBody(signed!, value, 'IN_PROGRESS'), {
    id: signed?.eventId,
    type: 'participant-signed',
    occurredAt: SIGNED_AT,
    tenantId: TENANT,
    caseId: CASE_ID,
    status: 'IN_PROGRESS',
    data,
    participantId: first.id,
  })
  const links = { signed: 'https://x/1', evidence: 'https://x/2' }
  t.strictSame(webhookBody(completed!, value, 'DONE', links), {
    id: completed?.eventId,
    type: 'case-completed',
    occurredAt: '2026-11-02T09:01:00.000Z',
    tenantId: TENANT,
    caseId: CASE_ID,
    status: 'DONE',
    data,
    signedDocument: { url: 'https://x/1' },
    evidenceDocument: { url: 'https://x/2' },
  })
})

t.test('without data the body has none', async (t) => {
  const value = signatureCase({ phase: 'FAILED', definition: { callback: callback() } })
  const [failed] = dueWebhooks(value, [])
  t.notOk('data' in webhookBody(failed!, value, 'FAILED'))
})

t.test('headers name event, delivery and time, and are signed with the secret', async (t) => {
  const [event] = pendingWork({ phase: 'FAILED' })
  const now = new Date('2026-11-02T09:02:03.999Z')
  const sending = { event: event!, deliveryId: 'd-1', body: '{"a":"ž"}', now }
  const plain = {
    'Content-Type': 'application/json',
    'Service-Event': 'case-failed',
    'Service-Delivery': 'd-1',
    'webhook-id': event?.eventId,
    'webhook-timestamp': '1793610123',
  }
  t.strictSame(webhookHeaders(sending), plain)
  const signingSecret = 's'.repeat(32)
  const id = `${event?.eventId}`
  const seconds = 1_793_610_123
  t.strictSame(webhookHeaders({ ...sending, signingSecret }), {
    ...plain,
    'Service-Signature': serviceSignature(signingSecret, seconds, sending.body),
    'webhook-signature': standardSignature(signingSecret, { id, seconds, body: sending.body }),
  })
})

t.test('what lets a webhook in follows from authType', async (t) => {
  const secrets = { clientId: 'žába', clientSecret: 'a:b', apiKeyValue: 'key' }
  t.same(authenticationHeaders(callback(), secrets), {})
  t.same(authenticationHeaders(callback({ authType: 'BASIC' }), secrets), {
    Authorization: 'Basic xb7DoWJhOmE6Yg==',
  })
  const apiKey = callback({ authType: 'API_KEY', apiKeyHeader: 'X-Api-Key' })
  t.same(authenticationHeaders(apiKey, secrets), { 'X-Api-Key': 'key' })
  const oauth = callback({ authType: 'OAUTH_CLIENT_CREDENTIALS' })
  t.same(authenticationHeaders(oauth, secrets, 'token'), { Authorization: 'Bearer token' })
})

t.test('there are the five types of the specification', async (t) => {
  t.equal(WEBHOOK_TYPES.length, 5)
})
