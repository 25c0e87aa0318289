/**
 * The `SignatureCase` resource: what the tenant defined, what people stated, what the system made
 * of it.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import * as limits from '../limits.ts'

/**
 * A string enumeration that is one `enum` rule in JSON Schema (a union of literals would be three).
 */
export function stringEnum<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const timestamp = (description: string) => Type.String({ format: 'date-time', description })
const uuid = (description: string) => Type.String({ format: 'uuid', description })
const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

export const LANGUAGES = ['sk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export const PHASES = [
  'NEW',
  'IN_PROGRESS',
  'DONE',
  'UPLOAD_REJECTED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
] as const
export type Phase = (typeof PHASES)[number]

const coordinate = (description: string) =>
  Type.Number({ minimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })
const extent = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })

/** A rectangle on a page as displayed: origin at its top left corner, y downwards. */
const rectangle = {
  page: Type.Integer({
    minimum: 1,
    maximum: limits.MAXIMUM_PAGE_NUMBER,
    description: 'Page, the first is 1',
  }),
  x: coordinate('Distance from the left edge of the page as displayed'),
  y: coordinate('Distance from the top edge of the page as displayed'),
  width: extent('Width of the rectangle'),
  height: extent('Height of the rectangle'),
  unit: stringEnum(['pt', 'fraction'], {
    description: 'pt: 1/72 inch; fraction: of the width and height of the page',
  }),
}

export const Rectangle = Type.Object(rectangle, {
  insidePage: true,
  description: 'A rectangle on a page as displayed: origin at its top left corner',
})
export type Rectangle = Static<typeof Rectangle>

export const SignatureField = Type.Object(
  { id: text(limits.MAXIMUM_NAME_LENGTH, 'Names the field within its participant'), ...rectangle },
  { insidePage: true, description: 'Where a drawing goes, on a page as displayed' },
)
export type SignatureField = Static<typeof SignatureField>

export const Address = Type.Object(
  {
    country: optional(text(limits.MAXIMUM_NAME_LENGTH, 'Country')),
    city: optional(text(limits.MAXIMUM_NAME_LENGTH, 'City')),
    street: optional(text(limits.MAXIMUM_TEXT_LENGTH, 'Street and number')),
    zip: optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Postal code')),
  },
  { description: 'Postal address, kept for the tenant, not shown' },
)

export const ParticipantDefinition = Type.Object(
  {
    id: uuid('Path segment of the signing link'),
    firstName: text(limits.MAXIMUM_NAME_LENGTH, 'Given name'),
    lastName: text(limits.MAXIMUM_NAME_LENGTH, 'Family name'),
    email: Type.String({
      format: 'email',
      maxLength: limits.MAXIMUM_EMAIL_LENGTH,
      description: 'Where mails go',
    }),
    phone: optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Number for SMS')),
    gender: optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Kept for the tenant, not shown')),
    address: optional(Address),
    notify: Type.Boolean({ description: 'Whether the participant gets mails' }),
    language: stringEnum(LANGUAGES, { description: 'Language of pages and mails' }),
    signatureFields: Type.Array(SignatureField, {
      maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
      description: 'Where the participant signs',
    }),
  },
  { description: 'One of the people who sign' },
)
export type ParticipantDefinition = Static<typeof ParticipantDefinition>

export const Sender = Type.Object(
  {
    name: optional(text(limits.MAXIMUM_NAME_LENGTH, 'Shown as the sender of mails')),
    replyTo: optional(
      Type.String({
        format: 'email',
        maxLength: limits.MAXIMUM_EMAIL_LENGTH,
        description: 'Where answers to mails go',
      }),
    ),
  },
  { description: 'In whose name mails go out' },
)

export const AUTH_TYPES = ['NONE', 'BASIC', 'API_KEY', 'OAUTH_CLIENT_CREDENTIALS'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

export const TOKEN_AUTH_METHODS = ['basic', 'post'] as const

/** Where webhooks go; what authenticates them is in the case's secrets. */
export const Callback = Type.Object(
  {
    url: text(limits.MAXIMUM_URL_LENGTH, 'Receives the webhooks'),
    authType: stringEnum(AUTH_TYPES, { description: 'What a webhook carries to be let in' }),
    apiKeyHeader: optional(text(limits.MAXIMUM_TEXT_LENGTH, 'API_KEY: name of the header')),
    tokenUrl: optional(text(limits.MAXIMUM_URL_LENGTH, 'OAuth: issues the access token')),
    tokenAuthMethod: optional(
      stringEnum(TOKEN_AUTH_METHODS, { description: 'OAuth: how the client proves itself' }),
    ),
    scope: optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: scope to ask for')),
    audience: optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: audience to ask for')),
    data: optional(
      Type.String({
        format: 'json-object',
        maxLength: limits.MAXIMUM_CALLBACK_DATA_BYTES,
        description: 'JSON object of the tenant, sent back unchanged',
      }),
    ),
    secretRef: optional(
      Type.Object(
        { name: text(limits.MAXIMUM_TEXT_LENGTH, 'Name of the Secret') },
        {
          description:
            'Secret with clientId, clientSecret, apiKeyValue and signingSecret as far as needed, ' +
            'labelled sigcase.dev/callback-credentials=true; for cases that are applied',
        },
      ),
    ),
  },
  { description: "Where webhooks go; what authenticates them is in the case's secrets" },
)
export type Callback = Static<typeof Callback>

export const MULTI_FACTOR_TYPES = ['SMS', 'EMAIL'] as const
export type MultiFactorType = (typeof MULTI_FACTOR_TYPES)[number]

export const Reminders = Type.Object(
  {
    afterDays: Type.Array(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: limits.MAXIMUM_REMINDER_DAYS,
        description: 'Days after the invitation',
      }),
      { maxItems: limits.MAXIMUM_REMINDERS, description: 'When to remind' },
    ),
  },
  { description: 'Mails to those who have not signed yet' },
)

