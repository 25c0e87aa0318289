/** The definition of a case: title, participants, deadline, webhooks and mails. */
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
  { description: 'Postal address; stored, but not shown' },
)

export const ParticipantDefinition = Type.Object(
  {
    id: uuid('Id of the participant, a path segment of the signing link'),
    firstName: text(limits.MAXIMUM_NAME_LENGTH, 'Given name'),
    lastName: text(limits.MAXIMUM_NAME_LENGTH, 'Family name'),
    email: Type.String({
      format: 'email',
      maxLength: limits.MAXIMUM_EMAIL_LENGTH,
      description: 'Address for mails',
    }),
    phone: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Phone number for SMS')),
    gender: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Stored, but not shown')),
    address: Type.Optional(Address),
    notify: Type.Boolean({ description: 'Whether the service sends mails to the participant' }),
    language: stringEnum(LANGUAGES, { description: 'Language of pages and mails' }),
    signatureFields: Type.Array(SignatureField, {
      maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
      description: 'Predefined signature fields of the participant',
    }),
  },
  { description: 'A person who signs' },
)
export type ParticipantDefinition = Static<typeof ParticipantDefinition>

export const Sender = Type.Object(
  {
    name: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'Display name of the sender of mails')),
    replyTo: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: limits.MAXIMUM_EMAIL_LENGTH,
        description: 'Reply-To address of mails',
      }),
    ),
  },
  { description: 'Sender of the mails to participants' },
)

export const AUTH_TYPES = ['NONE', 'BASIC', 'API_KEY', 'OAUTH_CLIENT_CREDENTIALS'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

export const TOKEN_AUTH_METHODS = ['basic', 'post'] as const

/** Receiver of the webhooks; the credentials are in the Secret of the case. */
export const Callback = Type.Object(
  {
    url: text(limits.MAXIMUM_URL_LENGTH, 'URL that receives the webhooks'),
    authType: stringEnum(AUTH_TYPES, { description: 'Authentication of webhook requests' }),
    apiKeyHeader: Type.Optional(
      text(limits.MAXIMUM_TEXT_LENGTH, 'API_KEY: name of the header for the key'),
    ),
    tokenUrl: Type.Optional(text(limits.MAXIMUM_URL_LENGTH, 'OAuth: URL of the token endpoint')),
    tokenAuthMethod: Type.Optional(
      stringEnum(TOKEN_AUTH_METHODS, {
        description: 'OAuth: client authentication at the token endpoint',
      }),
    ),
    scope: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: requested scope')),
    audience: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: requested audience')),
    data: Type.Optional(
      Type.String({
        format: 'json-object',
        maxLength: limits.MAXIMUM_CALLBACK_DATA_BYTES,
        description: 'JSON object that webhooks return unchanged',
      }),
    ),
    secretRef: Type.Optional(
      Type.Object(
        { name: text(limits.MAXIMUM_TEXT_LENGTH, 'Name of the Secret') },
        {
          description:
            'Secret with clientId, clientSecret, apiKeyValue and signingSecret, as required; its ' +
            'label is sigcase.dev/callback-credentials=true. Only for applied cases',
        },
      ),
    ),
  },
  { description: 'Receiver of the webhooks; the credentials are in the Secret of the case' },
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
      { maxItems: limits.MAXIMUM_REMINDERS, description: 'Days on which reminders are sent' },
    ),
  },
  { description: 'Reminder mails to participants who have not signed yet' },
)

export const DeviceReference = Type.Object(
  { deviceId: uuid('Id of a kiosk of the tenant') },
  { description: 'Kiosk that shows the case' },
)

export const CaseDefinition = Type.Object(
  {
    title: text(limits.MAXIMUM_TITLE_LENGTH, 'Title of the case and name of its documents'),
    validUntil: timestamp('Deadline for signatures'),
    quickSign: Type.Boolean({ description: 'Participants sign in person and get no invitations' }),
    multiFactorType: Type.Optional(
      stringEnum(MULTI_FACTOR_TYPES, { description: 'Channel of one-time codes' }),
    ),
    ownPlaces: Type.Optional(
      Type.Boolean({
        description: 'Whether participants may choose where they sign; default true',
      }),
    ),
    pinRequired: Type.Optional(
      Type.Boolean({ description: 'Whether participants need the PIN of the case' }),
    ),
    callback: Type.Optional(Callback),
    reminders: Type.Optional(Reminders),
    sender: Type.Optional(Sender),
    device: Type.Optional(DeviceReference),
    participants: Type.Array(ParticipantDefinition, {
      minItems: 1,
      maxItems: limits.MAXIMUM_PARTICIPANTS,
      description: 'People who sign',
    }),
  },
  { description: 'Definition of the case by the tenant' },
)
export type CaseDefinition = Static<typeof CaseDefinition>
