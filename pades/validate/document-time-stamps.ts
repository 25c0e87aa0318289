/** Judges document time-stamps, which prove that what they cover existed (EN 319 102-1, 5.4). */

import { readFirstElement } from '../cms/der-reader.ts'
import type { RevocationEvidence } from '../cms/revocation.ts'
import type { RangeDigests } from './digests.ts'
import { covers } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import type { ProvenEvidence } from './revocation-findings.ts'
import { evidenceIn } from './security-store-reader.ts'
import { earliestProof, judgeTimeStamp } from './time-stamps.ts'
import type { JudgedTimeStamp, Proof, Trust } from './time-stamps.ts'

/** A document time-stamp that was judged. */
export interface StampedDocument {
  readonly signature: ExaminedSignature
  readonly judged: JudgedTimeStamp
  /** What the document had in it when it was stamped; read when first asked for. */
  readonly evidence: () => RevocationEvidence | undefined
}

/**
 * Judges the newest first: each is judged at the time that those over it prove.
 *
 * @param examined all signatures, in the order of the file
 * @returns document time-stamps alone, in the order of the file
 */
export function judgeDocumentTimeStamps(
  examined: readonly ExaminedSignature[],
  digests: RangeDigests,
  trust: Trust,
): StampedDocument[] {
  const stamped: StampedDocument[] = []
  for (const signature of examined.toReversed()) {
    if (!signature.found.isDocumentTimeStamp) continue
    const over = stamped.filter((one) => covers(one.signature, signature))
    const at = provenBy(signature, stamped, trust.validationTime)
    const proof = { at, proven: provenEvidence(over) }
    const judged = judgeDocumentTimeStamp(signature, digests, trust, proof)
    stamped.unshift({
      signature,
      judged,
      evidence: evidenceIn(signature.revision?.document, trust),
    })
  }
  return stamped
}

/** The validation data whose age these time-stamps prove; those that did not pass prove nothing. */
export const provenEvidence = (stamped: readonly StampedDocument[]): ProvenEvidence[] =>
  stamped.flatMap(({ judged: { verdict, conclusion }, evidence }) =>
    verdict.token && conclusion.indication === 'TOTAL_PASSED'
      ? [{ at: verdict.token.genTime, evidence }]
      : [],
  )

/**
 * When document time-stamps over a signature or time-stamp prove that it existed.
 *
 * @param validationTime known without them: it exists now
 */
export function provenBy(
  examined: ExaminedSignature,
  stamped: readonly StampedDocument[],
  validationTime: Date,
): Date {
  const over = stamped.filter(({ signature }) => covers(signature, examined))
  return earliestProof(
    over.map(({ judged }) => judged),
    validationTime,
  )
}

function judgeDocumentTimeStamp(
  { found, range }: ExaminedSignature,
  digests: RangeDigests,
  trust: Trust,
  proof: Proof,
): JudgedTimeStamp {
  const imprintOf = (hash: string) => (range && digests.of(range, hash)) ?? new Uint8Array()
  const token = withoutPadding(found.contents)
  return judgeTimeStamp({ token, imprintOf }, 'document', trust, proof)
}

/** The element at the beginning of `/Contents`; what is none is left to its reader. */
function withoutPadding(contents: Uint8Array): Uint8Array {
  try {
    return readFirstElement(contents).encoded
  } catch {
    return contents
  }
}
