/** Whether a signature has all that it takes to last: the levels LT and LTA (EN 319 142-1, 6). */

import type { Certificate } from '../cms/certificate-reader.ts'
import type { RevocationEvidence } from '../cms/revocation.ts'
import { provenEvidence } from './document-time-stamps.ts'
import type { StampedDocument } from './document-time-stamps.ts'
import { covers } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { isCovered } from './revocation-findings.ts'
import type { ProvenEvidence } from './revocation-findings.ts'

/** Validation data that may make a signature last. */
export interface LongTerm {
  /** Evidence of the current document. */
  readonly evidence: StampedDocument['evidence']
  /** Those that intact document time-stamps over the signature cover. */
  readonly stamped: readonly StampedDocument['evidence'][]
  /** The times that these document time-stamps name. */
  readonly stampedAt: readonly Date[]
  /** What those of them that can be relied on prove. */
  readonly proven: readonly ProvenEvidence[]
}

/** A path that must be covered, and the moment for which. */
export interface Need {
  readonly path: readonly Certificate[]
  readonly at: Date
}

/**
 * What there is for one signature.
 *
 * @param evidence of the document as it is
 */
export function longTermOf(
  examined: ExaminedSignature,
  stamped: readonly StampedDocument[],
  evidence: StampedDocument['evidence'],
): LongTerm {
  const over = stamped.filter(
    ({ signature, judged }) => judged.isIntact && covers(signature, examined),
  )
  return {
    evidence,
    stamped: over.map((one) => one.evidence),
    stampedAt: over.flatMap(({ judged }) => judged.verdict.token?.genTime ?? []),
    proven: provenEvidence(over),
  }
}

/**
 * How long a signature with a time-stamp lasts, from what is in the file alone.
 *
 * @param needs paths of the signer and of the authorities of its time-stamps
 */
export function longTermLevel(
  { evidence, stamped }: LongTerm,
  needs: readonly Need[],
): 'T' | 'LT' | 'LTA' {
  const suffices = (data: RevocationEvidence | undefined) =>
    data !== undefined && needs.every(({ path, at }) => isCovered(path, data, at))
  if (!suffices(evidence())) return 'T'
  return stamped.some((read) => suffices(read())) ? 'LTA' : 'LT'
}
