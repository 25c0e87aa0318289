/** The body of `POST /participant/{participantId}/otp/verify` (specification 4.11). */
import { Type, type Static } from '@sinclair/typebox'
import { CODE_DIGITS } from '../limits.ts'

export const CodeInput = Type.Object(
  {
    code: Type.String({
      pattern: `^[0-9]{${CODE_DIGITS}}$`,
      description: 'The one-time code that the participant received: six digits',
    }),
  },
  { description: 'A one-time code to check' },
)
export type CodeInput = Static<typeof CodeInput>
