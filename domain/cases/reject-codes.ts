/** Why an upload was rejected, for programs: pages have a sentence for each code. */
import { stringEnum } from '../schema-parts.ts'

export const REJECT_CODES = [
  'TOO_SMALL',
  'TOO_LARGE',
  'NOT_A_PDF',
  'DAMAGED',
  'DAMAGED_AND_SIGNED',
  'ENCRYPTED',
  'NO_PAGES',
  'DYNAMIC_FORM',
  'SHOWN_DIFFERENTLY',
  'SIGNING_FORBIDDEN',
  'TOO_COMPLEX',
  'FIELD_MISPLACED',
  'UNREADABLE',
] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/** A code, and a sentence that is more exact than it and says what to change. */
export interface Rejection {
  code: RejectCode
  reason: string
}

/** Schema of a code. */
export const rejectCode = () =>
  stringEnum(REJECT_CODES, {
    description: 'Why the upload was rejected, for programs; `rejectReason` is more exact',
  })
