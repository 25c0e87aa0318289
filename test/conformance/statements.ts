/**
 * The statements in the prose of the specification, one row each, with the test that holds the
 * service to it. Rows of the tables are in `tables.ts`.
 */
import { STATEMENTS_OF_SIGNING, type Statement } from './statements-of-signing.ts'

const CASES = 'test/api/routes/cases.test.ts'
const PARTICIPANT = 'test/api/routes/participant.test.ts'
const EVENTS = 'test/api/routes/events.test.ts'
const DEVICES = 'test/api/routes/devices.test.ts'
const MAIN_JOB = 'test/e2e/main-job.test.ts'
const PROSE = 'test/conformance/prose.test.ts'
const OUTSIDE = 'test/conformance/outside.test.ts'
const RESOURCES = 'test/conformance/2-resources.test.ts'
const STATES = 'test/conformance/3-states.test.ts'
const VERIFY_JOB = 'test/workers/verification/verify.test.ts'
const SECOND_FACTOR = 'test/application/second-factor/require-factor.test.ts'
const STREAM = 'test/api/devices/stream.test.ts'

/** By section of the specification, in its order. */
export const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
  Preamble: [
    [
      'Bodies are JSON unless stated otherwise',
      PROSE,
      'answers are JSON where nothing else is stated',
    ],
    [
      'The OpenAPI document at /docs has every later addition',
      PROSE,
      'every member of an answer is in the OpenAPI document',
    ],
  ],
  '1': [
    [
      'A case starts in status NEW, and the response carries a presigned URL',
      CASES,
      '4.1: a case starts NEW, with an upload URL of one hour',
    ],
    [
      'After the upload, the participants are invited',
      MAIN_JOB,
      'the mails are there, the completion with the document',
    ],
    [
      'With quickSign, no one is invited',
      'test/e2e/timers.test.ts',
      'a quick-sign case mails no one until the tenant asks, and five times an hour',
    ],
    [
      'With device, the case opens on that kiosk',
      'test/e2e/kiosk.test.ts',
      'a case with a kiosk opens there for one after the other, and closes',
    ],
    [
      'A participant signs through a signing link',
      'test/web/sign/app.test.ts',
      'a document is signed from the link, with a code, on phone and desktop',
    ],
    [
      'The code goes by SMS or EMAIL, as multiFactorType says',
      'test/e2e/second-factor.test.ts',
      'codes go out by the SMS gateway of the configuration',
    ],
    [
      'When everyone has signed, there is a signed PDF and an evidence PDF, and the case is DONE',
      MAIN_JOB,
      'a case goes from its creation to a signed PDF and its evidence',
    ],
    [
      'The evidence PDF is a sealed summary',
      MAIN_JOB,
      'the evidence holds, also for a file that was stamped again',
    ],
    [
      'The tenant can read an audit trail of the case',
      EVENTS,
      '4.4: events come newest first, with all their fields',
    ],
    [
      'The kiosk is notified through a real-time channel',
      STREAM,
      'a kiosk that listens is notified of what was opened, with a link that works',
    ],
    [
      'Every signature of an uploaded PDF is checked',
      PROSE,
      'the verification reports every signature of a PDF',
    ],
  ],
  '2': [
    [
      'Credentials and the signing secret of a callback are not returned',
      OUTSIDE,
      'no answer and no webhook has a credential of the callback',
    ],
    [
      'The token of a device is returned once, and only its hash is kept',
      DEVICES,
      '4.5: a kiosk is registered; its token is shown once and only a digest kept',
    ],
    [
      'The case definition counts the participants without naming them',
      PARTICIPANT,
      '4.7: other participants are counted and not named',
    ],
    [
      "The case definition has the sender's name when the tenant gave one",
      PARTICIPANT,
      '4.7: who has signed sees when; a sender without a name is not shown',
    ],
    [
      'issuedByService says whether the service issued the document',
      VERIFY_JOB,
      'issuedByService: a registered revision and a valid signature of ours in it',
    ],
  ],
  '3': [
    [
      'Every state permits exactly the moves of the table',
      'test/domain/cases/lifecycle.test.ts',
      'every state takes exactly the events of the specification',
    ],
    [
      'A cancellation stops the workflow',
      'test/controllers/controller.test.ts',
      'a cancellation that lands before the result is written wins over it',
    ],
    [
      'A cancellation mail goes to invited participants',
      OUTSIDE,
      'a cancellation mails only those who were invited',
    ],
    [
      'A case that has ended cannot be cancelled',
      STATES,
      '3.1 Transitions: an end state cannot be cancelled',
    ],
    [
      'A case expires when validUntil passes',
      'test/api/expiry.test.ts',
      'a case is not EXPIRED a millisecond before validUntil',
    ],
    [
      'A SIGNED participant who signs again gets ALREADY_SIGNED',
      STATES,
      '3.2 Participant status: a SIGNED participant signs again',
    ],
  ],
  '4': [
    ['participantId is the path segment of the signing link', RESOURCES, '2.3 Participant: id'],
    [
      'Operations of tenants and participants take a bearer token in Authorization',
      PROSE,
      'the token counts in the header Authorization alone',
    ],
    [
      'caseId and participantId are UUIDs',
      CASES,
      '4.2 and 4.3: no such case, or none that is a UUID: 404 in plain text',
    ],
  ],
  '4.1': [
    [
      'What the tenant said is kept; gender and address have no place in the answer',
      CASES,
      '4.1: what the tenant said is kept; gender and address are not returned',
    ],
    [
      'callback.data is free-form and returned unchanged',
      'test/api/json-body.test.ts',
      '4.1: members of data come back by whatever name',
    ],
    [
      'Numbers in callback.data are returned unchanged',
      'test/api/json-body.test.ts',
      '4.1: a number in data comes back as it came, or is refused',
    ],
    [
      'Each authType requires its members',
      OUTSIDE,
      'a callback without the members of its authType is refused',
    ],
    [
      'tokenUrl is an https URL',
      OUTSIDE,
      'a callback without the members of its authType is refused',
    ],
    [
      'The validation of signature fields includes the rule insidePage',
      'test/api/validation.test.ts',
      'what a tenant may choose is checked',
    ],
    [
      'A device that is not of the tenant is UNKNOWN_DEVICE',
      DEVICES,
      '4.1: a case names a kiosk of its tenant',
    ],
    [
      'upload is a presigned PUT that takes application/pdf',
      'test/e2e/uploads.test.ts',
      'a presigned URL is good for its own object, method and type alone',
    ],
    [
      'A PDF of 1 KB to 25 MB is accepted, both included',
      'test/e2e/uploads.test.ts',
      'an upload counts from 1,024 to 26,214,400 octets, both included',
    ],
    ['A retry can create a second case', CASES, '4.1: a retry creates a second case'],
  ],
  '4.2': [
    [
      'The case has presigned links to the original and, once DONE, the signed document',
      CASES,
      '4.2: the documents of a DONE case come with links of 15 minutes',
    ],
    [
      '404 has a text/plain body that says that the case was not found',
      CASES,
      '4.2 and 4.3: no such case, or none that is a UUID: 404 in plain text',
    ],
  ],
  '4.3': [
    ['The body is optional', CASES, '4.3: the body may be left out or empty'],
    [
      'The response is the cancelled case with cancelledAt',
      CASES,
      '4.3: NEW and IN_PROGRESS are cancelled in the answer itself, with the reason',
    ],
    ['409 carries the status', CASES, '4.3: a case past NEW and IN_PROGRESS: 409 with its status'],
    [
      '400 for a body that is not valid',
      CASES,
      '4.3: a bad body is refused with 400, after 404 and 409',
    ],
  ],
  '4.4': [
    [
      'Events are listed newest first',
      EVENTS,
      '4.4: events come newest first, with all their fields',
    ],
    [
      'limit is a string of digits from 1 to 100',
      EVENTS,
      '4.4: limit is a string of digits from 1 to 100',
    ],
    [
      'limit is 100 by default',
      EVENTS,
      '4.4: pages of 100 when nothing is said, of any size up to 100',
    ],
    [
      'nextCursor is set while older events remain',
      EVENTS,
      '4.4: a page that ends with the first event has no cursor',
    ],
    [
      'cursor is the nextCursor of the previous page',
      EVENTS,
      '4.4: a cursor belongs to its listing',
    ],
  ],
  '4.5': [
    [
      'The name of a device has 1 to 80 characters',
      DEVICES,
      '4.5: a name has 1 to 80 characters, and strangers register nothing',
    ],
  ],
  '4.6': [
    [
      'device.open_case is published before the answer 200',
      DEVICES,
      '4.6: 200 means that the record is written and the change published',
    ],
    [
      'The event carries the signing link',
      STREAM,
      'a kiosk that listens is notified of what was opened, with a link that works',
    ],
    [
      '400 and 404 for what is missing or not valid',
      DEVICES,
      '4.6: refused: what is missing, incomplete or of another tenant',
    ],
    [
      '503 EVENTS_UNAVAILABLE when the kiosk cannot be notified',
      DEVICES,
      '4.6: 503 when the record cannot be written or the notification not published',
    ],
  ],
  '4.7': [
    [
      'The answer has the case, the participant, their fields and a link to the document',
      PARTICIPANT,
      '4.7: the case, the participant, their fields, and a link to the document',
    ],
    [
      'Once DONE, the link leads to the signed document',
      PARTICIPANT,
      '4.7: once DONE the document is the signed one',
    ],
    [
      'Without a valid session, the links are left out and otpRequired is true',
      SECOND_FACTOR,
      '5.3: without a session no link, no signature and no signed document',
    ],
    [
      '410 CASE_NOT_ACTIVE',
      PARTICIPANT,
      '4.7 to 4.9: a case that is over: 410 with its status and sender',
    ],
    ['410 LINK_EXPIRED', PARTICIPANT, '4.7 to 4.9: DONE and past validUntil: 410 LINK_EXPIRED'],
  ],
  '4.8': [
    [
      'By default, a redirect to a link of 15 minutes, downloaded as <title>-signed.pdf',
      PARTICIPANT,
      '4.8: by default a redirect to the signed PDF for 15 minutes',
    ],
    [
      'With Accept: application/json, 200 with the url',
      PARTICIPANT,
      '4.8: with Accept: application/json the link itself',
    ],
    [
      '409 NOT_COMPLETED carries the status',
      PARTICIPANT,
      '4.8: before the case is DONE: 409 with its status',
    ],
  ],
  ...STATEMENTS_OF_SIGNING,
}
