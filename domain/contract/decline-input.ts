/** The body of `POST /participant/{participantId}/decline` (decision 215). */
import { Type, type Static } from '@sinclair/typebox'
import { MAXIMUM_REASON_LENGTH } from '../limits.ts'

export const DeclineInput = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        maxLength: MAXIMUM_REASON_LENGTH,
        description: 'Why the participant does not want to sign; the mail and the trail contain it',
      }),
    ),
  },
  { wellFormed: true, description: 'A participant does not want to sign' },
)
export type DeclineInput = Static<typeof DeclineInput>
