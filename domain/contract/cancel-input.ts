/** The optional body of `DELETE /cases/{caseId}` (specification 4.3). */
import { Type } from '@sinclair/typebox'
import { MAXIMUM_REASON_LENGTH } from '../limits.ts'

export const CancelInput = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        maxLength: MAXIMUM_REASON_LENGTH,
        description: 'Why the case is cancelled; the cancellation mail and the trail contain it',
      }),
    ),
  },
  { wellFormed: true, description: 'Details of a cancellation' },
)
