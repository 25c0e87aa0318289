/**
 * The statements in the prose of the specification, one row each, with the test that holds the
 * service to it. Rows of the tables are in `tables.ts`.
 */

/** A statement, the test file, and the title of the test in it. */
export type Statement = readonly [says: string, file: string, title: string]

const CASES = 'test/api/routes/cases.test.ts'
const PARTICIPANT = 'test/api/routes/participant.test.ts'
const CODES = 'test/api/routes/codes.test.ts'
const EVENTS = 'test/api/routes/events.test.ts'
const DEVICES = 'test/api/routes/devices.test.ts'
const SIGN = 'test/api/sign.test.ts'
const TOKENS = 'test/api/tokens.test.ts'
const MAIN_JOB = 'test/e2e/main-job.test.ts'
const PROSE = 'test/conformance/prose.test.ts'
const STATES = 'test/conformance/3-states.test.ts'
const AUTHENTICATION = 'test/conformance/5-authentication.test.ts'
const WEBHOOKS = 'test/conformance/6-events.test.ts'
const ERRORS = 'test/conformance/7-errors.test.ts'
const LIMITS = 'test/conformance/8-limits.test.ts'
const VERIFICATION = 'test/conformance/verification.test.ts'
const VERIFY_JOB = 'test/workers/verification/verify.test.ts'
const WEBHOOK_JOB = 'test/workers/webhook/webhook.test.ts'
const ATTEMPT = 'test/workers/webhook/attempt.test.ts'
const ACCESS_TOKENS = 'test/workers/oauth/access-tokens.test.ts'
const SECOND_FACTOR = 'test/api/second-factor.test.ts'
const STREAM = 'test/api/devices/stream.test.ts'

