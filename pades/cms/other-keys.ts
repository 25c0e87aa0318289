/** Finds the other keys of an authority, as self-issued certificates name them (RFC 5280, 3.2). */
import type { Certificate } from './certificate-reader.ts'
import { hasIssued } from './certification-path.ts'
import { compareOctets } from './der.ts'

/** Gives other certificates of an authority, whose keys may sign its revocation lists. */
export type FindOtherKeys = (authority: Certificate) => readonly Certificate[]

/** Certificates of one name that are looked at; an authority has few keys. */
const MAX_CANDIDATES = 10

/**
 * Finds certificates of the same authority with other keys: its old key has certified the new one,
 * its new key the old one, or its key for certificates the one for lists. One of both certificates
 * is self-issued, and the key of the other has signed it, so both keys belong to one authority.
 *
 * @param certificates of any origin
 */
export function findOtherKeys(certificates: readonly Certificate[]): FindOtherKeys {
  const known = new Map<string, readonly Certificate[]>()
  return (authority) => {
    const found = known.get(authority.sha256)
    if (found) return found
    const others = certificates
      .filter(({ subject }) => compareOctets(subject, authority.subject) === 0)
      .filter(({ sha256 }) => sha256 !== authority.sha256)
      .slice(0, MAX_CANDIDATES)
      .filter(
        (one) =>
          (one.selfIssued && hasIssued(authority, one)) ||
          (authority.selfIssued && hasIssued(one, authority)),
      )
    known.set(authority.sha256, others)
    return others
  }
}
