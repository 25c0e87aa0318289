/** Statements in the prose of the specification from 4.9 on, each with its test. */

/** A statement, the test file, and the title of the test in it. */
export type Statement = readonly [says: string, file: string, title: string]

const CODES = 'test/api/routes/codes.test.ts'
const SEND_CODE = 'test/application/second-factor/send-code.test.ts'
const VERIFY_CODE = 'test/application/second-factor/verify-code.test.ts'
const SIGN = 'test/application/cases/sign.test.ts'
const TOKENS = 'test/api/authentication.test.ts'
const MAIN_JOB = 'test/e2e/main-job.test.ts'
const PROSE = 'test/conformance/prose.test.ts'
const OUTSIDE = 'test/conformance/outside.test.ts'
const AUTHENTICATION = 'test/conformance/5-authentication.test.ts'
const WEBHOOKS = 'test/conformance/6-events.test.ts'
const ERRORS = 'test/conformance/7-errors.test.ts'
const LIMITS = 'test/conformance/8-limits.test.ts'
const VERIFICATION = 'test/conformance/verification.test.ts'
const VERIFY_JOB = 'test/workers/verification/verify.test.ts'
const WEBHOOK_JOB = 'test/workers/webhook/webhook.test.ts'
const ATTEMPT = 'test/workers/webhook/attempt.test.ts'
const ACCESS_TOKENS = 'test/workers/oauth/access-tokens.test.ts'
const SECOND_FACTOR = 'test/application/second-factor/require-factor.test.ts'

/** By section of the specification, in its order. */
export const STATEMENTS_OF_SIGNING: Readonly<Record<string, readonly Statement[]>> = {
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
      SEND_CODE,
      '4.10: a code goes by mail; the answer has channel, masked address and end',
    ],
    ['The code goes as SMS', SEND_CODE, '4.10: a code goes as SMS, to the digits of the number'],
    [
      'A code is valid for ten minutes',
      VERIFY_CODE,
      '8: a code works for ten minutes, to the second',
    ],
    [
      'A new code replaces the previous',
      VERIFY_CODE,
      '7: a code that was replaced is not a wrong try: 409 OTP_EXPIRED',
    ],
    [
      'At most five codes in an hour',
      SEND_CODE,
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
      VERIFY_CODE,
      '4.11: the right code gives a session for half an hour, once',
    ],
    [
      'A code that is not exactly six digits is a validation error',
      VERIFY_CODE,
      '4.11: a body that is not a code is refused behind 409 and 423, and is not a try',
    ],
    [
      'OTP_INVALID carries attemptsLeft',
      VERIFY_CODE,
      '7: a wrong code answers how many tries are left, then 423 until a new one',
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
      'Signatures are validated with a standard validation library',
      'test/pades/validate/second-opinion.test.ts',
      'what the second judge does not confirm is INDETERMINATE',
    ],
    [
      'The upload is deleted afterwards',
      VERIFICATION,
      '4.13 POST /verify: the upload is deleted afterwards',
    ],
    [
      'An upload that expired is not found',
      'test/application/verification/verify.test.ts',
      'an upload of an hour ago is not found any more',
    ],
  ],
  '5.1': [
    [
      'The token of a tenant is an ID token of an identity provider',
      'test/adapters/oidc/tenant-identity.test.ts',
      'a token that the provider issued names its tenant, its keys fetched once',
    ],
    [
      'A missing or invalid token gives 401 with the message alone',
      AUTHENTICATION,
      '5.1 to 5.5: tenant routes',
    ],
    [
      'A case of another tenant answers 404',
      'test/api/tenant-route.test.ts',
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
      'A session counts on every route of its participant, and for no other participant',
      OUTSIDE,
      'a session of a code opens for its own participant only',
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
    [
      'A receiver verifies over the raw body and refuses timestamps older than 300 seconds',
      'test/clients/typescript/webhook.test.ts',
      'genuine webhooks are distinguished from forged ones',
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
      OUTSIDE,
      'a webhook that is sent again has the status and the links of that time',
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
      'test/api/errors.test.ts',
      'a store that fails: 500 on every route, and nothing leaks',
    ],
    [
      'A request that runs out of time answers 503 TIMEOUT',
      'test/api/errors.test.ts',
      'a store that hangs: 503 TIMEOUT on every route',
    ],
    [
      'A missing case or participant answers text/plain',
      PROSE,
      'a missing case or participant is a short text',
    ],
    ['A 410 carries senderName when the case has one', ERRORS, '7 Errors: senderName in a 410'],
    [
      'A 410 carries senderName on every route of a participant',
      OUTSIDE,
      'every route of a participant names the sender of a case that ended',
    ],
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
