/** Refuses a document that readers may show differently: nobody knows then what signers saw. */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { Fault } from '../syntax/faults.ts'
import { isOfCrossReference, SyntaxJudge } from '../syntax/judge.ts'
import { growsLinearized } from '../syntax/linearized.ts'
import { describeAmbiguity } from '../syntax/source.ts'
import { pagesOfObjects } from '../validate/pages-of-objects.ts'

/** A signing appends more: a length that is a little too large cannot be met. */
const LENGTH_SLACK_BYTES = 1_024

function faultIn(document: PdfDocument): Fault | undefined {
  if (growsLinearized(document, LENGTH_SLACK_BYTES)) return { code: 'LINEARIZED_LATER', offset: 0 }
  return new SyntaxJudge(document, { ignoresSize: true }).judge(document)
}

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
  const fault = faultIn(document)
  if (!fault) return
  if (!document.repaired && isOfCrossReference(fault)) throw new PadesError('DAMAGED')
  const page = fault.object === undefined ? undefined : pagesOfObjects(document).get(fault.object)
  throw new PadesError('AMBIGUOUS', describeAmbiguity(fault.code, { object: fault.object, page }))
}
