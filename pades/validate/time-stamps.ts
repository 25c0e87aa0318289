/** Verifies the time-stamps of a signature and of the document (EN 319 102-1, 5.4; RFC 3161). */

import { createHash } from 'node:crypto'
import type { Certificate } from '../cms/certificate-reader.ts'
import type { CertificationPath, PathFinder } from '../cms/certification-path.ts'
import type { PathPurpose } from '../cms/path-problems.ts'
import type { FindOtherKeys } from '../cms/other-keys.ts'
import type { RevocationData } from '../cms/revocation.ts'
import { OID } from '../cms/object-identifiers.ts'
import { odditiesOf } from '../cms/oddities.ts'
import { HASHES } from '../cms/signature-algorithms.ts'
import { referenceIsByMd5 } from '../cms/signed-data-reader.ts'
import type { SignerInfo } from '../cms/signed-data-reader.ts'
import { verifyTimeStampToken } from '../cms/time-stamp-reader.ts'
import type { TimeStampProblem, TimeStampVerdict } from '../cms/time-stamp-reader.ts'
import { conclude } from '../findings.ts'
import type { Conclusion, FindingKey } from '../findings.ts'
import {
  hashStrength,
  isExpired,
  pathAlgorithms,
  pathStrength,
  signatureAlgorithms,
  signatureStrength,
  strengthFindings,
} from './algorithm-policy.ts'
import type { AlgorithmExpiry } from './algorithm-policy.ts'
import type { FindPaths } from './list-issuers.ts'
import type { CertificateReport, TimeStampReport } from './report.ts'
import { authorityRevocation, goodAuthorities, laterRevocation } from './revocation-findings.ts'
import type { ProvenEvidence, RevocationTrust } from './revocation-findings.ts'

/** Tokens in one signature; real ones have one. */
export const MAX_TOKENS = 20

/**
 * Difference between the clocks of two authorities. EN 319 421, 7.7.2 demands one second of each;
 * not every authority is held to it.
 */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000

export interface Trust extends RevocationTrust {
  /** All of them, whatever and whenever they are trusted for. */
  readonly anchors: readonly Certificate[]
  /** DER of all revocation data that are at hand. */
  readonly data: RevocationData
  /** Other keys of an authority, which may sign its revocation lists. */
  readonly otherKeys: FindOtherKeys
  /** Who may issue lists about certificates of others. */
  readonly listIssuerPaths: FindPaths
  readonly validationTime: Date
  /** Whether fields may be filled in after a signature that does not forbid it. */
  readonly permitsFormFilling: boolean
  /** Algorithms that the policy of this validation does not accept any more. */
  readonly algorithmExpiries: readonly AlgorithmExpiry[]
  readonly paths: PathFinder
  /** Whom one trusts for a purpose at a moment. */
  readonly trusted: (purpose: PathPurpose, at: Date) => readonly Certificate[]
  /** Certificates of the document security store and of the caller: where issuers may be found. */
  readonly intermediates: readonly Certificate[]
  /** Filled with what is known of each time-stamp authority, by {@link authorityKey}. */
  readonly authorityChecks: Map<string, AuthorityCheck>
  /** Those of the document security store alone. */
  readonly ownIntermediates: readonly Certificate[]
}

/** What is known of the revocation of a time-stamp authority. */
export interface AuthorityCheck {
  /** When the token is proven to have existed. */
  readonly at: Date
  /** Digests of the certificates that were not revoked then. */
  readonly good: ReadonlySet<string>
}

/** What a check is found by: the certificate of the authority, and the time that it stamped. */
export const authorityKey = (
  certificateSha256: string | undefined,
  productionTime: string | undefined,
): string => `${certificateSha256} ${productionTime}`

/** A token that was verified. */
export interface JudgedToken {
  readonly verdict: TimeStampVerdict
  readonly conclusion: Conclusion
  /** Whether the token belongs to the stamped bytes, independent of its issuer. */
  readonly isIntact: boolean
  /** Whether they are known not to; neither for an algorithm that is not known. */
  readonly isBroken: boolean
}

export interface JudgedTimeStamp extends JudgedToken {
  readonly report: TimeStampReport
}

/** What makes a token worthless, whomever one trusts. */
const BROKEN: ReadonlySet<TimeStampProblem> = new Set<TimeStampProblem>([
  'TIME_STAMP_UNREADABLE',
  'TIME_STAMP_IMPRINT_DIFFERS',
  'NOT_ONE_SIGNER',
  'CONTENT_TYPE_DIFFERS',
  'SIGNED_ATTRIBUTES_MISSING',
  'SIGNED_ATTRIBUTES_NOT_DER',
  'ATTRIBUTE_VALUES_WRONG',
  'DIGEST_DIFFERS',
  'ALGORITHMS_DISAGREE',
  'SIGNATURE_VALUE_WRONG',
  'SIGNING_CERTIFICATE_NOT_FOUND',
  'SIGNING_CERTIFICATE_DIFFERS',
  'ATTRIBUTE_UNREADABLE',
])

/** What leaves open whether a token is worth something. */
const UNDECIDED: ReadonlySet<TimeStampProblem> = new Set<TimeStampProblem>([
  'DIGEST_ALGORITHM_UNKNOWN',
  'SIGNATURE_ALGORITHM_UNKNOWN',
])

/** A token, and what it must have stamped. */
export interface TokenToJudge {
  readonly token: Uint8Array
  /** Digest of what must have been stamped, by the token's hash function. */
  readonly imprintOf: (hash: string) => Uint8Array
}

