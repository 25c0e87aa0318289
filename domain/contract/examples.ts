/**
 * Example requests and responses of one case, from its creation to its documents, for the API
 * reference.
 */
import type { Static } from '@sinclair/typebox'
import { ERRORS, type ErrorCode, type ErrorDetails } from '../errors.ts'
import type {
  CaseAnswer,
  CasesAnswer,
  CreatedAnswer,
  EventsAnswer,
  InvitationAnswer,
  UploadAnswer,
  VerificationUploadAnswer,
} from './answers.ts'
import type {
  BrandingAnswer,
  CaseDefinitionAnswer,
  CodeSentAnswer,
  CodeVerifiedAnswer,
  LinkAnswer,
} from './participant-answers.ts'
import type { DeliveriesAnswer, DeliveryAnswer, WebhookEventsAnswer } from './delivery-answers.ts'
import type { CancelInput } from './cancel-input.ts'
import type { CaseInput } from './case-input.ts'
import type { CodeInput } from './code-input.ts'
import type { DeclineInput } from './decline-input.ts'
import type {
  DeviceInput,
  DevicesAnswer,
  OpenedAnswer,
  OpenInput,
  PairingCodeAnswer,
  PairingCodeInput,
  PairInput,
  PairedAnswer,
  RegisteredDeviceAnswer,
} from './device.ts'
import type { ValidationAnswer } from './problem.ts'
import type { SigningInput } from './signing-input.ts'
import type { VerificationInput, VerificationUploadInput } from './verification-input.ts'

const BASE_URL = 'https://sign.example.com'
export const CASE_ID = '3f0c4a52-6f0e-4d8b-9a57-0c1c5a0b7e21'
export const JANA_ID = 'b1a2e7de-5c56-5b0f-9a43-5f2f1d3c9b10'
const PETER_ID = 'd41f6a3c-8a0b-5a11-b0c2-7f4a6f1e2d33'
const TITLE = 'Zmluva o dielo 2026/118'
const CREATED = '2026-11-02T08:00:00.000Z'
/** Far in the future, so that a reader can send the example as it is. */
const VALID_UNTIL = '2099-12-31T23:00:00.000Z'
const JANA_SIGNED = '2026-11-02T09:14:07.512Z'
const PETER_SIGNED = '2026-11-02T10:01:44.090Z'
const DOCUMENT_SHA256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'
const SIGNED_SHA256 = 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35'
const EVIDENCE_SHA256 = '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce'
const LEVEL = 'PAdES-BASELINE-LTA'

/** Builds the example of a presigned link. */
export const presigned = (name: string) =>
  `${BASE_URL}/objects/tenants/acme/cases/${CASE_ID}/${name}?expires=…&signature=…`
const signerUrl = (participantId: string) => `${BASE_URL}/sign/${participantId}#<token>`

const janaField = { page: 3, x: 72, y: 640, width: 200, height: 60, unit: 'pt' as const }
const peterField = {
  page: 3,
  x: 0.55,
  y: 0.76,
  width: 0.33,
  height: 0.07,
  unit: 'fraction' as const,
}

export const CASE_INPUT: Static<typeof CaseInput> = {
  title: TITLE,
  validUntil: VALID_UNTIL,
  sender: { name: 'ACME, a. s.', replyTo: 'zmluvy@acme.example' },
  participants: [
    {
      firstName: 'Jana',
      lastName: 'Nováková',
      email: 'jana@example.com',
      phone: '+421900123456',
      language: 'sk',
      signatureFields: [{ id: 'objednávateľ', ...janaField }],
    },
    {
      firstName: 'Peter',
      lastName: 'Kôň',
      email: 'peter@example.com',
      language: 'en',
      signatureFields: [{ id: 'zhotoviteľ', ...peterField }],
    },
  ],
}

