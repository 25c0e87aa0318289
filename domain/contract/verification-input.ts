/** The body of `POST /verify` (specification 4.13). */
import { Type, type Static } from '@sinclair/typebox'

const MAXIMUM_KEY_LENGTH = 255

export const VerificationInput = Type.Object({
  key: Type.String({
    maxLength: MAXIMUM_KEY_LENGTH,
    description: 'As `POST /verify/uploads` answered it',
  }),
})
export type VerificationInput = Static<typeof VerificationInput>
