/** Schemas of the REST responses (specification 2.1 to 2.4, 2.7, 2.11, 7). */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { AUDIT_EVENT_TYPES } from '../audit/entry.ts'
import { ATTEMPT_KINDS, DELIVERY_STATES } from '../cases/deliveries.ts'
import { LISTED_STATES } from '../cases/deliveries.ts'
import {
  AUTH_TYPES,
  DeviceReference,
  LANGUAGES,
  MULTI_FACTOR_TYPES,
  Sender,
} from '../cases/definition.ts'
import { Rectangle } from '../cases/rectangle.ts'
import { PHASES } from '../cases/status.ts'
import { stringEnum } from '../schema-parts.ts'
import { WEBHOOK_TYPES } from '../cases/webhooks.ts'
import type { ErrorCode } from '../errors.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const timestamp = () => Type.String({ format: 'date-time' })

export const DocumentAnswer = Type.Object({
  name: Type.String(),
  size: optional(Type.Number()),
  sha256: optional(Type.String()),
  url: optional(Type.String({ description: 'Presigned link, 15 minutes' })),
  level: optional(Type.String({ description: 'PAdES level (ETSI EN 319 142-1)' })),
})
export type DocumentAnswer = Static<typeof DocumentAnswer>

export const FieldAnswer = Type.Object({ id: Type.String(), ...Rectangle.properties })

const PARTICIPANT_STATUSES = ['UNSIGNED', 'SIGNED'] as const
const participantCore = {
  id: Type.String({ format: 'uuid' }),
  firstName: Type.String(),
  lastName: Type.String(),
  language: stringEnum(LANGUAGES),
  status: stringEnum(PARTICIPANT_STATUSES),
  signedAt: optional(timestamp()),
  signatureFields: Type.Array(FieldAnswer),
}

export const ParticipantAnswer = Type.Object({
  ...participantCore,
  email: Type.String(),
  phone: optional(Type.String()),
  notify: Type.Boolean(),
  signerUrl: Type.String(),
})
export type ParticipantAnswer = Static<typeof ParticipantAnswer>

/** The callback without credentials and signing secret. */
const CallbackAnswer = Type.Object({
  url: Type.String(),
  authType: stringEnum(AUTH_TYPES),
  data: optional(Type.Object({}, { additionalProperties: true })),
})

export const CaseAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  title: Type.String(),
  status: stringEnum(PHASES),
  rejectReason: optional(Type.String()),
  expiredAt: optional(timestamp()),
  cancelledAt: optional(timestamp()),
  cancelReason: optional(Type.String()),
  failedAt: optional(timestamp()),
  failureReason: optional(Type.String()),
  created: timestamp(),
  validUntil: timestamp(),
  quickSign: Type.Boolean(),
  ownPlaces: Type.Boolean({ description: 'Whether participants may choose where they sign' }),
  multiFactorType: optional(stringEnum(MULTI_FACTOR_TYPES)),
  callback: optional(CallbackAnswer),
  sender: optional(Sender),
  device: optional(DeviceReference),
  originalDocument: DocumentAnswer,
  signedDocument: optional(DocumentAnswer),
  evidenceDocument: optional(DocumentAnswer),
  participants: Type.Array(ParticipantAnswer),
})
export type CaseAnswer = Static<typeof CaseAnswer>

const Upload = Type.Object({
  type: stringEnum(['PUT']),
  url: Type.String({ description: 'Presigned, one hour' }),
})

export const UploadAnswer = Type.Object({ upload: Upload })

export const VerificationUploadAnswer = Type.Object({
  key: Type.String({ format: 'uuid', description: 'What `POST /verify` takes' }),
  upload: Type.Object({
    ...Upload.properties,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers that the PUT must send unchanged, including `Content-Type`',
    }),
  }),
})
export type VerificationUploadAnswer = Static<typeof VerificationUploadAnswer>

export const CreatedAnswer = Type.Object({
  case: CaseAnswer,
  upload: Type.Optional({
    ...Upload,
    description: 'Absent when the `Idempotency-Key` belongs to a case that is no longer NEW',
  }),
})

export const CasesAnswer = Type.Object({
  cases: Type.Array(CaseAnswer),
  nextCursor: optional(Type.String({ description: 'Set while more items remain' })),
})

/** The mail is sent asynchronously. */
export const InvitationAnswer = Type.Object({
  caseId: Type.String({ format: 'uuid' }),
  participantId: Type.String({ format: 'uuid' }),
})

export const EventAnswer = Type.Object({
  eventId: Type.String({ format: 'uuid' }),
  type: stringEnum(AUDIT_EVENT_TYPES),
  occurredAt: timestamp(),
  actor: stringEnum(['tenant', 'participant', 'system']),
  participantId: optional(Type.String()),
  ip: optional(Type.String()),
  userAgent: optional(Type.String()),
  documentSha256: optional(Type.String()),
  data: Type.Object({}, { additionalProperties: true }),
})

/** The entry at which a trail failed verification (decision 171). */
export const TrailFaultAnswer = Type.Object(
  {
    sequence: Type.Integer({ description: 'Place in the trail, from 1, counted from the oldest' }),
    fault: Type.String({ description: 'What is wrong, such as `wrongMac` or `missingHead`' }),
  },
  {
    description:
      'Present when the trail was changed outside the service; `events` has only the valid entries',
  },
)

export const EventsAnswer = Type.Object({
  events: Type.Array(EventAnswer),
  nextCursor: optional(Type.String()),
  trailFault: optional(TrailFaultAnswer),
})