const jana = {
  id: JANA_ID,
  firstName: 'Jana',
  lastName: 'Nováková',
  language: 'sk' as const,
  notify: true,
  status: 'UNSIGNED' as const,
  signatureFields: [{ id: 'objednávateľ', ...janaField }],
}
const peter = {
  id: PETER_ID,
  firstName: 'Peter',
  lastName: 'Kôň',
  language: 'en' as const,
  notify: true,
  status: 'UNSIGNED' as const,
  signatureFields: [{ id: 'zhotoviteľ', ...peterField }],
}
const janaContact = {
  email: 'jana@example.com',
  phone: '+421900123456',
  signerUrl: signerUrl(JANA_ID),
}
const peterContact = { email: 'peter@example.com', signerUrl: signerUrl(PETER_ID) }

const NEW_CASE_ANSWER: CaseAnswer = {
  id: CASE_ID,
  title: TITLE,
  status: 'NEW',
  created: CREATED,
  validUntil: VALID_UNTIL,
  quickSign: false,
  ownPlaces: true,
  sender: { name: 'ACME, a. s.', replyTo: 'zmluvy@acme.example' },
  originalDocument: { name: `${TITLE.replace('/', ' ')}.pdf` },
  participants: [
    { ...jana, ...janaContact },
    { ...peter, ...peterContact },
  ],
}

export const CREATED_ANSWER: Static<typeof CreatedAnswer> = {
  case: NEW_CASE_ANSWER,
  upload: { type: 'PUT', url: presigned('upload.pdf') },
}

const VERIFICATION_KEY = '0d9a3f5e-7c41-4b8e-9f26-51f0a2c7d318'
export const VERIFICATION_INPUT: VerificationInput = { key: VERIFICATION_KEY }
export const VERIFICATION_UPLOAD_ANSWER: VerificationUploadAnswer = {
  key: VERIFICATION_KEY,
  upload: {
    type: 'PUT',
    url: `${BASE_URL}/objects/verifications/${VERIFICATION_KEY}/upload.pdf?expires=…&signature=…`,
    headers: { 'Content-Type': 'application/pdf' },
  },
}
export const VERIFICATION_UPLOAD_INPUT: VerificationUploadInput = { size: 184_320 }

export const UPLOAD_ANSWER: Static<typeof UploadAnswer> = {
  upload: { type: 'PUT', url: presigned('upload.pdf') },
}

export const CASES_ANSWER: Static<typeof CasesAnswer> = {
  cases: [NEW_CASE_ANSWER],
  nextCursor: 'eyJhZnRlciI6IjNmMGM0YTUyIn0.k1.…',
}

export const INVITATION_ANSWER: Static<typeof InvitationAnswer> = {
  caseId: CASE_ID,
  participantId: JANA_ID,
}

const originalDocument = {
  name: 'Zmluva o dielo 2026 118.pdf',
  size: 184_320,
  sha256: DOCUMENT_SHA256,
  url: presigned('document.pdf'),
}
const signedDocument = {
  name: 'Zmluva o dielo 2026 118-signed.pdf',
  size: 231_482,
  sha256: SIGNED_SHA256,
  url: presigned('outcome'),
  level: LEVEL,
}

export const DONE_CASE_ANSWER: CaseAnswer = {
  ...NEW_CASE_ANSWER,
  status: 'DONE',
  originalDocument,
  signedDocument,
  evidenceDocument: {
    name: 'Zmluva o dielo 2026 118-evidence.pdf',
    size: 51_738,
    sha256: EVIDENCE_SHA256,
    url: presigned('evidence.pdf'),
    level: LEVEL,
  },
  participants: [
    { ...jana, ...janaContact, status: 'SIGNED', signedAt: JANA_SIGNED },
    { ...peter, ...peterContact, status: 'SIGNED', signedAt: PETER_SIGNED },
  ],
}

export const CANCEL_INPUT: Static<typeof CancelInput> = { reason: 'The offer was withdrawn' }

export const CANCELLED_CASE_ANSWER: CaseAnswer = {
  ...NEW_CASE_ANSWER,
  status: 'CANCELLED',
  cancelledAt: '2026-11-02T08:30:00.000Z',
  cancelReason: 'The offer was withdrawn',
}

