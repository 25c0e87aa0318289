/** Whether a signature has all that it takes to last: the levels LT and LTA (EN 319 142-1, 6). */

import type { Certificate } from '../cms/certificate-reader.ts'
import type { RevocationEvidence } from '../cms/revocation.ts'
import type { StampedDocument } from './document-time-stamps.ts'
import { covers } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import type { PadesLevel } from './report.ts'
import { isCovered } from './revocation-findings.ts'

/** Validation data that may make a signature last. */
export interface LongTerm {
  /** Of the document as it is. */
  readonly evidence: StampedDocument['evidence']
  /** Those that intact document time-stamps over the signature cover. */
  readonly stamped: readonly StampedDocument['evidence'][]
}

/** A path that must be covered, and the moment for which. */
interface Need {
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
  return { evidence, stamped: over.map((one) => one.evidence) }
}

/** The level of a signature that has a time-stamp. It says what is there, not whom one trusts. */
export function longTermLevel({ evidence, stamped }: LongTerm, needs: readonly Need[]): PadesLevel {
  const suffices = (data: RevocationEvidence | undefined) =>
    data !== undefined && needs.every(({ path, at }) => isCovered(path, data, at))
  if (!suffices(evidence())) return 'PAdES-BASELINE-T'
  return stamped.some((read) => suffices(read())) ? 'PAdES-BASELINE-LTA' : 'PAdES-BASELINE-LT'
}
