/** What a tenant should know about an accepted document that carries signatures already. */
import { Type, type Static } from '@sinclair/typebox'
import { stringEnum, text } from '../schema-parts.ts'

const DOCUMENT_WARNING_CODES = [
  'SIGNATURE_BROKEN',
  'CHANGED_AFTER_SIGNING',
  'SIGNATURES_NOT_CHECKED',
] as const

/** Keeps the warnings within the size of a case resource (`STATUS_BYTES`). */
export const MAXIMUM_DOCUMENT_WARNINGS = 10
/** Longer names of fields are cut off. */
export const MAXIMUM_FIELD_NAME_LENGTH = 100

export const DocumentWarning = Type.Object(
  {
    code: stringEnum(DOCUMENT_WARNING_CODES, {
      description:
        'SIGNATURE_BROKEN: a signature or document time-stamp is not valid (EN 319 102-1: ' +
        'FORMAT_FAILURE, HASH_FAILURE or SIG_CRYPTO_FAILURE); CHANGED_AFTER_SIGNING: the ' +
        'document was changed after it in a way that is not known to be harmless; ' +
        'SIGNATURES_NOT_CHECKED: the signatures could not be validated in time',
    }),
    fieldName: Type.Optional(
      text(MAXIMUM_FIELD_NAME_LENGTH, 'Name of the signature field, from the PDF'),
    ),
  },
  { description: 'A problem of a signature that the upload carried' },
)
export type DocumentWarning = Static<typeof DocumentWarning>

export const documentWarnings = Type.Optional(
  Type.Array(DocumentWarning, {
    maxItems: MAXIMUM_DOCUMENT_WARNINGS,
    description:
      'Problems of the signatures that the upload carried; absent when there are none. They do ' +
      'not prevent signing',
  }),
)
