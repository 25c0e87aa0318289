/** The rows of the specification that the lane `on a cluster` does not repeat. */
import type { Row, Table } from './tables.ts'

type Rows = { readonly [T in Table]?: readonly Row<T>[] }

/**
 * Every row runs on an embedded service (lane `contract`). A row is listed here when the adapters
 * of the cluster take no part in it, or when another row or a contract suite (`test/contract/`)
 * tests the same operation of the same adapter.
 */
export const EMBEDDED_ONLY: Rows = {
  '2.1 Case': [
    // '3.1 Case status' reads these fields of cases that ended in the same way.
    'rejectReason',
    'expiredAt',
    'cancelledAt',
    'cancelReason',
    'failedAt',
    'failureReason',
  ],
  '3.1 Case status': [
    // '3.1 Transitions' reaches the same states.
    'IN_PROGRESS',
    'DONE',
  ],
  '3.1 Transitions': [
    // '3.1 Case status: UPLOAD_REJECTED' and '8 Limits: PDF size' reject uploads.
    'NEW → UPLOAD_REJECTED',
    // '4.2 to 4.6: DELETE /cases/{caseId}' cancels an ended case; the rule is in domain/.
    'an end state cannot be cancelled',
  ],
  '3.2 Participant status': [
    // '2.3 Participant: status' and 'signedAt' read a participant who signed.
    'UNSIGNED → SIGNED',
    // A rule of domain/; test/contract/case-store.ts tests concurrent writes.
    'a SIGNED participant signs again',
  ],
  '4.1 POST /cases': [
    // Schemas of requests, which the API checks before it asks an adapter. Rows of '2.1 Case' and
    // '2.3 Participant' read accepted values from the store.
    'title',
    'quickSign',
    'validUntil',
    'multiFactorType',
    'callback',
    'reminders',
    'sender',
    'participants',
    // '4.2 to 4.6: POST …/open' looks up an unknown and a known device.
    'device',
    // Identifiers are random; test/contract/case-store.ts tests that a name is taken once.
    'a retry can create a second case',
  ],
  '4.2 to 4.6': [
    // Every row reads cases; 'DELETE /cases/{caseId}' asks for a missing one.
    'GET /cases/{caseId}',
  ],
  '4.7 to 4.11': [
    // '2.11 Case definition' reads it.
    'GET /participant/{participantId}/caseDefinition',
    // '3.1 Transitions: IN_PROGRESS → DONE' signs.
    'POST /participant/{participantId}/signature',
    // 'POST /participant/{participantId}/otp/verify' requests a code first.
    'POST /participant/{participantId}/otp',
  ],
  '4.9 Sign': [
    // Schemas and rules of the API. 'signatures' and 'client' stay: they are stored.
    'encodedSignature',
    'fieldIds',
    'pageSize',
    'consent',
  ],
  '6.1 Audit events': [
    // '3.1 Transitions' waits for these events.
    'case.expired',
    'case.failed',
    // Written like 'participant.viewed'; '4.7 to 4.11: …/signedDocument' downloads.
    'participant.downloaded',
  ],
  '6.2 Webhook types': [
    // '6.2 Webhook body: type' receives both.
    'participant-signed',
    'case-completed',
    // Due and sent like 'case-cancelled'; '3.1 Transitions' reaches the states.
    'case-failed',
    'case-expired',
  ],
  '6.2 Delivery': [
    // Requests to the outside, which no adapter of the cluster sends.
    'any other status',
    'ten seconds',
    'redirects are not followed',
    // '8 Limits: Webhook retries' makes eight attempts over the same queue.
    'eight failures are dead',
  ],
  '8 Limits': [
    // test/contract/object-store.ts: an upload with a size takes what fits, and nothing longer.
    'Verification upload size',
    // 'Signed-document link validity' tests that a link of the bucket ends.
    'Signed and evidence links in webhooks',
    // '4.2 to 4.6: GET /cases/{caseId}/events' reads pages; test/contract/object-store.ts lists.
    'Events page size',
    // Ephemeral values on Redis: test/contract/small-ports.ts.
    'One-time code',
    'Sends per hour',
    'Tries per code',
    'One-time code session validity',
    // Schemas of requests, which the API checks before it asks an adapter.
    'Device name length',
    'Webhook signing secret length',
    // Requests to the outside, which no adapter of the cluster sends.
    'Webhook answer time',
    'Token cache margin',
  ],
}
