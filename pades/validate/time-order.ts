/**
 * Finds time-stamps whose times contradict the order in which they were made: first that of the
 * content, then that of the signature, then those of the document (EN 319 102-1, 5.5.4; RFC 3161,
 * 2.4.2).
 */

import { OID } from '../cms/object-identifiers.ts'
import type { SignerInfo } from '../cms/signed-data-reader.ts'
import type { FindingKey } from '../findings.ts'
import { provenBy } from './document-time-stamps.ts'
import type { StampedDocument } from './document-time-stamps.ts'
import { covers } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { judgeToken, MAX_CLOCK_DIFFERENCE_MS, MAX_TOKENS } from './time-stamps.ts'
import type { JudgedToken, Proof, TokenToJudge, Trust } from './time-stamps.ts'

/** A time-stamp, and when it existed as others prove; the time of validation without them. */
export interface OrderedStamp {
  readonly judged: JudgedToken
  readonly at: Date
}

/** The document time-stamps over a signature. */
export const stampsOver = (
  examined: ExaminedSignature,
  stamped: readonly StampedDocument[],
  validationTime: Date,
): OrderedStamp[] =>
  stamped
    .filter(({ signature }) => covers(signature, examined))
    .map(({ signature, judged }) => ({ judged, at: provenBy(signature, stamped, validationTime) }))

/** Verifies the time-stamps of the content that a signer signed (EN 319 122-1, 5.2.8). */
export function judgeContentTimeStamps(
  signer: SignerInfo,
  imprintOf: TokenToJudge['imprintOf'],
  trust: Trust,
  proof: Proof,
): JudgedToken[] {
  const tokens = signer.signedAttributes?.values.get(OID.contentTimeStampToken) ?? []
  return tokens
    .slice(0, MAX_TOKENS)
    .map(({ encoded }) => judgeToken({ token: encoded, imprintOf }, trust, proof))
}

/** Whether a trusted authority made it for these octets, whatever its time is. */
const isByAuthority = ({ isIntact, verdict: { path, problems } }: JudgedToken): boolean =>
  isIntact && path?.anchored === true && !problems.includes('TIME_STAMP_OUTSIDE_VALIDITY')

function contradicts({ judged, at }: OrderedStamp, validationTime: Date): boolean {
  const { genTime } = judged.verdict.token ?? {}
  const isLater = genTime !== undefined && Number(genTime) > Number(at) + MAX_CLOCK_DIFFERENCE_MS
  return isLater && at < validationTime && isByAuthority(judged)
}

/**
 * The same findings when the times fit together. When they do not, it is not known when the
 * signature existed, so it is not known either that its certificate was not yet valid.
 */
export function withTimeOrder(
  findings: readonly FindingKey[],
  stamps: readonly OrderedStamp[],
  validationTime: Date,
): FindingKey[] {
  if (!stamps.some((stamp) => contradicts(stamp, validationTime))) return [...findings]
  const others = findings.filter((key) => key !== 'CERTIFICATE_NOT_YET_VALID')
  return [...others, 'TIME_STAMPS_OUT_OF_ORDER']
}
