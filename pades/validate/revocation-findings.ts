/** What revocation data make of a path (EN 319 102-1, 5.2.5 and 5.2.6; RFC 3161, 4). */

import type { Certificate } from '../cms/certificate-reader.ts'
import { OcspResponse } from '../cms/ocsp-reader.ts'
import type { RevocationEvidence } from '../cms/revocation.ts'
import type { RevocationStatus } from '../cms/revocation-statements.ts'
import { isUntimely } from '../cms/revocation-list.ts'
import type { RevocationReason } from '../cms/revocation-list.ts'
import type { FindingKey } from '../findings.ts'
import type { Lacking } from './lacking.ts'
import type { RevocationReport } from './report.ts'

/** What is needed of whom one trusts. */
export interface RevocationTrust {
  readonly revocation: RevocationEvidence
  /** Whether certificates count whose published revocation was not looked at. */
  readonly acceptUncheckedRevocation: boolean
  /** Called with each certificate without fresh revocation data. */
  readonly lacking: Lacking
  /** Where a list or an answer was found first. */
  readonly originOf: (der: Uint8Array) => RevocationReport['origin']
}

/** Revocation data that existed at a time, as a time-stamp over them proves. */
export interface ProvenEvidence {
  readonly at: Date
  /** Undefined where there are none. */
  readonly evidence: () => RevocationEvidence | undefined
}

interface Step {
  readonly certificate: Certificate
  readonly issuer: Certificate | undefined
}

const withIssuers = (path: readonly Certificate[]): Step[] =>
  path.map((certificate, index) => ({ certificate, issuer: path[index + 1] }))

/**
 * Certificates of a path that ends at an anchor, but for the anchor. One in between may be an
 * anchor for another purpose or time, and is judged as any other.
 */
const stepsOf = (path: readonly Certificate[]): Step[] => withIssuers(path).slice(0, -1)

const UNKNOWN: RevocationStatus = { status: 'unknown' }

const statusOf = ({ certificate, issuer }: Step, evidence: RevocationEvidence, at: Date) =>
  issuer ? evidence.statusOf(certificate, issuer, at) : UNKNOWN

/** A hold may end (EN 319 102-1, 5.2.6); what was revoked remains so. */
const revokedFinding = (reason: RevocationReason | undefined): FindingKey =>
  reason === 'certificateHold' ? 'CERTIFICATE_ON_HOLD' : 'CERTIFICATE_REVOKED'

/**
 * Findings about a signer's path.
 *
 * @param at when the signature is proven to have existed
 */
export function signerRevocation(
  path: readonly Certificate[],
  { revocation, acceptUncheckedRevocation, lacking }: RevocationTrust,
  at: Date,
): FindingKey[] {
  return stepsOf(path).flatMap((step): FindingKey[] => {
    const { status, revokedAt, reason } = statusOf(step, revocation, at)
    if (status === 'revoked') return revokedAt && revokedAt > at ? [] : [revokedFinding(reason)]
    if (status === 'good' || acceptUncheckedRevocation) return []
    lacking.noteRevocation(step.certificate, step.issuer)
    return step.certificate.publishesRevocation ? ['REVOCATION_UNKNOWN'] : []
  })
}

/**
 * Findings about authorities that were revoked later, because their keys may be in wrong hands.
 * What they say of those below counts only if it is proven to be older (EN 319 102-1, 5.6.2.4).
 *
 * @param at when the signature or token is proven to have existed
 */
export function laterRevocation(
  path: readonly Certificate[],
  { revocation }: Pick<RevocationTrust, 'revocation'>,
  at: Date,
  proven: readonly ProvenEvidence[],
): FindingKey[] {
  const steps = stepsOf(path)
  const isHarmless = (step: Step, evidence: RevocationEvidence | undefined) => {
    const { status, revokedAt } = evidence ? statusOf(step, evidence, at) : UNKNOWN
    return status === 'good' || (revokedAt !== undefined && revokedAt > at)
  }
  const isDoubted = steps.some((step, index) => {
    const { revokedAt, reason } = statusOf(step, revocation, at)
    if (!revokedAt || revokedAt <= at || !isUntimely(reason)) return false
    const older = proven.filter((one) => one.at < revokedAt)
    return steps
      .slice(0, index)
      .some(
        (below) =>
          isHarmless(below, revocation) &&
          !older.some(({ evidence }) => isHarmless(below, evidence())),
      )
  })
  return isDoubted ? ['AUTHORITY_REVOKED'] : []
}

