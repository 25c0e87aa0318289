/** The bodies of `POST /verify/uploads` and `POST /verify` (specification 4.12, 4.13). */
import { Type, type Static } from '@sinclair/typebox'
import { MAXIMUM_PDF_BYTES } from '../limits.ts'

const MAXIMUM_KEY_LENGTH = 255

export const VerificationInput = Type.Object({
  key: Type.String({
    maxLength: MAXIMUM_KEY_LENGTH,
    description: 'From the response of `POST /verify/uploads`',
  }),
})
export type VerificationInput = Static<typeof VerificationInput>

/** `size` and the whole body are optional. */
export const VerificationUploadInput = Type.Object({
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAXIMUM_PDF_BYTES,
      description: 'Octets of the PDF; when absent, 25 MB count towards the limits of uploads',
    }),
  ),
})
export type VerificationUploadInput = Static<typeof VerificationUploadInput>