/** By section of the specification, in its order. */
export const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
  Preamble: [
    [
      'Bodies are JSON unless stated otherwise',
      PROSE,
      'answers are JSON where nothing else is stated',
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
      'With quickSign, nobody is invited',
      'test/e2e/timers.test.ts',
      'a quick-sign case mails nobody until the tenant asks, and five times an hour',
    ],
    [
      'With device, the case opens on that kiosk',
      'test/e2e/kiosk.test.ts',
      'a case with a kiosk opens there for one after the other, and closes',
    ],
    [
      'A participant signs through a signing link',
      'test/web/signing.test.ts',
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
      '4.4: events come newest first, with all that is told of them',
    ],
    [
      'The kiosk is told through a real-time channel',
      STREAM,
      'a kiosk that listens is told what was opened, with a link that works',
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
      'test/api/callback.test.ts',
      'secrets are kept apart: not in the case, not in an answer, not in the log',
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
      'test/workers/notify.test.ts',
      'cancellation and expiry reach those who were invited',
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
      'test/api/callback.test.ts',
      'each authType requires its members',
    ],
    [
      'tokenUrl is an https URL',
      'test/api/callback.test.ts',
      'addresses are http or https, of tokens https, without user and fragment',
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
      '4.4: events come newest first, with all that is told of them',
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
      '4.6: 200 means that the record is written and the bell rung',
    ],
    [
      'The event carries the signing link',
      STREAM,
      'a kiosk that listens is told what was opened, with a link that works',
    ],
    [
      '400 and 404 for what is not there or not valid',
      DEVICES,
      '4.6: refused: what is not there, not whole or not theirs',
    ],
    [
      '503 EVENTS_UNAVAILABLE when the kiosk cannot be told',
      DEVICES,
      '4.6: 503 when the record cannot be written or the bell not rung',
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
  '4.9': [
    [
      'The signature is stored with the consent',
      SIGN,
      '4.9: a signature is stored with consent, client and origin, and shows at once',
    ],
    [
      'signatures is used when fieldIds is absent',
      SIGN,
      '4.9: fieldIds go before signatures; neither means all predefined fields',
    ],
    [
      'The workflow resumes, also for the last two signatures at one instant',
      MAIN_JOB,
      'the last two signatures at the same instant both count',
    ],
    ['The response has no body', PROSE, 'an accepted signature is answered with 200 and no body'],
    ['409 ALREADY_SIGNED', SIGN, '4.9: a second signature: 409, also before the body is looked at'],
  ],
  '4.10': [
    [
      'The code has six digits and goes through the channel; the destination is masked',
      CODES,
      '4.10: a code goes by mail; channel, masked address and end are told',
    ],
    ['The code goes as SMS', CODES, '4.10: a code goes as SMS, to the digits of the number'],
    ['A code is valid for ten minutes', CODES, '8: a code works for ten minutes, to the second'],
    [
      'A new code replaces the previous',
      CODES,
      '7: a code that was replaced is no wrong try: 409 OTP_EXPIRED',
    ],
    [
      'At most five codes in an hour',
      CODES,
      '8: five codes in a sliding hour, and how long to wait, to the second',
    ],
    [
      'The errors of the operation',
      CODES,
      'refusals in order: 401, 404, 401 while NEW, 410, and the body at last',
    ],
  ],
  '4.11': [
    [
      'The right code is used up',
      CODES,
      '4.11: the right code gives a session for half an hour, once',
    ],
    [
      'A code that is not exactly six digits is a validation error',
      CODES,
      '4.11: a body that is no code is refused behind 409 and 423, and is no try',
    ],
    [
      'OTP_INVALID carries attemptsLeft',
      CODES,
      '7: a wrong code tells how many tries are left, then 423 until a new one',
    ],
  ],
  '4.12': [
    [
      'The uploaded PDF is accepted under its key by 4.13',
      VERIFICATION,
      '4.12 Upload for verification: the upload is accepted under the key',
    ],
  ],
  '4.13': [
    [
      'No Authorization header is needed',
      VERIFICATION,
      '4.13 POST /verify: no Authorization header',
    ],
    [
      "Signatures are validated against the service's own root",
      VERIFY_JOB,
      'a document under our own root passes without asking anybody',
    ],
    [
      'Signatures are validated against the EU trusted lists',
      VERIFY_JOB,
      'a service of the trusted lists is an anchor, and says what the signature is',
    ],
    [
      'The upload is deleted afterwards',
      VERIFICATION,
      '4.13 POST /verify: the upload is deleted afterwards',
    ],
    [
      'An upload that expired is not found',
      'test/api/verify.test.ts',
      'an upload of an hour ago is not there any more',
    ],
  ],
  '5.1': [
    [
      'A missing or invalid token gives 401 with the message alone',
      AUTHENTICATION,
      '5.1 to 5.5: tenant routes',
    ],
    [
      'A case of another tenant answers 404',
      'test/api/other-tenants.test.ts',
      "another tenant's ids read as ids of nothing, on every route, however spelt",
    ],
  ],
  '5.2': [
    [
      'A signing link is valid only for its own participant',
      TOKENS,
      'a link to a participant of another case or tenant finds nothing',
    ],
    [
      'A forged token gives 401',
      TOKENS,
      'a token that we did not give out opens no participant route',
    ],
    [
      'A link that is not active before the upload gives 401',
      CODES,
      'refusals in order: 401, 404, 401 while NEW, 410, and the body at last',
    ],
  ],
  '5.3': [
    [
      'Service-Otp-Session opens the links, the signature and the signed document',
      SECOND_FACTOR,
      '5.3: with a session all three',
    ],
    [
      'A session is valid for 30 minutes, for its participant alone',
      SECOND_FACTOR,
      '5.3: a session opens for its participant and case alone, and ends to the second',
    ],
    ['Service-Pin is used without multiFactorType', AUTHENTICATION, '5.1 to 5.5: Service-Pin'],
  ],
  '5.4': [
    [
      'The verification routes are throttled',
      'test/api/throttle.test.ts',
      'an address has so many requests in a minute on public routes, then 429',
    ],
  ],
  '5.5': [
    [
      'A device token opens its own channel only',
      'test/api/devices/authentication.test.ts',
      'only the token of the device opens its channel',
    ],
  ],
  '5.6': [
    [
      'Both ways of client authentication have the form of the standard',
      ACCESS_TOKENS,
      'the request of either method, as the standard has it',
    ],
    [
      'The answer must carry access_token, and token_type Bearer if present',
      ACCESS_TOKENS,
      'an answer without a bearer token that fits a header is a refusal',
    ],
    [
      'The token is cached until 60 seconds before expiry',
      ACCESS_TOKENS,
      'a token is kept until 60 s before it expires',
    ],
    [
      'After a 401, a new token is fetched and the request is sent once more at once',
      ATTEMPT,
      'OAuth: 401, a new token, one resend at once that is not counted',
    ],
    [
      'A token endpoint that is down makes the delivery retryable, a refusal fails it',
      ATTEMPT,
      'OAuth: a token endpoint that is down is retried, one that refuses is final',
    ],
    [
      'Service-Signature is over t, a dot and the raw body',
      ATTEMPT,
      't is fresh at every attempt, and both signatures are over the body as sent',
    ],
  ],
  '6.1': [
    ['Consent given at signing is recorded', WEBHOOKS, '6.1 Audit events: participant.consented'],
    [
      'Actors are tenant, participant and system',
      'test/domain/audit/reference.test.ts',
      'what cases owe and what visits leave is as the reference says',
    ],
  ],
  '6.2': [
    [
      'id is the same on every attempt, and Service-Delivery is new',
      WEBHOOK_JOB,
      'a redelivery is a new round: same id, new delivery, and the list is put right',
    ],
    [
      'status is that of the delivery; links of DONE work for one hour',
      ATTEMPT,
      'status is that of the delivery, and DONE brings links of an hour',
    ],
    ['The endpoint has ten seconds to answer', WEBHOOKS, '6.2 Delivery: ten seconds'],
    ['Redirects are not followed', WEBHOOKS, '6.2 Delivery: redirects are not followed'],
    [
      'At most eight attempts, every 90 seconds, and then the event is dead',
      WEBHOOK_JOB,
      'it is retried every 90 seconds, eight attempts in all, and then dead',
    ],
    [
      'Every attempt is kept for 90 days',
      'test/controllers/old-attempts.test.ts',
      'attempts are kept for 90 days, and the receipt after that',
    ],
    [
      'An attempt has its status code, duration and error',
      'test/api/routes/deliveries.test.ts',
      'every webhook of a case is listed with its attempts and its state',
    ],
  ],
  '6.3': [
    [
      "The channel carries the participant's signing link",
      WEBHOOKS,
      '6.3 Real-time events: device.open_case',
    ],
  ],
  '7': [
    ['An error answers JSON with code and message', ERRORS, '7 Errors: code and message'],
    [
      'Every problem of a body is found',
      'test/api/validation.test.ts',
      'every problem of a body is found at once',
    ],
    ['A problem has instancePath, keyword, params and message', ERRORS, '7 Errors: validation'],
    ['401, 403 and 429 of the gateway have the message alone', ERRORS, '7 Errors: message only'],
    [
      'An unexpected failure answers 500 Internal Server Error',
      'test/api/unavailable.test.ts',
      'a store that fails: 500 on every route, and nothing leaks',
    ],
    [
      'A request that runs out of time answers 503 TIMEOUT',
      'test/api/unavailable.test.ts',
      'a store that hangs: 503 TIMEOUT on every route',
    ],
    [
      'A missing case or participant answers text/plain',
      PROSE,
      'a missing case or participant is a short text',
    ],
    ['A 410 carries senderName when the case has one', ERRORS, '7 Errors: senderName in a 410'],
  ],
  '8': [
    ['An upload URL is valid for one hour', LIMITS, '8 Limits: Upload URL validity'],
    [
      'Five sends and five tries also hold for concurrent requests',
      'test/api/routes/codes-at-once.test.ts',
      'fifty ask at once: exactly five codes go out, also after a loss',
    ],
  ],
}
