/** The optional body of `DELETE /cases/{caseId}` (specification 4.3). */
import { Type } from '@sinclair/typebox'
import { MAXIMUM_REASON_LENGTH } from '../limits.ts'

export const CancelInput = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: MAXIMUM_REASON_LENGTH })) },
  { wellFormed: true },
)