export const EVENTS_ANSWER: Static<typeof EventsAnswer> = {
  events: [
    {
      eventId: '0d7a5e7c-5e0d-5a5c-8a55-8f3f1f5d0b02',
      type: 'participant.viewed',
      occurredAt: '2026-11-02T09:12:31.004Z',
      actor: 'participant',
      participantId: JANA_ID,
      ip: '203.0.113.7',
      userAgent: 'Mozilla/5.0',
      documentSha256: DOCUMENT_SHA256,
      data: {},
    },
    {
      eventId: '5f5a9f5e-6a24-5d53-9c3e-2f0b4c3d1a01',
      type: 'case.created',
      occurredAt: CREATED,
      actor: 'tenant',
      ip: '198.51.100.20',
      userAgent: 'acme-crm/4.2',
      data: { title: TITLE, validUntil: VALID_UNTIL, quickSign: false, participants: 2 },
    },
  ],
}

const signedEvent = {
  eventId: '0b8a4c55-62f7-5d5e-8d0b-6f0f8a1c7e11',
  type: 'participant-signed' as const,
  occurredAt: JANA_SIGNED,
  participantId: JANA_ID,
}

export const DELIVERIES_ANSWER: Static<typeof DeliveriesAnswer> = {
  deliveries: [
    {
      ...signedEvent,
      state: 'pending',
      nextAttemptAt: '2026-11-02T09:15:38.655Z',
      attempts: [
        {
          deliveryId: '6f1f7b0e-7c1c-5b0e-9c55-2b0a7f3d4e01',
          round: 1,
          kind: 'attempt',
          startedAt: '2026-11-02T09:14:08.101Z',
          durationMs: 554,
          statusCode: 503,
        },
      ],
    },
  ],
}

export const REDELIVERY_ANSWER: DeliveryAnswer = {
  ...signedEvent,
  state: 'pending',
  attempts: [],
}

export const WEBHOOK_EVENTS_ANSWER: Static<typeof WebhookEventsAnswer> = {
  events: [
    {
      ...signedEvent,
      caseId: CASE_ID,
      state: 'dead',
      endedAt: '2026-11-02T09:25:49.002Z',
    },
  ],
}

const CONSENT_IN_SLOVAK = {
  version: '2026-11-28-sk',
  text: 'Obsah dokumentu poznám a chcem ho podpísať elektronicky. …',
}

export const CASE_DEFINITION_ANSWER: CaseDefinitionAnswer = {
  status: 'IN_PROGRESS',
  otpRequired: false,
  pinRequired: false,
  case: { id: CASE_ID, title: TITLE, validUntil: VALID_UNTIL, ownPlaces: true },
  participant: jana,
  participants: { total: 2, signed: 1 },
  places: { taken: [peterField] },
  sender: { name: 'ACME, a. s.' },
  document: { ...originalDocument, pageCount: 3 },
  language: 'sk',
  consentText: CONSENT_IN_SLOVAK,
  consentTexts: {
    sk: CONSENT_IN_SLOVAK,
    en: {
      version: '2026-11-28-en',
      text: 'I know the content of the document and I want to sign it electronically. …',
    },
  },
}

export const BRANDING_ANSWER: BrandingAnswer = {
  sender: { name: 'ACME, a. s.' },
  language: 'sk',
  colours: {
    light: { background: '#8a5a00', text: '#ffffff' },
    dark: { background: '#d98d00', text: '#0b1016' },
  },
  logo: { url: 'data:image/png;base64,iVBORw0KGgo…', width: 320, height: 80 },
}

export const CODE_SENT_ANSWER: CodeSentAnswer = {
  channel: 'SMS',
  destination: '+421 *** *** 456',
  expiresAt: '2026-11-02T09:20:31.004Z',
}

export const DECLINE_INPUT: Static<typeof DeclineInput> = {
  reason: 'The price differs from our agreement.',
}

export const CODE_INPUT: Static<typeof CodeInput> = { code: '042917' }

export const CODE_VERIFIED_ANSWER: CodeVerifiedAnswer = {
  otpSession: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…',
  expiresAt: '2026-11-02T09:41:12.300Z',
}

export const LINK_ANSWER: Static<typeof LinkAnswer> = { url: signedDocument.url }

