/** Whether an encrypted document may be signed, and why not (ISO 32000-2, 7.6.4.2, table 22). */
import { PadesError } from '../../errors.ts'
import type { Encryption, LockReason } from './encryption.ts'

/** Bits of `P`, from 1 for the lowest. */
const CHANGE_DOCUMENT_BIT = 4
const ANNOTATE_BIT = 6
/** Bit 6 allows annotations and filling; together with bit 4 it allows new form fields. */
const NEEDED_BITS = [CHANGE_DOCUMENT_BIT, ANNOTATE_BIT] as const

const WITHOUT_PROTECTION = 'upload one without protection'

const LOCKED: Readonly<Record<LockReason, string>> = {
  PASSWORD: `The PDF opens only with a password; ${WITHOUT_PROTECTION}`,
  HANDLER:
    'The PDF is encrypted for certain recipients or by a special program,' +
    ` and not with a password; ${WITHOUT_PROTECTION}`,
  METHOD: `The PDF is encrypted with a method that is not supported; ${WITHOUT_PROTECTION}`,
  CONTRADICTION:
    'The entries of the PDF that describe its encryption contradict each other;' +
    ` ${WITHOUT_PROTECTION}`,
  DAMAGE: `The PDF is both encrypted and damaged; ${WITHOUT_PROTECTION}`,
}

const NOT_READ_BY_ALL =
  'The PDF is encrypted with a method that not every PDF program supports;' +
  ` ${WITHOUT_PROTECTION}`

/**
 * Why the strings and streams of a document cannot be read.
 *
 * @returns an error `ENCRYPTED` with a sentence for the person who uploaded the document
 */
export function lockedError(encryption: Encryption | undefined): PadesError {
  const reason = encryption?.state === 'locked' ? encryption.reason : 'METHOD'
  return new PadesError('ENCRYPTED', LOCKED[reason])
}

/**
 * Refuses an encrypted document that cannot be read, or whose permissions do not allow new
 * signature fields.
 *
 * @param encryption undefined for a document that is not encrypted
 * @throws PadesError `ENCRYPTED` - with a sentence that says why
 */
export function assertMaySign(encryption: Encryption | undefined): void {
  if (!encryption) return
  if (encryption.state === 'locked') throw lockedError(encryption)
  const { permissions, isReadByAll } = encryption
  if (!isReadByAll) throw new PadesError('ENCRYPTED', NOT_READ_BY_ALL)
  const missing = NEEDED_BITS.filter((bit) => (permissions & (1 << (bit - 1))) === 0)
  if (missing.length > 0) throw new PadesError('ENCRYPTED', forbidden(missing))
}

function forbidden(bits: readonly number[]): string {
  const named = bits.map((bit) =>
    bit === ANNOTATE_BIT ? `comments and forms (bit ${bit})` : `changes (bit ${bit})`,
  )
  return (
    'The permissions of the PDF forbid adding signature fields:' +
    ` they do not allow ${named.join(' or ')}; ${WITHOUT_PROTECTION}`
  )
}
