/** Why a case failed, for programs: pages have a sentence for each code. */
import { stringEnum } from '../schema-parts.ts'

export const FAILURE_CODES = [
  'DOCUMENT_UNSIGNABLE',
  'SIGNATURE_UNUSABLE',
  'DATA_CHANGED',
  'DATA_MISSING',
  'SIGNING_UNAVAILABLE',
  'CERTIFICATE_REVOKED',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** A code, and a sentence that is more exact than it. */
export interface Failure {
  code: FailureCode
  reason: string
}

/** Schema of a code. */
export const failureCode = () =>
  stringEnum(FAILURE_CODES, {
    description:
      'Why the document could not be signed, for programs; `failureReason` is more exact',
  })