const AttemptAnswer = Type.Object({
  deliveryId: Type.String({ format: 'uuid', description: '`Service-Delivery`' }),
  round: Type.Integer({ description: '1, plus 1 for each redelivery' }),
  kind: stringEnum(ATTEMPT_KINDS, {
    description: 'resend: with a new access token at once after a 401; not counted',
  }),
  startedAt: timestamp(),
  durationMs: optional(Type.Number()),
  statusCode: optional(Type.Integer({ description: 'Absent when there was no answer' })),
  error: optional(Type.String({ description: 'Why there was no answer' })),
})

const webhookEvent = {
  eventId: Type.String({ format: 'uuid', description: '`id` of the webhook' }),
  type: stringEnum(WEBHOOK_TYPES),
  occurredAt: timestamp(),
  participantId: optional(Type.String()),
}

export const DeliveryAnswer = Type.Object({
  ...webhookEvent,
  state: stringEnum(DELIVERY_STATES),
  endedAt: optional(timestamp()),
  nextAttemptAt: optional(timestamp()),
  attempts: Type.Array(AttemptAnswer, { description: 'Kept for 90 days' }),
})
export type DeliveryAnswer = Static<typeof DeliveryAnswer>

export const DeliveriesAnswer = Type.Object({ deliveries: Type.Array(DeliveryAnswer) })

export const WebhookEventsAnswer = Type.Object({
  events: Type.Array(
    Type.Object({
      ...webhookEvent,
      caseId: Type.String({ format: 'uuid' }),
      state: stringEnum(LISTED_STATES),
      endedAt: timestamp(),
    }),
  ),
  nextCursor: optional(Type.String()),
})

const ConsentTextAnswer = Type.Object({
  version: Type.String({ description: 'Goes into `consent.textVersion` of the signature' }),
  text: Type.String(),
})

export const CaseDefinitionAnswer = Type.Object({
  status: stringEnum(PHASES),
  multiFactorType: optional(stringEnum(MULTI_FACTOR_TYPES)),
  otpRequired: Type.Boolean({
    description: 'Document links are absent until a one-time code was entered',
  }),
  pinRequired: Type.Boolean({ description: 'Document links are absent without the PIN' }),
  case: Type.Object({
    id: Type.String({ format: 'uuid' }),
    title: Type.String(),
    validUntil: timestamp(),
    ownPlaces: Type.Boolean({ description: 'Whether participants may choose where they sign' }),
  }),
  participant: Type.Object(participantCore),
  participants: Type.Object({ total: Type.Integer(), signed: Type.Integer() }),
  sender: optional(Type.Object({ name: Type.String() })),
  document: Type.Object({ ...DocumentAnswer.properties, pageCount: Type.Integer() }),
  language: stringEnum(LANGUAGES),
  consentText: ConsentTextAnswer,
  consentTexts: Type.Object(
    { sk: ConsentTextAnswer, en: ConsentTextAnswer },
    { description: 'By language. The version names the language of the text as well' },
  ),
})
export type CaseDefinitionAnswer = Static<typeof CaseDefinitionAnswer>

export const LinkAnswer = Type.Object({ url: Type.String() })

export const CodeSentAnswer = Type.Object({
  channel: stringEnum(MULTI_FACTOR_TYPES),
  destination: Type.String({ description: 'Where the code went, masked' }),
  expiresAt: Type.String({ format: 'date-time', description: 'End of validity of the code' }),
})
export type CodeSentAnswer = Static<typeof CodeSentAnswer>

export const CodeVerifiedAnswer = Type.Object({
  otpSession: Type.String({ description: 'Value for the header `Service-Otp-Session`' }),
  expiresAt: Type.String({ format: 'date-time', description: 'End of validity of the session' }),
})
export type CodeVerifiedAnswer = Static<typeof CodeVerifiedAnswer>

export const MessageAnswer = Type.Object({ message: Type.String() })

const REFUSED_CODES: ReadonlySet<ErrorCode> = new Set([
  'OTP_DESTINATION_REFUSED',
  'OTP_SENDER_REFUSED',
])
const DeliveryRefusal = Type.Object(
  {
    channel: stringEnum(MULTI_FACTOR_TYPES, { description: 'How the code was to go out' }),
    refused: stringEnum(['recipient', 'sender'], {
      description: 'recipient: the address or number; sender: the service itself',
    }),
    answer: optional(Type.Integer({ description: 'Reply code of SMTP or status of HTTP' })),
  },
  { description: 'What the mail server or SMS gateway said' },
)

/** One of the errors of specification 7, with the details that it may carry. */
export const codeAnswer = (codes: readonly ErrorCode[]) =>
  Type.Object({
    code: stringEnum(codes, { description: 'Machine-readable code' }),
    message: Type.String({ description: 'Human-readable; may change' }),
    status: optional(stringEnum(PHASES, { description: 'Status of the case' })),
    senderName: optional(Type.String({ description: 'Name of the sender' })),
    attemptsLeft: optional(Type.Integer({ description: 'Number of remaining tries' })),
    retryAfterSeconds: optional(Type.Number()),
    ...(codes.some((code) => REFUSED_CODES.has(code)) ? { data: optional(DeliveryRefusal) } : {}),
  })

export const ValidationAnswer = Type.Object({
  message: Type.String(),
  validationErrors: Type.Array(
    Type.Object({
      instancePath: Type.String(),
      keyword: Type.String(),
      params: Type.Object({}, { additionalProperties: true }),
      message: Type.String(),
    }),
  ),
})
