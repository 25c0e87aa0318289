/** Refuses a document that readers may show differently: nobody knows then what signers saw. */
import { PadesError } from '../errors.ts'
import { PdfDocument } from '../pdf/document.ts'
import type { Fault, FaultCode } from '../syntax/faults.ts'
import { SyntaxJudge } from '../syntax/judge.ts'
import { findPageTreeFault } from '../syntax/page-tree.ts'
import { describeAmbiguity } from '../syntax/source.ts'
import { pagesOfObjects } from '../validate/pages-of-objects.ts'

/**
 * Faults of a cross-reference that a full scan mends: it is missing or oddly written, and does not
 * lead to another object than the scan finds. Revision 1 then names every object anew.
 */
const MENDABLE: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'SECTION_ODD',
  'ROWS_ODD',
  'SECTION_KINDS_MIXED',
  'HYBRID_SHOWN',
  'NO_CROSS_REFERENCE',
  'NOT_READABLE',
])

/**
 * Judges everything that the trailer leads to.
 *
 * @throws PadesError `DAMAGED` - the cross-reference can be mended; a repair leads on
 * @throws PadesError `AMBIGUOUS` - with the page and the object
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function assertUnambiguous(document: PdfDocument): void {
  const fault = judge(document)
  if (fault && !document.repaired && MENDABLE.has(fault.code)) throw new PadesError('DAMAGED')
  const decisive = fault ?? (document.repaired ? contradictionIn(document) : undefined)
  if (!decisive) return
  const { code, object } = decisive
  const page = object === undefined ? undefined : pagesOfObjects(document).get(object)
  throw new PadesError('AMBIGUOUS', describeAmbiguity(code, { object, page }))
}

/** Size is named anew when the document is signed. */
const judge = (document: PdfDocument): Fault | undefined =>
  new SyntaxJudge(document, { ignoresSize: true }).judge(document) ?? findPageTreeFault(document)

/** A cross-reference that readers can follow to other objects than the scan found. */
function contradictionIn({ bytes }: PdfDocument): Fault | undefined {
  try {
    const asWritten = new PdfDocument(bytes)
    asWritten.readSections()
    const fault = judge(asWritten)
    return fault && !MENDABLE.has(fault.code) ? fault : undefined
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return undefined
    throw error
  }
}