export const DeviceReference = Type.Object(
  { deviceId: uuid('A kiosk of the tenant') },
  { description: 'The kiosk that shows the case' },
)

export const CaseDefinition = Type.Object(
  {
    title: text(limits.MAXIMUM_TITLE_LENGTH, 'Title of the case and name of its documents'),
    validUntil: timestamp('Until when participants can sign'),
    quickSign: Type.Boolean({ description: 'Participants sign in person: nobody is invited' }),
    multiFactorType: optional(
      stringEnum(MULTI_FACTOR_TYPES, { description: 'How one-time codes go out' }),
    ),
    pinRequired: optional(Type.Boolean({ description: 'Participants need the PIN of the case' })),
    callback: optional(Callback),
    reminders: optional(Reminders),
    sender: optional(Sender),
    device: optional(DeviceReference),
    participants: Type.Array(ParticipantDefinition, {
      minItems: 1,
      maxItems: limits.MAXIMUM_PARTICIPANTS,
      description: 'The people who sign',
    }),
  },
  { description: 'The case as the tenant defined it' },
)
export type CaseDefinition = Static<typeof CaseDefinition>

/** From where a person spoke to the service. */
const origin = {
  ip: text(64, 'Address of the caller'),
  userAgent: optional(text(limits.MAXIMUM_USER_AGENT_LENGTH, 'User-Agent of the caller')),
}

const Creation = Type.Object(
  {
    at: timestamp('When the case was created'),
    ip: optional(origin.ip),
    userAgent: origin.userAgent,
  },
  { description: 'Who created the case, and when' },
)

export const SignatureFact = Type.Object(
  {
    factId: uuid('Names this fact'),
    participantId: uuid('Who signed'),
    signedAt: timestamp('When the signature was accepted'),
    documentSha256: sha256('Digest of the document that was signed'),
    consent: Type.Object(
      {
        textVersion: text(
          limits.MAXIMUM_NAME_LENGTH,
          'Version of the consent text that was accepted',
        ),
        acceptedAt: timestamp('When it was accepted, by the clock of the client'),
      },
      { description: 'What the participant agreed to' },
    ),
    client: optional(
      Type.Object(
        {
          timezone: optional(text(limits.MAXIMUM_NAME_LENGTH, 'IANA time zone of the client')),
          language: optional(text(limits.MAXIMUM_NAME_LENGTH, 'Language of the client')),
          screen: optional(
            Type.Object(
              {
                width: Type.Number({ minimum: 0, maximum: 100_000, description: 'CSS pixels' }),
                height: Type.Number({ minimum: 0, maximum: 100_000, description: 'CSS pixels' }),
              },
              { description: 'Screen of the client' },
            ),
          ),
          viewedAllPages: optional(Type.Boolean({ description: 'Whether every page was shown' })),
        },
        { description: 'What the client told of itself' },
      ),
    ),
    drawing: Type.Object(
      {
        mediaType: stringEnum(['image/png', 'image/jpeg', 'image/svg+xml'], {
          description: 'What the drawing is; image/svg+xml holds path data alone',
        }),
        sha256: sha256('Digest of the drawing, which is also its key'),
      },
      { description: 'The drawn signature, kept in the object store' },
    ),
    fieldIds: optional(
      Type.Array(text(limits.MAXIMUM_NAME_LENGTH, 'Id of a field'), {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Predefined fields that the drawing goes to',
      }),
    ),
    rectangles: optional(
      Type.Array(Rectangle, {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: "The signer's own rectangles that the drawing goes to",
      }),
    ),
    pageSize: optional(
      Type.Object(
        {
          width: extent('Width of the page that the rectangles were drawn on'),
          height: extent('Height of the page that the rectangles were drawn on'),
        },
        { description: 'Page as displayed when the rectangles were drawn' },
      ),
    ),
    ...origin,
    kid: text(limits.MAXIMUM_NAME_LENGTH, 'Key of the MAC'),
    mac: sha256('HMAC-SHA256 of the API over this fact'),
  },
  { description: 'One signature, as a participant gave it' },
)
export type SignatureFact = Static<typeof SignatureFact>

export const Cancellation = Type.Object(
  {
    at: timestamp('When the tenant cancelled'),
    reason: optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    ip: optional(origin.ip),
    userAgent: origin.userAgent,
  },
  { description: 'That the tenant cancelled' },
)
export type Cancellation = Static<typeof Cancellation>

