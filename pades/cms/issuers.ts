/** Decides whether a certificate issued another, by names, keys and signature (RFC 5280). */

import type { Certificate } from './certificate-reader.ts'
import { compareOctets } from './der.ts'
import { relativeNameKeys } from './name-matching.ts'
import { knownAlgorithm, signatureIsRight } from './signature-algorithms.ts'

const same = (a: Uint8Array, b: Uint8Array) => compareOctets(a, b) === 0

/** Whether names and key identifiers let `issuer` be the issuer of `certificate`. */
export function mayHaveIssued(issuer: Certificate, certificate: Certificate): boolean {
  const hasSameName = same(issuer.subject, certificate.issuer)
  const named = certificate.authorityKeyIdentifier
  const own = named && issuer.subjectKeyIdentifier
  if (hasSameName) return !named || !own || same(named, own)
  // Names are compared as texts only where the keys agree: that costs more than octets.
  if (!named || !own || !same(named, own)) return false
  return isSameName(issuer.subject, certificate.issuer)
}

/** Whether two names differ only in how they are written (RFC 5280, 7.1). */
function isSameName(one: Uint8Array, other: Uint8Array): boolean {
  try {
    return relativeNameKeys(one).join() === relativeNameKeys(other).join()
  } catch {
    return false
  }
}

/** Whether one certificate's key has signed the other never changes: it is verified once. */
const verdicts = new WeakMap<Certificate, WeakMap<Certificate, boolean | undefined>>()

/**
 * Returns the verdicts on the signature of a certificate that exist, by issuer; a verdict is
 * undefined when the signature cannot be verified.
 */
export const verdictsOn = (
  certificate: Certificate,
): Pick<WeakMap<Certificate, boolean | undefined>, 'has' | 'get'> | undefined =>
  verdicts.get(certificate)

/** Whether the key of the issuer signed the certificate; each pair is verified once. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  const own = verdicts.get(certificate) ?? new WeakMap<Certificate, boolean | undefined>()
  const verdict = own.has(issuer) ? own.get(issuer) : signatureVerdict(certificate, issuer)
  verdicts.set(certificate, own.set(issuer, verdict))
  return verdict === true
}

/** Undefined when the signature cannot be verified, as with an algorithm that is not known. */
function signatureVerdict(certificate: Certificate, issuer: Certificate): boolean | undefined {
  try {
    const algorithm = knownAlgorithm(certificate.signatureAlgorithm)
    return (
      algorithm &&
      signatureIsRight(algorithm, issuer, certificate.toBeSigned, certificate.signature)
    )
  } catch {
    return false
  }
}

/** A signature of a large key takes milliseconds, and an authority has few keys of one name. */
const MAX_CANDIDATES = 4

/**
 * Finds the issuer of a certificate among candidates of any origin.
 *
 * @returns undefined when none of the first four with the right name has signed it
 */
export const findIssuer = (
  candidates: readonly Certificate[],
  certificate: Certificate,
): Certificate | undefined =>
  candidates
    .filter((one) => mayHaveIssued(one, certificate))
    .slice(0, MAX_CANDIDATES)
    .find((one) => isIssuedBy(certificate, one))

/** Whether the names agree and the one has signed the other; nothing is said of its right to. */
export const hasIssued = (issuer: Certificate, certificate: Certificate): boolean =>
  mayHaveIssued(issuer, certificate) && isIssuedBy(certificate, issuer)
