/** The body of `POST /participant/{participantId}/signature` (specification 4.9). */
import { Type, type Static } from '@sinclair/typebox'
import { Rectangle } from '../cases/rectangle.ts'
import { SignatureFact } from '../cases/spec.ts'
import { stringEnum } from '../schema-parts.ts'
import { CONSENT_TEXTS } from '../consent.ts'
import * as limits from '../limits.ts'
import { withEmptyTexts } from './optional-texts.ts'

const { fieldIds, pageSize, client } = SignatureFact.properties

export const SigningInput = Type.Object(
  {
    encodedSignature: Type.String({
      minLength: 1,
      maxLength: limits.MAXIMUM_ENCODED_DRAWING_LENGTH,
      description: 'PNG or JPEG in base64, or SVG path data; with or without a data URL prefix',
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
    consent: Type.Object({
      textVersion: stringEnum(CONSENT_TEXTS.map(({ version }) => version)),
      acceptedAt: Type.String({ format: 'date-time' }),
    }),
    client: Type.Optional(withEmptyTexts(client)),
  },
  { wellFormed: true },
)
export type SigningInput = Static<typeof SigningInput>
