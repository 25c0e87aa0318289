/**
 * Refuses a document that readers may show differently: it would then be unknown what signers saw.
 */
import { PadesError } from '../errors.ts'
import { PdfDocument } from '../pdf/document.ts'
import { findActionFault } from '../syntax/actions.ts'
import type { Fault, FaultCode } from '../syntax/faults.ts'
import { findDecoy } from '../syntax/decoys.ts'
import { findDrawnFault } from '../syntax/drawn.ts'
import { findLayerFault } from '../syntax/graphics/layers.ts'
import { SyntaxJudge } from '../syntax/judge.ts'
import { growsLinearized } from '../syntax/linearized.ts'
import { findPageGroupFault, findPageSizeFault, findPageTreeFault } from '../syntax/page-tree.ts'
import { describeAmbiguity } from '../syntax/source.ts'
import { placesOfObjects } from '../validate/pages-of-objects.ts'

/** A signing appends more: a length that is a little too large cannot be met. */
const LENGTH_SLACK_BYTES = 1_024

/**
 * Faults of a cross-reference that a full scan repairs: it is missing or oddly written, and does
 * not lead to another object than the scan finds. Revision 1 then names every object anew.
 */
const MENDABLE: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'SECTION_ODD',
  'ROWS_ODD',
  'SECTION_KINDS_MIXED',
  'ENTRY_TYPE_UNKNOWN',
  'HYBRID_SHOWN',
  'NO_CROSS_REFERENCE',
  'NOT_READABLE',
])

/**
 * Judges everything that the trailer leads to.
 *
 * @throws PadesError `DAMAGED` - the cross-reference can be repaired, which the caller may do
 * @throws PadesError `AMBIGUOUS` - with the page and the object
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function assertUnambiguous(document: PdfDocument): void {
  refuse(document, judge(document, new SyntaxJudge(document, SIZE_IS_NAMED_ANEW)))
}

/**
 * As {@link assertUnambiguous}, and reads all that is drawn, and the whole file for objects that a
 * reader takes which repairs it. Intake asks once; what it accepted is what is signed.
 *
 * @throws PadesError as {@link assertUnambiguous}
 */
export function assertReadAlike(document: PdfDocument): void {
  const syntax = new SyntaxJudge(document, SIZE_IS_NAMED_ANEW)
  const fault = judge(document, syntax)
  const contradiction = document.repaired ? contradictionIn(document) : findDecoy(document, syntax)
  refuse(
    document,
    fault ??
      contradiction ??
      findPageSizeFault(document) ??
      findPageGroupFault(document) ??
      findLayerFault(document) ??
      findActionFault(document) ??
      findDrawnFault(document, syntax),
  )
}

/** The first revision of a signed document names it. */
const SIZE_IS_NAMED_ANEW = { ignoresSize: true } as const

function judge(document: PdfDocument, syntax: SyntaxJudge): Fault | undefined {
  if (growsLinearized(document, LENGTH_SLACK_BYTES)) return { code: 'LINEARIZED_LATER', offset: 0 }
  return syntax.judge(document) ?? findPageTreeFault(document)
}

function refuse(document: PdfDocument, fault: Fault | undefined): void {
  if (!fault) return
  const { code, object } = fault
  if (!document.repaired && MENDABLE.has(code)) throw new PadesError('DAMAGED')
  const page = object === undefined ? undefined : placesOfObjects(document).get(object)?.page
  throw new PadesError('AMBIGUOUS', describeAmbiguity(code, { object, page }))
}

/** A cross-reference that readers can follow to other objects than the scan found. */
function contradictionIn({ bytes }: PdfDocument): Fault | undefined {
  try {
    const asWritten = new PdfDocument(bytes)
    asWritten.readSections()
    const fault = judge(asWritten, new SyntaxJudge(asWritten, SIZE_IS_NAMED_ANEW))
    return fault && !MENDABLE.has(fault.code) ? fault : undefined
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return undefined
    throw error
  }
}
