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
import { stringEnum, text } from '../schema-parts.ts'
import * as limits from '../limits.ts'
import { withEmptyTexts } from './optional-texts.ts'
import { ONE_LINE } from '../visible-text.ts'
import { HEADER_NAME_PATTERN, HEADER_VALUE_PATTERN } from './callback-rules.ts'

/** `\p{Cc}`, and `\p{Z}` with U+FEFF, written so that a pattern needs no flag `u`. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'

/** Names and titles; `visible-text.ts` has the rules. */
const visibleText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, visibleText: true, description })
const url = (rules: object, description: string) =>
  Type.String({ format: 'uri', maxLength: limits.MAXIMUM_URL_LENGTH, ...rules, description })
const email = (description: string) =>
  Type.String({ format: 'email', maxLength: limits.MAXIMUM_EMAIL_LENGTH, description })

const Callback = Type.Object(
  {
    url: url({ webUrl: true }, 'URL that receives the webhooks: http or https, publicly reachable'),
    authType: stringEnum(AUTH_TYPES, {
      description: 'Authentication of webhook requests, in addition to the signature',
    }),
    clientId: Type.Optional(
      text(limits.MAXIMUM_TEXT_LENGTH, 'User name of BASIC (no colon), or client id of OAuth'),
    ),
    clientSecret: Type.Optional(
      text(limits.MAXIMUM_REASON_LENGTH, 'Password of BASIC, or client secret of OAuth'),
    ),
    tokenUrl: Type.Optional(
      url({ httpsUrl: true }, 'OAuth: https URL of the token endpoint (RFC 6749, 4.4)'),
    ),
    tokenAuthMethod: Type.Optional(
      stringEnum(TOKEN_AUTH_METHODS, {
        description:
          'OAuth: `basic` sends the credentials in `Authorization`, `post` in the form; default ' +
          'basic',
      }),
    ),
    scope: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: requested scope')),
    audience: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'OAuth: requested audience')),
    apiKeyHeader: Type.Optional(
      Type.String({
        maxLength: limits.MAXIMUM_TEXT_LENGTH,
        pattern: HEADER_NAME_PATTERN,
        headerName: true,
        description: 'API_KEY: name of the header that carries the key',
      }),
    ),
    apiKeyValue: Type.Optional(
      Type.String({
        maxLength: limits.MAXIMUM_REASON_LENGTH,
        pattern: HEADER_VALUE_PATTERN,
        description: 'API_KEY: the key, in visible ASCII',
      }),
    ),
    signingSecret: Type.Optional(
      Type.String({
        minLength: limits.MINIMUM_SIGNING_SECRET_LENGTH,
        maxLength: limits.MAXIMUM_SIGNING_SECRET_LENGTH,
        description: 'Key of the HMAC in `Service-Signature`; use random characters',
      }),
    ),
    data: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxJsonBytes: true,
          maxJsonDepth: true,
          description:
            'Free-form data of at most 16 KiB and 100 levels, returned unchanged in every webhook',
        },
      ),
    ),
  },
  {
    authenticated: true,
    description:
      'Receiver of webhooks. The credentials depend on `authType`; they are never returned',
  },
)
const CallbackInput = withEmptyTexts(Callback)

const SignatureFieldInput = withEmptyTexts(
  Type.Object(
    {
      id: Type.Optional(
        text(
          limits.MAXIMUM_NAME_LENGTH,
          'Id of the field, unique for its participant; the service makes one when it is absent',
        ),
      ),
      ...Rectangle.properties,
    },
    {
      insidePage: true,
      minimumSize: true,
      description:
        'Signature field, inside its page and at least 4 pt wide and high; the origin is the top ' +
        'left corner',
    },
  ),
)

const AddressInput = withEmptyTexts(Address)

const ParticipantInput = withEmptyTexts(
  Type.Object(
    {
      firstName: visibleText(limits.MAXIMUM_NAME_LENGTH, `Given name: ${ONE_LINE}`),
      lastName: visibleText(limits.MAXIMUM_NAME_LENGTH, `Family name: ${ONE_LINE}`),
      email: email('Address for invitations, codes and the signed document'),
      phone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.MAXIMUM_PHONE_LENGTH,
          phoneNumber: true,
          description: 'Six to fifteen digits with optional + and common separators',
        }),
      ),
      gender: Type.Optional(text(limits.MAXIMUM_PHONE_LENGTH, 'Free text; stored, but not shown')),
      address: Type.Optional(AddressInput),
      notify: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether the service sends mails to the participant',
        }),
      ),
      language: Type.Optional(
        stringEnum(LANGUAGES, { default: 'en', description: 'Language of pages and mails' }),
      ),
      signatureFields: Type.Optional(
        Type.Array(SignatureFieldInput, {
          maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
          uniqueFieldIds: true,
          description:
            'Fields that the participant signs. Without fields, the participant chooses the place',
        }),
      ),
    },
    { description: 'A person who signs' },
  ),
)

const SenderInput = withEmptyTexts(
  Type.Object(
    {
      ...Sender.properties,
      name: Type.Optional(
        visibleText(limits.MAXIMUM_NAME_LENGTH, `Shown as the sender of mails: ${ONE_LINE}`),
      ),
    },
    { description: 'Sender of the mails to participants' },
  ),
)

export const CaseInput = Type.Object(
  {
    title: visibleText(limits.MAXIMUM_TITLE_LENGTH, `Title of the document: ${ONE_LINE}`),
    quickSign: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether participants sign in person: they get no invitations',
      }),
    ),
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
        pattern: `^[${SPACES}]*[^${CONTROLS}${SPACES}][^${CONTROLS}]*$`,
        deprecated: true,
        description: 'PIN of the case, used only without `multiFactorType`; use that instead',
      }),
    ),
    validUntil: Type.String({
      format: 'date-time',
      future: true,
      description: 'Deadline for all signatures (RFC 3339), in the future',
    }),
    multiFactorType: Type.Optional(
      stringEnum(MULTI_FACTOR_TYPES, {
        description: 'Channel of the one-time code that each participant must enter',
      }),
    ),
    callback: Type.Optional(CallbackInput),
    reminders: Type.Optional(Reminders),
    sender: Type.Optional(SenderInput),
    device: Type.Optional(DeviceReference),
    participants: Type.Array(ParticipantInput, {
      minItems: 1,
      maxItems: limits.MAXIMUM_PARTICIPANTS,
      description: 'The people who sign',
    }),
  },
  { wellFormed: true, placesForAll: true, description: 'A new signature case' },
)
export type CaseInput = Static<typeof CaseInput>

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const CASE_INPUT_SCHEMAS = {
  Address: AddressInput,
  CallbackInput,
  CaseInput,
  ParticipantInput,
  Reminders,
  SenderInput,
  SignatureFieldInput,
} as const
