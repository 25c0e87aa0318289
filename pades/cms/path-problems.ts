/** Checks one certification path: validity, authority, constraints, use (RFC 5280, 6.1). */

import { KEY_USAGE } from './certificate-reader.ts'
import type { Certificate } from './certificate-reader.ts'
import { policiesHold } from './certificate-policies.ts'
import type { PolicyOptions } from './certificate-policies.ts'
import { DerError } from './der-reader.ts'
import { nameConstraintsHold } from './name-constraints.ts'
import { OID } from './object-identifiers.ts'

export type PathPurpose = 'signature' | 'time-stamp' | 'revocation-list'

/** Why there is no good path, as keys of the catalogue of findings. */
export type PathProblem =
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'CERTIFICATE_NOT_YET_VALID'
  | 'CERTIFICATE_EXPIRED'
  | 'ISSUER_OUTSIDE_VALIDITY'
  | 'ISSUER_IS_NO_AUTHORITY'
  | 'PATH_TOO_LONG'
  | 'KEY_USAGE_FORBIDS'
  | 'UNKNOWN_CRITICAL_EXTENSION'
  | 'NAME_CONSTRAINTS_NOT_MET'
  | 'POLICY_CONSTRAINTS_NOT_MET'

/** Extensions that are checked here, or need no check; another one that is critical is refused. */
const PROCESSED = new Set<string>([
  OID.basicConstraints,
  OID.keyUsage,
  OID.extendedKeyUsage,
  OID.subjectKeyIdentifier,
  OID.authorityKeyIdentifier,
  OID.subjectAltName,
  OID.issuerAltName,
  OID.certificatePolicies,
  OID.crlDistributionPoints,
  OID.authorityInformationAccess,
  OID.subjectDirectoryAttributes,
  OID.nameConstraints,
  OID.policyConstraints,
  OID.policyMappings,
  OID.inhibitAnyPolicy,
])

/** What a path is checked for. */
export interface PathDemands {
  /** Moment at which the certificates must be valid. */
  at: Date
  purpose: PathPurpose
  /** What is demanded of certificate policies; nothing without it. */
  policy?: PolicyOptions
}

/**
 * Returns what is wrong with a path, whatever its signatures.
 *
 * @param path from the certificate up to the anchor
 */
export function problemsOf(
  path: readonly Certificate[],
  { at, purpose, policy }: PathDemands,
): PathProblem[] {
  const [leaf, ...issuers] = path
  const problems: PathProblem[] = []
  if (at < leaf.notBefore) problems.push('CERTIFICATE_NOT_YET_VALID')
  if (at > leaf.notAfter) problems.push('CERTIFICATE_EXPIRED')
  if (issuers.some((issuer) => at < issuer.notBefore || at > issuer.notAfter)) {
    problems.push('ISSUER_OUTSIDE_VALIDITY')
  }
  if (!issuers.every(isAuthority)) problems.push('ISSUER_IS_NO_AUTHORITY')
  if (!issuers.every((issuer, i) => pathLengthHolds(issuer, issuers.slice(0, i)))) {
    problems.push('PATH_TOO_LONG')
  }
  const authoritiesPermit = issuers.every((issuer) => purposesPermit(issuer, purpose))
  if (!mayBeUsedFor(leaf, purpose) || !authoritiesPermit) problems.push('KEY_USAGE_FORBIDS')
  if (path.some(hasUnprocessedExtension)) problems.push('UNKNOWN_CRITICAL_EXTENSION')
  const constrained = constraintProblems(path, policy)
  return [...problems, ...constrained.filter((problem) => !problems.includes(problem))]
}

/** RFC 5280, 6.1.4 (k) and (n). */
function isAuthority({ basicConstraints, keyUsage }: Certificate): boolean {
  return basicConstraints.authority && (keyUsage?.has(KEY_USAGE.keyCertSign) ?? true)
}

/** RFC 5280, 6.1.4 (l): self-issued certificates do not count. */
function pathLengthHolds(issuer: Certificate, below: readonly Certificate[]): boolean {
  const { pathLength } = issuer.basicConstraints
  return (
    pathLength === undefined || below.filter(({ selfIssued }) => !selfIssued).length <= pathLength
  )
}

/** RFC 5280, 6.1.3 (b) to (f): constraints of authorities, whether critical or not. */
function constraintProblems(path: readonly Certificate[], policy?: PolicyOptions): PathProblem[] {
  try {
    const problems: PathProblem[] = []
    if (!nameConstraintsHold(path)) problems.push('NAME_CONSTRAINTS_NOT_MET')
    if (!policiesHold(path, policy)) problems.push('POLICY_CONSTRAINTS_NOT_MET')
    return problems
  } catch (error) {
    if (error instanceof DerError) return ['UNKNOWN_CRITICAL_EXTENSION']
    throw error
  }
}

function hasUnprocessedExtension({ extensions }: Certificate): boolean {
  return [...extensions].some(([type, { critical }]) => critical && !PROCESSED.has(type))
}

/** Purposes of keys that prove who connects, stamp or answer: they sign no document knowingly. */
const NOT_FOR_DOCUMENTS: readonly string[] = [
  OID.serverAuth,
  OID.clientAuth,
  OID.smartCardLogon,
  OID.timeStamping,
  OID.ocspSigning,
]

/** Whether one purpose of the extended key usage, if there is one, permits that (4.2.1.12). */
function purposesPermit({ extendedKeyUsage }: Certificate, purpose: PathPurpose): boolean {
  if (!extendedKeyUsage || purpose === 'revocation-list') return true
  return purpose === 'signature'
    ? extendedKeyUsage.some((use) => !NOT_FOR_DOCUMENTS.includes(use))
    : extendedKeyUsage.some((use) => use === OID.timeStamping || use === OID.anyExtendedKeyUsage)
}

function mayBeUsedFor(certificate: Certificate, purpose: PathPurpose): boolean {
  const { keyUsage, extendedKeyUsage } = certificate
  if (purpose === 'revocation-list') return keyUsage?.has(KEY_USAGE.crlSign) ?? true
  const maySign =
    !keyUsage || keyUsage.has(KEY_USAGE.digitalSignature) || keyUsage.has(KEY_USAGE.nonRepudiation)
  if (!maySign || !purposesPermit(certificate, purpose)) return false
  if (purpose === 'signature') return true
  // RFC 3161, 2.3: only this purpose, and critical.
  const isCritical = certificate.extensions.get(OID.extendedKeyUsage)?.critical === true
  return extendedKeyUsage?.join() === OID.timeStamping && isCritical
}
