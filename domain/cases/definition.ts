/** The case as the tenant defined it: participants, deadline and callback. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { stringEnum, text, timestamp, uuid } from '../schema-parts.ts'
import { SignatureField } from './rectangle.ts'

export const LANGUAGES = ['sk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export const Address = Type.Object(
  {
    country: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'Country')),
    city: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'City')),
    street: Type.Optional(text(limits.MAXIMUM_TEXT_LENGTH, 'Street and number')),
    zip: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Postal code')),
  },
  { description: 'Postal address; stored for the tenant, not shown' },
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
    phone: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Number for SMS')),
    gender: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Stored for the tenant, not shown')),
    address: Type.Optional(Address),
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
    name: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'Shown as the sender of mails')),
    replyTo: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: limits.MAXIMUM_EMAIL_LENGTH,
        description: 'Address for replies to mails',
      }),
    ),
  },
  { description: 'Sender of mails' },
)

export const AUTH_TYPES = ['NONE', 'BASIC', 'API_KEY', 'OAUTH_CLIENT_CREDENTIALS'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

export const TOKEN_AUTH_METHODS = ['basic', 'post'] as const

/** Destination of webhooks; their credentials are in the case's secrets. */
export const Callback = Type.Object(
  {
    url: text(limits.MAXIMUM_URL_LENGTH, 'Receives the webhooks'),
    authType: stringEnum(AUTH_TYPES, { description: 'How webhooks authenticate' }),
    apiKeyHeader: Type.Optional(text(limits.MAXIMUM_TEXT_LENGTH, 'API_KEY: name of the header')),
    tokenUrl: Type.Optional(text(limits.MAXIMUM_URL_LENGTH, 'OAuth: issues the access token')),
    tokenAuthMethod: Type.Optional(
      stringEnum(TOKEN_AUTH_METHODS, { description: 'OAuth: how the client authenticates' }),
    ),
    scope: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: scope to request')),
    audience: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: audience to request')),
    data: Type.Optional(
      Type.String({
        format: 'json-object',
        maxLength: limits.MAXIMUM_CALLBACK_DATA_BYTES,
        description: 'JSON object of the tenant, returned unchanged',
      }),
    ),
    secretRef: Type.Optional(
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
  { description: "Destination of webhooks; their credentials are in the case's secrets" },
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
      { maxItems: limits.MAXIMUM_REMINDERS, description: 'Times of the reminders' },
    ),
  },
  { description: 'Mails to participants who have not signed yet' },
)

export const DeviceReference = Type.Object(
  { deviceId: uuid('A kiosk of the tenant') },
  { description: 'The kiosk that shows the case' },
)

export const CaseDefinition = Type.Object(
  {
    title: text(limits.MAXIMUM_TITLE_LENGTH, 'Title of the case and name of its documents'),
    validUntil: timestamp('Until when participants can sign'),
    quickSign: Type.Boolean({ description: 'Participants sign in person and are not invited' }),
    multiFactorType: Type.Optional(
      stringEnum(MULTI_FACTOR_TYPES, { description: 'Channel of one-time codes' }),
    ),
    ownPlaces: Type.Optional(
      Type.Boolean({
        description: 'Whether participants may choose where they sign; true when absent',
      }),
    ),
    pinRequired: Type.Optional(
      Type.Boolean({ description: 'Participants need the PIN of the case' }),
    ),
    callback: Type.Optional(Callback),
    reminders: Type.Optional(Reminders),
    sender: Type.Optional(Sender),
    device: Type.Optional(DeviceReference),
    participants: Type.Array(ParticipantDefinition, {
      minItems: 1,
      maxItems: limits.MAXIMUM_PARTICIPANTS,
      description: 'The people who sign',
    }),
  },
  { description: 'The case as the tenant defined it' },
)
export type CaseDefinition = Static<typeof CaseDefinition>