export const SIGNING_INPUT: Static<typeof SigningInput> = {
  encodedSignature: 'M0 20 C20 0 40 40 60 20 S100 0 120 20',
  fieldIds: ['objednávateľ'],
  consent: { textVersion: '2026-11-28-sk', acceptedAt: '2026-11-02T10:14:05+01:00' },
  client: {
    timezone: 'Europe/Bratislava',
    language: 'sk',
    screen: { width: 390, height: 844 },
    viewedAllPages: true,
  },
}

const DEVICE_ID = '9d2f6c1e-3b47-4c55-8a0e-6f1d2b7a9c04'

export const DEVICE_INPUT: Static<typeof DeviceInput> = { name: 'Reception, ground floor' }

export const PAIRED_ANSWER: PairedAnswer = {
  deviceId: DEVICE_ID,
  name: DEVICE_INPUT.name,
  created: CREATED,
  channel: `/devices/${DEVICE_ID}/events`,
}

export const REGISTERED_DEVICE_ANSWER: Static<typeof RegisteredDeviceAnswer> = {
  ...PAIRED_ANSWER,
  token: `kiosk.acme.${DEVICE_ID}.…`,
}

export const DEVICES_ANSWER: Static<typeof DevicesAnswer> = {
  devices: [{ ...PAIRED_ANSWER, connected: true }],
}

export const OPEN_INPUT: Static<typeof OpenInput> = { deviceId: DEVICE_ID }

export const OPENED_ANSWER: Static<typeof OpenedAnswer> = {
  caseId: CASE_ID,
  participantId: JANA_ID,
  deviceId: DEVICE_ID,
}

export const PAIR_INPUT: Static<typeof PairInput> = { token: REGISTERED_DEVICE_ANSWER.token }

export const PAIRING_CODE_INPUT: Static<typeof PairingCodeInput> = PAIR_INPUT

export const PAIRING_CODE_ANSWER: Static<typeof PairingCodeAnswer> = {
  code: 'K7PM-2XRD',
  expiresAt: '2026-11-02T08:40:00.000Z',
}

const opened = {
  caseId: CASE_ID,
  participantId: JANA_ID,
  url: signerUrl(JANA_ID),
  title: TITLE,
}
/** The event as sent over the kiosk's channel. */
export const DEVICE_EVENT = [
  'id: 1793610847512-0',
  'event: device.open_case',
  `data: ${JSON.stringify(opened)}`,
  '',
  '',
].join('\n')

export const VALIDATION_EXAMPLE: Static<typeof ValidationAnswer> = {
  message: 'Validation failed',
  validationErrors: [
    {
      instancePath: '',
      keyword: 'required',
      params: { missingProperty: 'title' },
      message: "must have required property 'title'",
    },
    {
      instancePath: '/participants/0/signatureFields/0',
      keyword: 'insidePage',
      params: { unit: 'fraction' },
      message: 'must be inside the page',
    },
  ],
}

/** Details of error codes. */
const DETAILS: Partial<Record<ErrorCode, ErrorDetails>> = {
  OTP_INVALID: { attemptsLeft: 4 },
  OTP_RATE_LIMITED: { retryAfterSeconds: 1260 },
  OTP_DESTINATION_REFUSED: { data: { channel: 'EMAIL', refused: 'recipient', answer: 550 } },
  OTP_SENDER_REFUSED: { data: { channel: 'SMS', refused: 'sender', answer: 401 } },
  PIN_REQUIRED: { attemptsLeft: 4 },
  PIN_LOCKED: { retryAfterSeconds: 900 },
  CASE_NOT_CANCELLABLE: { status: 'DONE' },
  NOT_COMPLETED: { status: 'IN_PROGRESS' },
  CASE_NOT_ACTIVE: { status: 'CANCELLED', senderName: 'ACME, a. s.' },
  DOCUMENT_ALREADY_UPLOADED: { status: 'IN_PROGRESS' },
  INVITATION_RATE_LIMITED: { retryAfterSeconds: 1800 },
  SIGNING_UNAVAILABLE: { retryAfterSeconds: 60 },
  LINK_EXPIRED: { status: 'DONE', senderName: 'ACME, a. s.' },
}

/** Builds the example response for an error code (specification 7). */
export function errorExample(code: ErrorCode) {
  return { code, message: ERRORS[code].message, ...DETAILS[code] }
}
export { VALIDATION_REPORT } from './report-example.ts'
