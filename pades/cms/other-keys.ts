/** Finds the other keys of an authority, as self-issued certificates name them (RFC 5280, 3.2). */
import type { Certificate } from './certificate-reader.ts'
import { hasIssued, mayHaveIssued } from './issuers.ts'
import { compareOctets } from './der.ts'

/** Gives other certificates of an authority, whose keys may sign its revocation lists. */
export type FindOtherKeys = (authority: Certificate) => readonly Certificate[]

/**
 * Signatures verified for one document. It is more than a security store may have certificates, so
 * that others of the same name do not hide a key; verifying them all takes 0.3 s on Node and 1.6 s
 * on Deno.
 */
const MAX_SIGNATURES_TRIED = 2_500

/** Whether the key of one certificate has signed the self-issued certificate of an authority. */
export const isAbove = (one: Certificate, authority: Certificate): boolean =>
  authority.selfIssued && hasIssued(one, authority)

/**
 * Finds certificates of the same authority with other keys: its old key has certified the new one,
 * its new key the old one, or its key for certificates the one for lists. One of both certificates
 * is self-issued, and the key of the other has signed it, so both keys belong to one authority.
 *
 * @param certificates of any origin, trusted ones first: 2,500 signatures are verified at most
 */
export function findOtherKeys(certificates: readonly Certificate[]): FindOtherKeys {
  const known = new Map<string, readonly Certificate[]>()
  let unique: readonly Certificate[] | undefined
  let tried = 0
  const isTried = (issuer: Certificate, one: Certificate) =>
    mayHaveIssued(issuer, one) && ++tried <= MAX_SIGNATURES_TRIED && hasIssued(issuer, one)
  return (authority) => {
    const found = known.get(authority.sha256)
    if (found) return found
    unique ??= [...new Map(certificates.map((one) => [one.sha256, one])).values()]
    const others = unique
      .filter(({ subject }) => compareOctets(subject, authority.subject) === 0)
      .filter(({ sha256 }) => sha256 !== authority.sha256)
      .filter(
        (one) =>
          (one.selfIssued && isTried(authority, one)) ||
          (authority.selfIssued && isTried(one, authority)),
      )
    known.set(authority.sha256, others)
    return others
  }
}