/** What time-stamps prove for a signature or a token. */
export interface Proof {
  /** When it existed; the time of validation without a time-stamp over it. */
  readonly at: Date
  /** Which revocation data existed, and when. */
  readonly proven: readonly ProvenEvidence[]
}

/** Verifies one token. */
export function judgeToken(
  { token, imprintOf }: TokenToJudge,
  trust: Trust,
  proof: Proof,
): JudgedToken {
  const { anchors, intermediates, paths } = trust
  const { at } = proof
  const verdict = verifyTimeStampToken(token, {
    imprintOf,
    anchors: (genTime) => trust.trusted('time-stamp', genTime),
    intermediates,
    at,
    clockToleranceMs: MAX_CLOCK_DIFFERENCE_MS,
    paths,
  })
  if (verdict.path) trust.lacking.notePath(verdict.path)
  const keys: FindingKey[] = [...verdict.problems, ...policyFindings(verdict, trust, proof)]
  if (verdict.token) keys.push(...odditiesOf(verdict.token.signedData, anchors, paths))
  return {
    verdict,
    conclusion: conclude(keys),
    isIntact: !verdict.problems.some((problem) => BROKEN.has(problem) || UNDECIDED.has(problem)),
    isBroken: verdict.problems.some((problem) => BROKEN.has(problem)),
  }
}

/** Verifies one token, and reports on it. */
export function judgeTimeStamp(
  token: TokenToJudge,
  type: TimeStampReport['type'],
  trust: Trust,
  proof: Proof,
): JudgedTimeStamp {
  const judged = judgeToken(token, trust, proof)
  const { verdict, conclusion } = judged
  const { indication, subIndication, errors, warnings } = conclusion
  const report: TimeStampReport = {
    type,
    ...(verdict.token && { productionTime: verdict.token.genTime.toISOString() }),
    indication,
    ...(subIndication && { subIndication }),
    ...(verdict.token?.certificate && { tsa: verdict.token.certificate.subjectText }),
    certificateChain: chainReport(verdict.path),
    errors,
    warnings,
  }
  return { ...judged, report }
}

function policyFindings(
  { token, path }: TimeStampVerdict,
  trust: Trust,
  { at, proven }: Proof,
): FindingKey[] {
  const signer = token?.signedData.signers[0]
  if (!token || !signer) return []
  const keys: FindingKey[] = []
  const digestHash = HASHES[signer.digestAlgorithm.type]
  const imprintHash = Object.values(HASHES).find((hash) => hash === token.hash)
  const own = [hashStrength(imprintHash), signatureStrength(signer.signatureAlgorithm, digestHash)]
  // The check of the signer has found algorithms that are not known.
  if (own.includes('weak') || referenceIsByMd5(signer.signedAttributes)) {
    keys.push('ALGORITHM_TOO_WEAK')
  }
  const used = [
    ...(imprintHash === undefined ? [] : [{ name: imprintHash }]),
    ...signatureAlgorithms(signer.signatureAlgorithm, digestHash),
    ...(path ? pathAlgorithms(path.certificates, path.anchored) : []),
  ]
  if (isExpired(used, trust.algorithmExpiries, at)) keys.push('ALGORITHM_TOO_WEAK')
  if (path) keys.push(...strengthFindings(pathStrength(path.certificates, path.anchored)))
  if (path?.anchored) {
    keys.push(...authorityRevocation(path.certificates, trust, at, token.genTime))
    keys.push(...laterRevocation(path.certificates, trust, at, proven))
    const key = authorityKey(path.certificates[0]?.sha256, token.genTime.toISOString())
    trust.authorityChecks.set(key, {
      at,
      good: new Set(goodAuthorities(path.certificates, trust, at)),
    })
  }
  return keys
}

/**
 * The earliest time at which time-stamps prove that what they cover existed (EN 319 102-1, 5.6.2.3,
 * POE extraction).
 *
 * @param timeStamps those that did not pass prove nothing
 * @param otherwise what is known without them
 */
export function earliestProof(timeStamps: readonly JudgedTimeStamp[], otherwise: Date): Date {
  const passed = timeStamps.filter(({ conclusion }) => conclusion.indication === 'TOTAL_PASSED')
  const proven = passed.flatMap(({ verdict }) => (verdict.token ? [verdict.token.genTime] : []))
  return new Date(Math.min(...[otherwise, ...proven].map((time) => time.getTime())))
}

/** The certificates of a path as a report gives them. */
export const chainReport = (path: CertificationPath | undefined): CertificateReport[] =>
  path?.certificates.map(({ sha256, subjectText }, index) => {
    const isAnchor = path.anchored && index === path.certificates.length - 1
    const trustAnchor = { source: 'given' as const }
    return { sha256, subject: subjectText, ...(isAnchor && { trustAnchor }) }
  }) ?? []

/** Verifies the signature time-stamps of a signer, twenty at most. */
export function judgeSignatureTimeStamps(
  signer: SignerInfo,
  trust: Trust,
  proof: Proof,
): JudgedTimeStamp[] {
  const tokens = signer.unsignedAttributes?.values.get(OID.signatureTimeStampToken) ?? []
  const imprintOf = (hash: string) => createHash(hash).update(signer.signature).digest()
  return tokens
    .slice(0, MAX_TOKENS)
    .map(({ encoded }) => judgeTimeStamp({ token: encoded, imprintOf }, 'signature', trust, proof))
}
