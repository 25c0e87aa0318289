/**
 * What the collection adds to the OpenAPI document: bodies that work when they are sent, and
 * scripts that keep ids, links and tokens of a response for the requests that follow.
 */

/** Lines of JavaScript for an API client such as Postman or Bruno. */
export type Script = readonly string[]

export interface Additions {
  /** Replaces members of the example body. */
  body?: Readonly<Record<string, unknown>>
  /** Headers that the collection sends although they are optional. */
  headers?: readonly string[]
  before?: Script
  after?: Script
  /** The upload that follows this request. */
  upload?: Upload
}

export interface Upload {
  id: string
  name: string
  /** Variable with the presigned URL. */
  url: string
  before?: Script
}

const FIELD = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt', id: 'customer' }
const PARTICIPANT = {
  firstName: 'Jana',
  lastName: 'Nováková',
  email: 'jana@example.com',
  language: 'sk',
  signatureFields: [FIELD],
}

const keep = (name: string, path: string) => `pm.collectionVariables.set('${name}', ${path});`
const READ = 'const answer = pm.response.json();'
const KEEP_CASE = [
  READ,
  keep('caseId', 'answer.case.id'),
  keep('participantId', 'answer.case.participants[0].id'),
  keep('signingToken', "answer.case.participants[0].signerUrl.split('#')[1]"),
  keep('uploadUrl', "answer.upload ? answer.upload.url : ''"),
]
const SIGNING_TIME = [keep('now', 'new Date().toISOString()')]

/** By operation. */
export const ADDITIONS: Readonly<Record<string, Additions>> = {
  createCase: {
    body: { validUntil: '{{validUntil}}', quickSign: true, participants: [PARTICIPANT] },
    headers: ['idempotency-key'],
    before: [
      keep('validUntil', 'new Date(Date.now() + 7 * 86400000).toISOString()'),
      keep('idempotency-key', "'collection-' + Date.now()"),
    ],
    after: KEEP_CASE,
    upload: { id: 'uploadDocument', name: 'Upload the PDF of the case', url: 'uploadUrl' },
  },
  renewUpload: { after: [READ, keep('uploadUrl', 'answer.upload.url')] },
  listDeliveries: {
    after: [
      READ,
      'const event = answer.deliveries[0];',
      'if (event) ' + keep('eventId', 'event.eventId'),
    ],
  },
  getCaseDefinition: {
    after: [READ, keep('consentVersion', 'answer.consentText.version')],
  },
  sign: {
    body: {
      fieldIds: ['customer'],
      consent: { textVersion: '{{consentVersion}}', acceptedAt: '{{now}}' },
    },
    before: SIGNING_TIME,
  },
  verifyCode: { after: [READ, keep('Service-Otp-Session', 'answer.otpSession')] },
  registerDevice: {
    after: [READ, keep('deviceId', 'answer.deviceId'), keep('deviceToken', 'answer.token')],
  },
  openOnDevice: { body: { deviceId: '{{deviceId}}' } },
  createPairingCode: { body: { token: '{{deviceToken}}' } },
  pairKiosk: { body: { token: '{{deviceToken}}' } },
  uploadForVerification: {
    body: { size: 26_214_400 },
    after: [
      READ,
      keep('key', 'answer.key'),
      keep('verificationUrl', 'answer.upload.url'),
      keep('verificationHeaders', 'JSON.stringify(answer.upload.headers)'),
    ],
    upload: {
      id: 'uploadForVerificationDocument',
      name: 'Upload the PDF to verify',
      url: 'verificationUrl',
      before: [
        "const headers = JSON.parse(pm.collectionVariables.get('verificationHeaders'));",
        'const keep = (key) => pm.request.headers.upsert({ key, value: headers[key] });',
        'Object.keys(headers).forEach(keep);',
      ],
    },
  },
  verify: { body: { key: '{{key}}' } },
  graphql: { body: { variables: { id: '{{caseId}}' } } },
}
