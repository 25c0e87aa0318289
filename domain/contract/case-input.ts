/**
 * The body of `POST /cases` (specification 4.1), including rules that JSON Schema cannot express.
 */
import { Type, type Static } from '@sinclair/typebox'
import {
  Address,
  AUTH_TYPES,
  DeviceReference,
  LANGUAGES,
  MULTI_FACTOR_TYPES,
  Reminders,
  Sender,
  TOKEN_AUTH_METHODS,
} from '../cases/definition.ts'
import { Rectangle } from '../cases/rectangle.ts'
import { stringEnum } from '../schema-parts.ts'
import * as limits from '../limits.ts'
import { withEmptyTexts } from './optional-texts.ts'
import { ONE_LINE } from '../visible-text.ts'
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN } from './callback-rules.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
/** Names and titles; `visible-text.ts` has the rules. */
const visibleText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, visibleText: true, description })
const url = (rules: object) =>
  Type.String({ format: 'uri', maxLength: limits.MAXIMUM_URL_LENGTH, ...rules })
const email = () => Type.String({ format: 'email', maxLength: limits.MAXIMUM_EMAIL_LENGTH })

const CallbackInput = Type.Object(
  {
    url: url({ webUrl: true }),
    authType: stringEnum(AUTH_TYPES),
    clientId: Type.Optional(text(limits.MAXIMUM_TEXT_LENGTH)),
    clientSecret: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH)),
    tokenUrl: Type.Optional(url({ httpsUrl: true })),
    tokenAuthMethod: Type.Optional(stringEnum(TOKEN_AUTH_METHODS)),
    scope: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH)),
    audience: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH)),
    apiKeyHeader: Type.Optional(
      Type.String({
        maxLength: limits.MAXIMUM_TEXT_LENGTH,
        pattern: HEADER_NAME_PATTERN,
        headerName: true,
      }),
    ),
    apiKeyValue: Type.Optional(
      Type.String({ maxLength: limits.MAXIMUM_REASON_LENGTH, pattern: HEADER_VALUE_PATTERN }),
    ),
    signingSecret: Type.Optional(
      Type.String({
        minLength: limits.MINIMUM_SIGNING_SECRET_LENGTH,
        maxLength: limits.MAXIMUM_SIGNING_SECRET_LENGTH,
      }),
    ),
    data: Type.Optional(
      Type.Object({}, { additionalProperties: true, maxJsonBytes: true, maxJsonDepth: true }),
    ),
  },
  { authenticated: true },
)

const SignatureFieldInput = withEmptyTexts(
  Type.Object(
    { id: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH)), ...Rectangle.properties },
    { insidePage: true, minimumSize: true },
  ),
)

export const ParticipantInput = withEmptyTexts(
  Type.Object({
    firstName: visibleText(limits.MAXIMUM_NAME_LENGTH, `Given name: ${ONE_LINE}`),
    lastName: visibleText(limits.MAXIMUM_NAME_LENGTH, `Family name: ${ONE_LINE}`),
    email: email(),
    phone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.MAXIMUM_PHONE_LENGTH,
        phoneNumber: true,
        description: 'Six to fifteen digits with optional + and common separators',
      }),
    ),
    gender: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH)),
    address: Type.Optional(withEmptyTexts(Address)),
    notify: Type.Optional(Type.Boolean({ default: true })),
    language: Type.Optional(stringEnum(LANGUAGES, { default: 'en' })),
    signatureFields: Type.Optional(
      Type.Array(SignatureFieldInput, {
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        uniqueFieldIds: true,
      }),
    ),
  }),
)

const SenderInput = withEmptyTexts(
  Type.Object({
    ...Sender.properties,
    name: Type.Optional(
      visibleText(limits.MAXIMUM_NAME_LENGTH, `Shown as the sender of mails: ${ONE_LINE}`),
    ),
  }),
)

export const CaseInput = Type.Object(
  {
    title: visibleText(limits.MAXIMUM_TITLE_LENGTH, `Title of the document: ${ONE_LINE}`),
    quickSign: Type.Optional(Type.Boolean({ default: false })),
    ownPlaces: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether participants may choose where they sign (`signatures` of the signing ' +
          'request). With false, each participant must have `signatureFields`',
      }),
    ),
    pin: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.MAXIMUM_TEXT_LENGTH,
        // Other characters could not be sent in a header. The parts of the pattern are disjoint, so
        // matching takes linear time.
        pattern: '^[\\p{Z}\\ufeff]*[^\\p{Cc}\\p{Z}\\ufeff][^\\p{Cc}]*$',
        description: 'Deprecated; used only without multiFactorType',
      }),
    ),
    validUntil: Type.String({ format: 'date-time', future: true }),
    multiFactorType: Type.Optional(stringEnum(MULTI_FACTOR_TYPES)),
    callback: Type.Optional(CallbackInput),
    reminders: Type.Optional(Reminders),
    sender: Type.Optional(SenderInput),
    device: Type.Optional(DeviceReference),
    participants: Type.Array(ParticipantInput, {
      minItems: 1,
      maxItems: limits.MAXIMUM_PARTICIPANTS,
    }),
  },
  { wellFormed: true, placesForAll: true },
)
export type CaseInput = Static<typeof CaseInput>
