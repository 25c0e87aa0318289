import t from 'tap'
import * as keys from '../../domain/cases/keys.ts'
import { maximumObjectBytes } from '../../domain/object-bounds.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

const MEBIBYTE = 1024 * 1024

t.test('what is small by its kind has a small bound, and a document the largest', async (t) => {
  const event = { eventId: 'e', occurredAt: '2026-11-30T00:00:00Z' }
  const at = new Date(0)
  const small = [
    keys.receiptKey(CASE_KEY, 'e'),
    keys.deliveryKey(CASE_KEY, 'e', 1),
    keys.redeliveryKey(CASE_KEY, 'e', 2),
    keys.endedWebhookKey('acme', 'dead', event),
    keys.archivedKey(CASE_KEY, event.occurredAt),
    keys.archivedLogKey(CASE_KEY, at),
    keys.removedKey(CASE_KEY, event.occurredAt),
    keys.grownTrailKey(CASE_KEY, at),
    keys.issuedKey('00'),
    'pki/revocations/00',
  ]
  for (const key of small) t.equal(maximumObjectBytes(key), MEBIBYTE / 16, key)
  const medium = [
    keys.auditKey(CASE_KEY, 1),
    keys.certificateKey(CASE_KEY, '00'),
    keys.drawingKey(CASE_KEY, '00'),
    keys.cancellationKey(CASE_KEY),
    keys.resultKey(CASE_KEY),
    keys.CANARY_KEY,
  ]
  for (const key of medium) t.equal(maximumObjectBytes(key), MEBIBYTE, key)
  t.equal(maximumObjectBytes(keys.auditHeadKey(CASE_KEY, 1)), 4 * MEBIBYTE)
  t.equal(maximumObjectBytes(keys.archiveKey(CASE_KEY)), 4 * MEBIBYTE)
  t.equal(maximumObjectBytes(keys.intakeKey(CASE_KEY)), 20 * MEBIBYTE)
  const large = [
    keys.uploadKey(CASE_KEY),
    keys.documentKey(CASE_KEY),
    keys.outcomeKey(CASE_KEY),
    keys.evidenceKey(CASE_KEY),
    keys.tombstoneKey(CASE_KEY),
    `${keys.resultKey(CASE_KEY)}.pdf`,
    keys.TRUSTED_LISTS_KEY,
  ]
  for (const key of large) t.equal(maximumObjectBytes(key), 64 * MEBIBYTE, key)
})
