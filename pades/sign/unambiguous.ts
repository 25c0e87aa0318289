/** Refuses a document that readers may show differently: nobody knows then what signers saw. */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { isOfCrossReference, SyntaxJudge } from '../syntax/judge.ts'
import { describeAmbiguity } from '../syntax/source.ts'
import { pagesOfObjects } from '../validate/pages-of-objects.ts'

/**
 * Judges everything that the trailer leads to.
 *
 * A wrong cross-reference can be mended where every reader finds the same objects: revision 1 of a
 * repaired document names each of them anew, and Size as it must be.
 *
 * @throws PadesError `DAMAGED` - the cross-reference is wrong; a repair leads on
 * @throws PadesError `AMBIGUOUS` - with the page and the object
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function assertUnambiguous(document: PdfDocument): void {
  const fault = new SyntaxJudge(document, { ignoresSize: true }).judge(document)
  if (!fault) return
  if (!document.repaired && isOfCrossReference(fault)) throw new PadesError('DAMAGED')
  const page = fault.object === undefined ? undefined : pagesOfObjects(document).get(fault.object)
  throw new PadesError('AMBIGUOUS', describeAmbiguity(fault.code, { object: fault.object, page }))
}
