/** Finds the other keys of an authority, as self-issued certificates name them (RFC 5280, 3.2). */
import type { Certificate } from './certificate-reader.ts'
import { hasIssued } from './certification-path.ts'
import { compareOctets } from './der.ts'

/** Gives other certificates of an authority, whose keys may sign its revocation lists. */
export type FindOtherKeys = (authority: Certificate) => readonly Certificate[]

/** Self-issued certificates of one name whose signatures are verified; each takes milliseconds. */
const MAX_CANDIDATES = 100

/** Whether the key of one certificate has signed the self-issued certificate of an authority. */
export const isAbove = (one: Certificate, authority: Certificate): boolean =>
  authority.selfIssued && hasIssued(one, authority)

/**
 * Finds certificates of the same authority with other keys: its old key has certified the new one,
 * its new key the old one, or its key for certificates the one for lists. One of both certificates
 * is self-issued, and the key of the other has signed it, so both keys belong to one authority.
 *
 * @param certificates of any origin, trusted ones first: the first 100 that may fit are looked at
 */
export function findOtherKeys(certificates: readonly Certificate[]): FindOtherKeys {
  const known = new Map<string, readonly Certificate[]>()
  return (authority) => {
    const found = known.get(authority.sha256)
    if (found) return found
    const others = certificates
      .filter(({ subject }) => compareOctets(subject, authority.subject) === 0)
      .filter(({ sha256 }) => sha256 !== authority.sha256)
      .filter((one) => one.selfIssued || authority.selfIssued)
      .slice(0, MAX_CANDIDATES)
      .filter((one) => (one.selfIssued && hasIssued(authority, one)) || isAbove(one, authority))
    known.set(authority.sha256, others)
    return others
  }
}
