/** Verifies the time-stamps of a signature and of the document (EN 319 102-1, 5.4; RFC 3161). */

import { createHash } from 'node:crypto'
import type { Certificate } from '../cms/certificate-reader.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import { OID } from '../cms/object-identifiers.ts'
import { odditiesOf } from '../cms/oddities.ts'
import { HASHES } from '../cms/signature-algorithms.ts'
import type { SignerInfo } from '../cms/signed-data-reader.ts'
import { verifyTimeStampToken } from '../cms/time-stamp-reader.ts'
import type { TimeStampProblem, TimeStampVerdict } from '../cms/time-stamp-reader.ts'
import { conclude } from '../findings.ts'
import type { Conclusion, FindingKey } from '../findings.ts'
import { hashIsStrong, pathIsStrong, signatureIsStrong } from './algorithm-policy.ts'
import type { TimeStampReport } from './report.ts'

/** Tokens in one signature; real ones have one. */
const MAX_TOKENS = 20

export interface Trust {
  readonly anchors: readonly Certificate[]
  readonly validationTime: Date
  readonly paths: PathFinder
  /** Whether certificates count whose published revocation was not looked at. */
  readonly acceptUncheckedRevocation: boolean
}

export interface JudgedTimeStamp {
  readonly verdict: TimeStampVerdict
  readonly conclusion: Conclusion
  /** Whether token and stamped bytes belong together, whoever issued it. */
  readonly isIntact: boolean
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
  'DIGEST_ALGORITHM_UNKNOWN',
  'DIGEST_DIFFERS',
  'ALGORITHMS_DISAGREE',
  'SIGNATURE_ALGORITHM_UNKNOWN',
  'SIGNATURE_VALUE_WRONG',
  'SIGNING_CERTIFICATE_NOT_FOUND',
  'SIGNING_CERTIFICATE_DIFFERS',
  'ATTRIBUTE_UNREADABLE',
])

/**
 * Verifies one token.
 *
 * @param imprintOf digest of what must have been stamped, by the token's hash function
 */
export function judgeTimeStamp(
  token: Uint8Array,
  type: TimeStampReport['type'],
  imprintOf: (hash: string) => Uint8Array,
  trust: Trust,
): JudgedTimeStamp {
  const { anchors, validationTime, paths } = trust
  const verdict = verifyTimeStampToken(token, { imprintOf, anchors, at: validationTime, paths })
  const keys: FindingKey[] = [...verdict.problems, ...policyFindings(verdict, trust)]
  if (verdict.token) keys.push(...odditiesOf(verdict.token.signedData, anchors, paths))
  const conclusion = conclude(keys)
  const { indication, subIndication, errors, warnings } = conclusion
  return {
    verdict,
    conclusion,
    isIntact: !verdict.problems.some((problem) => BROKEN.has(problem)),
    report: {
      type,
      ...(verdict.token && { productionTime: verdict.token.genTime.toISOString() }),
      indication,
      ...(subIndication && { subIndication }),
      ...(verdict.token?.certificate && { tsa: verdict.token.certificate.subjectText }),
      errors,
      warnings,
    },
  }
}

function policyFindings({ token, path }: TimeStampVerdict, trust: Trust): FindingKey[] {
  const signer = token?.signedData.signers[0]
  if (!token || !signer) return []
  const keys: FindingKey[] = []
  const digestHash = HASHES[signer.digestAlgorithm.type]
  const isStrong =
    hashIsStrong(token.hash) &&
    signatureIsStrong(signer.signatureAlgorithm, digestHash) &&
    (!path || pathIsStrong(path.certificates, path.anchored))
  if (!isStrong) keys.push('ALGORITHM_TOO_WEAK')
  if (path && !revocationIsSettled(path.certificates, trust)) keys.push('REVOCATION_UNKNOWN')
  return keys
}

/** Whether no certificate below the anchor publishes a revocation that was not looked at. */
export function revocationIsSettled(
  path: readonly Certificate[],
  { acceptUncheckedRevocation, anchors }: Trust,
): boolean {
  return (
    acceptUncheckedRevocation ||
    !path.some(
      (certificate) =>
        certificate.publishesRevocation &&
        !anchors.some(({ sha256 }) => sha256 === certificate.sha256),
    )
  )
}

/** Verifies every signature time-stamp of a signer. */
export function judgeSignatureTimeStamps(signer: SignerInfo, trust: Trust): JudgedTimeStamp[] {
  const tokens = signer.unsignedAttributes?.values.get(OID.signatureTimeStampToken) ?? []
  const imprintOf = (hash: string) => createHash(hash).update(signer.signature).digest()
  return tokens
    .slice(0, MAX_TOKENS)
    .map(({ encoded }) => judgeTimeStamp(encoded, 'signature', imprintOf, trust))
}
