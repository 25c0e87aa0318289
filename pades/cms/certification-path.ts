/** Finds and checks the way from a certificate to a trust anchor (RFC 5280, 6.1; RFC 3161, 2.3). */

import { hash } from 'node:crypto'
import { KEY_USAGE } from './certificate-reader.ts'
import type { Certificate } from './certificate-reader.ts'
import { policiesHold } from './certificate-policies.ts'
import type { PolicyOptions } from './certificate-policies.ts'
import { compareOctets } from './der.ts'
import { DerError } from './der-reader.ts'
import { nameConstraintsHold } from './name-constraints.ts'
import { relativeNameKeys } from './name-matching.ts'
import { OID } from './object-identifiers.ts'
import { knownAlgorithm, signatureIsRight } from './signature-algorithms.ts'

/** Certificates from the first to the anchor; no honest path comes near it. */
const MAX_PATH_LENGTH = 10
/** Signatures verified while searching, so that a heap of equal names costs no more. */
const MAX_SIGNATURES_TRIED = 200
/** Paths looked at, so that certificates that all issue each other cost no more. */
const MAX_PATHS = 500

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

export interface CertificationPath {
  /** From the certificate up; the last is the anchor when one was reached. */
  readonly certificates: readonly Certificate[]
  readonly anchored: boolean
  /** Empty when the path is good. */
  readonly problems: readonly PathProblem[]
}

export interface PathOptions {
  anchors: readonly Certificate[]
  /** Where issuers may be found; they are not trusted for being here. */
  intermediates: readonly Certificate[]
  /** Moment at which the certificates must be valid. */
  at: Date
  purpose: PathPurpose
  /** What is demanded of certificate policies; nothing without it. */
  policy?: PolicyOptions
}

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

/** Answers about signatures between certificates, which several signatures of a document share. */
export class PathFinder {
  readonly #shared = new Map<string, Certificate>()
  readonly #octets = new Map<string, Uint8Array>()
  #tried = 0
  #paths = 0

  /**
   * The best path of a certificate: the first without a problem, else the longest that reaches an
   * anchor, else the longest.
   */
  find(certificate: Certificate, options: PathOptions): CertificationPath {
    const anchors = new Set(options.anchors.map(({ sha256 }) => sha256))
    let best: CertificationPath | undefined
    this.#tried = 0
    this.#paths = 0
    for (const certificates of this.#pathsFrom([certificate], anchors, options)) {
      const anchored = anchors.has(certificates[certificates.length - 1].sha256)
      const problems: PathProblem[] = anchored
        ? problemsOf(certificates, options)
        : ['NO_CERTIFICATE_CHAIN_FOUND']
      if (problems.length === 0) return { certificates, anchored, problems }
      const better =
        !best ||
        (anchored && !best.anchored) ||
        (anchored === best.anchored && certificates.length > best.certificates.length)
      if (better) best = { certificates, anchored, problems }
    }
    return (
      best ?? {
        certificates: [certificate],
        anchored: false,
        problems: ['NO_CERTIFICATE_CHAIN_FOUND'],
      }
    )
  }

  /** The certificate, or the one that is the same and was here before, with its key at hand. */
  share(certificate: Certificate): Certificate {
    const known = this.#shared.get(certificate.sha256)
    if (!known) this.#shared.set(certificate.sha256, certificate)
    return known ?? certificate
  }

  /**
   * The octets, or equal ones that were here before: what is kept with an array is then kept for
   * every state of a document.
   */
  shareOctets(octets: Uint8Array): Uint8Array {
    const sha256 = hash('sha256', octets)
    const known = this.#octets.get(sha256)
    if (!known) this.#octets.set(sha256, octets)
    return known ?? octets
  }

  /** Those that were shared, by the digests of their DER. */
  shared(sha256s: ReadonlySet<string>): Certificate[] {
    return [...sha256s].flatMap((sha256) => this.#shared.get(sha256) ?? [])
  }

  /** Whether one of those that may have issued a certificate, by their names, has signed it. */
  signatureOf(
    certificate: Certificate,
    known: readonly Certificate[],
  ): 'right' | 'wrong' | 'issuer unknown' {
    const issuers = known.filter((issuer) => mayHaveIssued(issuer, certificate))
    if (issuers.length === 0) return 'issuer unknown'
    if (issuers.some((issuer) => this.#isIssuedBy(certificate, issuer))) return 'right'
    const tried = verdicts.get(certificate)
    const isOpen = issuers.some((one) => tried?.has(one) && tried.get(one) === undefined)
    return isOpen ? 'issuer unknown' : 'wrong'
  }

  /** Every path that ends at an anchor or cannot be continued. */
  *#pathsFrom(
    path: readonly Certificate[],
    anchors: ReadonlySet<string>,
    options: PathOptions,
  ): Generator<readonly Certificate[]> {
    const last = path[path.length - 1]
    if (anchors.has(last.sha256)) {
      yield path
      return
    }
    let continued = false
    const candidates = [...options.anchors, ...options.intermediates].filter(
      (issuer) => mayHaveIssued(issuer, last) && !path.includes(issuer),
    )
    for (const issuer of path.length < MAX_PATH_LENGTH ? candidates : []) {
      if (!this.#isIssuedBy(last, issuer) || ++this.#paths > MAX_PATHS) continue
      continued = true
      yield* this.#pathsFrom([...path, issuer], anchors, options)
    }
    if (!continued) yield path
  }

  #isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    const isKnown = verdicts.get(certificate)?.has(issuer) ?? false
    if (!isKnown && ++this.#tried > MAX_SIGNATURES_TRIED) return false
    return isIssuedBy(certificate, issuer)
  }
}

function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
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

function problemsOf(
  path: readonly Certificate[],
  { at, purpose, policy }: PathOptions,
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
  if (!mayBeUsedFor(leaf, purpose)) problems.push('KEY_USAGE_FORBIDS')
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

/** Purposes that are for machines of the infrastructure, not for signing documents. */
const NOT_FOR_SIGNING: readonly string[] = [OID.timeStamping, OID.ocspSigning]

function mayBeUsedFor(certificate: Certificate, purpose: PathPurpose): boolean {
  const { keyUsage, extendedKeyUsage } = certificate
  if (purpose === 'revocation-list') return keyUsage?.has(KEY_USAGE.crlSign) ?? true
  const maySign =
    !keyUsage || keyUsage.has(KEY_USAGE.digitalSignature) || keyUsage.has(KEY_USAGE.nonRepudiation)
  if (!maySign) return false
  if (purpose === 'signature') {
    return !extendedKeyUsage || extendedKeyUsage.some((use) => !NOT_FOR_SIGNING.includes(use))
  }
  return (
    extendedKeyUsage?.length === 1 &&
    extendedKeyUsage[0] === OID.timeStamping &&
    certificate.extensions.get(OID.extendedKeyUsage)?.critical === true
  )
}
