/** The body of `POST /participant/{participantId}/signature` (specification 4.9). */
import { Type, type Static } from '@sinclair/typebox'
import { Rectangle } from '../cases/rectangle.ts'
import { SignatureFact } from '../cases/spec.ts'
import { stringEnum, timestamp } from '../schema-parts.ts'
import { CONSENT_VERSIONS } from '../consent.ts'
import * as limits from '../limits.ts'
import { withEmptyTexts } from './optional-texts.ts'

const { fieldIds, pageSize, client } = SignatureFact.properties

const ConsentInput = Type.Object(
  {
    textVersion: stringEnum(CONSENT_VERSIONS, {
      description: '`version` of the consent text that the participant saw',
    }),
    acceptedAt: timestamp('When the participant accepted it, by the clock of the client'),
  },
  { description: 'Consent of the participant' },
)

const ClientInput = withEmptyTexts(client)

export const SigningInput = Type.Object(
  {
    encodedSignature: Type.String({
      minLength: 1,
      maxLength: limits.MAXIMUM_ENCODED_DRAWING_LENGTH,
      description:
        'PNG or JPEG in base64, or SVG path data such as `M0 20 C20 0 40 40 60 20`; with or ' +
        'without a data URL prefix. The service scales the drawing into the rectangle; `y` of a ' +
        'path grows downwards',
    }),
    fieldIds: fieldIds,
    signatures: Type.Optional(
      Type.Array(Rectangle, {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: "The participant's own rectangles; used when fieldIds is absent",
      }),
    ),
    pageSize: pageSize,
    consent: ConsentInput,
    client: Type.Optional(ClientInput),
  },
  { wellFormed: true, description: 'The signature of a participant' },
)
export type SigningInput = Static<typeof SigningInput>

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const SIGNING_SCHEMAS = {
  Client: ClientInput,
  Consent: ConsentInput,
  PageSize: pageSize,
  Rectangle,
  Screen: client.properties.screen,
  SigningInput,
} as const