/** What is known of the certificates of a signer's path, as a report gives it. */
export function revocationReports(
  path: readonly Certificate[],
  { revocation, originOf }: RevocationTrust,
  at: Date,
): RevocationReport[] {
  return stepsOf(path).map((step) => {
    const { status, source, revokedAt, reason } = statusOf(step, revocation, at)
    const producedAt = source instanceof OcspResponse ? source.producedAt : source?.thisUpdate
    const origin = source && originOf(source.der)
    return {
      certificateSha256: step.certificate.sha256,
      status,
      ...(source && { type: source instanceof OcspResponse ? 'OCSP' : 'CRL' }),
      ...(origin && { origin }),
      ...(producedAt && { producedAt: producedAt.toISOString() }),
      ...(revokedAt && { revokedAt: revokedAt.toISOString(), ...(reason && { reason }) }),
    }
  })
}

/**
 * Findings about the path of a time-stamp authority.
 *
 * @param at when the token is proven to have existed, else the time of validation
 * @param genTime when the token says it was made: for that time, data that are outdated at `at`
 *   still count, and the finding is a warning
 */
export function authorityRevocation(
  path: readonly Certificate[],
  { revocation, acceptUncheckedRevocation, lacking }: RevocationTrust,
  at: Date,
  genTime: Date,
): FindingKey[] {
  return stepsOf(path).flatMap((step): FindingKey[] => {
    const { status, revokedAt, reason } = statusOf(step, revocation, at)
    if (status === 'revoked' && revokedAt) {
      const isHarmless = revokedAt > at || (!isUntimely(reason) && revokedAt > genTime)
      return isHarmless ? [] : [revokedFinding(reason)]
    }
    if (status === 'good' || acceptUncheckedRevocation) return []
    lacking.noteRevocation(step.certificate, step.issuer)
    if (statusOf(step, revocation, genTime).status === 'good') return ['REVOCATION_DATA_OUTDATED']
    return step.certificate.publishesRevocation ? ['REVOCATION_UNKNOWN'] : []
  })
}

/**
 * Digests of the certificates of an authority's path that are known to be good.
 *
 * @param at as for {@link authorityRevocation}
 */
export function goodAuthorities(
  path: readonly Certificate[],
  { revocation }: Pick<RevocationTrust, 'revocation'>,
  at: Date,
): string[] {
  return stepsOf(path)
    .filter((step) => statusOf(step, revocation, at).status === 'good')
    .map(({ certificate }) => certificate.sha256)
}

/**
 * Whether revocation data are there for every certificate of a path: up to the first root, or up to
 * the last authority that the file has. Which of them the signer took as the trust anchor is not
 * known, and an anchor needs no revocation data; the certificate that signs is not taken for one.
 * Nor are data needed of a certificate that is not revoked by its nature. Data from after a
 * certificate expired are there, too, whatever they prove (EN 319 142-1, 6.3).
 *
 * @param path empty when the certificate that signs is not known
 */
export function isCovered(
  path: readonly Certificate[],
  evidence: RevocationEvidence,
  at: Date,
): boolean {
  if (path.length === 0) return false
  const root = path.findIndex(({ selfIssued }, index) => selfIssued && index > 0)
  return withIssuers(path)
    .slice(0, root === -1 ? undefined : root)
    .every((step, index) => {
      if (index === 0 ? step.certificate.isNeverRevoked : !step.issuer) return true
      const { status, isLate } = statusOf(step, evidence, at)
      return status === 'good' || status === 'revoked' || isLate === true
    })
}