export const InvitationRequest = Type.Object(
  {
    requestId: uuid('Names this request'),
    participantId: uuid('Who is to be invited again'),
    at: timestamp('When the tenant asked'),
    ...origin,
  },
  { description: 'That the tenant asked for one more invitation' },
)
export type InvitationRequest = Static<typeof InvitationRequest>

export const CaseSpec = Type.Object(
  {
    definition: CaseDefinition,
    creation: Creation,
    signatures: Type.Array(SignatureFact, {
      maxItems: limits.MAXIMUM_SIGNATURE_FACTS,
      description: 'Signatures; they can only be added',
    }),
    invitations: optional(
      Type.Array(InvitationRequest, {
        maxItems: limits.MAXIMUM_INVITATION_REQUESTS,
        description: 'Further invitations that the tenant asked for',
      }),
    ),
    uploadRequestedAt: optional(timestamp('When the tenant last asked for a new upload URL')),
    cancellation: optional(Cancellation),
  },
  { description: 'What people said' },
)
export type CaseSpec = Static<typeof CaseSpec>

export const Condition = Type.Object(
  {
    type: text(limits.MAXIMUM_NAME_LENGTH, 'What the condition tells of'),
    status: stringEnum(['True', 'False', 'Unknown'], { description: 'Whether it holds' }),
    reason: text(limits.MAXIMUM_NAME_LENGTH, 'One word for machines'),
    message: Type.String({
      maxLength: limits.MAXIMUM_REASON_LENGTH,
      description: 'A sentence for people',
    }),
    lastTransitionTime: timestamp('When the status of the condition changed'),
  },
  { description: 'One thing that is so, or is not' },
)
export type Condition = Static<typeof Condition>

const StoredDocument = Type.Object({
  sha256: sha256('Digest of the bytes'),
  size: Type.Integer({ minimum: 0, description: 'Octets' }),
})

const ERASURE_RULES = ['annotation', 'retention'] as const

export const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: limits.MAXIMUM_RETENTION_DAYS,
  description: 'Days after its end for which a case is kept; without it, for ever',
})

/** By what rule the objects of a case are erased. */
const erasureRule = {
  rule: stringEnum(ERASURE_RULES, {
    description:
      'annotation: somebody asked for it; retention: the time that its tenant set is over',
  }),
  retentionDays: optional(RetentionDays),
}
export const ErasureRule = Type.Object(erasureRule)
export type ErasureRule = Static<typeof ErasureRule>

export const Erasure = Type.Object(
  {
    ...erasureRule,
    decidedAt: timestamp('Since when nothing of the case is given out any more'),
    erasedAt: optional(timestamp('When nothing was left')),
  },
  { description: 'That the documents and personal values of the case are erased' },
)
export type Erasure = Static<typeof Erasure>

export const CaseStatus = Type.Object(
  {
    phase: stringEnum(PHASES, { description: 'For people; nothing branches on it' }),
    observedGeneration: Type.Integer({ minimum: 0, description: 'Generation that was acted upon' }),
    signed: optional(text(16, 'Participants who signed, of all')),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description: 'Progress, and faults that were found',
    }),
    document: optional(
      Type.Object(
        {
          ...StoredDocument.properties,
          pageCount: Type.Integer({ minimum: 1, description: 'Pages' }),
          acceptedAt: timestamp('When the upload was accepted'),
        },
        { description: 'The accepted upload, frozen under a key that no URL can write' },
      ),
    ),
    rejectedAt: optional(timestamp('When the upload was rejected')),
    rejectReason: optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    rejectedSha256: optional(sha256('Digest of the rejected upload')),
    expiredAt: optional(timestamp('When the case expired')),
    cancelledAt: optional(timestamp('When the tenant cancelled')),
    cancelReason: optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    failedAt: optional(timestamp('When signing was given up')),
    failureReason: optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    completedAt: optional(timestamp('When both results were there')),
    signedDocument: optional(
      Type.Object(
        { ...StoredDocument.properties, level: text(32, 'PAdES level') },
        { description: 'The signed PDF' },
      ),
    ),
    evidenceDocument: optional(
      Type.Object(
        { ...StoredDocument.properties, level: text(32, 'PAdES level') },
        { description: 'The evidence PDF' },
      ),
    ),
    erasure: optional(Erasure),
  },
  { description: 'What the system made of it; written by the controller alone' },
)
export type CaseStatus = Static<typeof CaseStatus>

/** Kubernetes object metadata, as far as the service uses it. */
export interface ObjectMeta {
  name: string
  namespace: string
  /** Of the one resource that had this name at this time; nothing derives from it. */
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  /** When its removal was asked for; it stays until its finalizers are gone. */
  deletionTimestamp?: string
  finalizers?: string[]
  annotations?: Record<string, string>
}

export const API_VERSION = 'sigcase.dev/v1'
export const KIND = 'SignatureCase'

export interface SignatureCase {
  apiVersion: typeof API_VERSION
  kind: typeof KIND
  metadata: ObjectMeta
  spec: CaseSpec
  status?: CaseStatus
}
