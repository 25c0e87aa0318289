/** The bodies of `POST /verify/uploads` and `POST /verify` (specification 4.12, 4.13). */
import { Type, type Static } from '@sinclair/typebox'
import { MAXIMUM_PDF_BYTES } from '../limits.ts'

const MAXIMUM_KEY_LENGTH = 255

export const VerificationInput = Type.Object(
  {
    key: Type.String({
      maxLength: MAXIMUM_KEY_LENGTH,
      description: '`key` from the response of `POST /verify/uploads`',
    }),
  },
  { description: 'The upload to verify' },
)
export type VerificationInput = Static<typeof VerificationInput>

/** `size` and the whole body are optional. */
export const VerificationUploadInput = Type.Object(
  {
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAXIMUM_PDF_BYTES,
        description: 'Size of the PDF in bytes; without it, 25 MB count towards the upload limits',
      }),
    ),
  },
  { description: 'The PDF that is going to be uploaded' },
)
export type VerificationUploadInput = Static<typeof VerificationUploadInput>
