/**
 * Finds objects that a reader takes which repairs a file instead of following its cross-reference:
 * one wrong row, also of an object that nothing shows, makes some readers do so.
 */
import type { PdfDocument } from '../pdf/document.ts'
import { scanForObjects } from '../pdf/repair.ts'
import type { Fault } from './faults.ts'
import type { SyntaxJudge } from './judge.ts'
import type { ObjectVersion } from './versions.ts'

/**
 * Compares what the cross-reference leads to with what a scan finds: of several objects with one
 * number, a scan takes the last of the file.
 *
 * @param judge that has judged the document
 * @returns the first object on which they differ; undefined when there is none
 * @throws PadesError `TOO_MANY_OBJECTS`
 */
export function findDecoy(document: PdfDocument, judge: SyntaxJudge): Fault | undefined {
  const last = new Map(scanForObjects(document).map(({ number, start }) => [number, start]))
  for (const version of judge.judged) {
    const { number, start } = version
    const found = last.get(number)
    const entry = document.entryOf(number)
    if (found === undefined || !entry || entry.kind === 'free') continue
    const place = entry.kind === 'plain' ? start : (last.get(entry.container) ?? 0)
    const isDecoy = entry.kind === 'plain' ? found !== place : found > place
    if (isDecoy && !showsTheSame(document, found, version)) {
      return { code: 'DECOY', object: number, offset: found }
    }
  }
  return undefined
}

const HEADER = /^\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj[\0\t\n\f\r ]*/
const HEADER_WINDOW_BYTES = 128

/** Whether the value behind a header is the one that the cross-reference leads to. */
function showsTheSame(
  { bytes, isEncrypted }: PdfDocument,
  offset: number,
  { source, scanned, start, end }: ObjectVersion,
): boolean {
  const header = HEADER.exec(bytes.toString('latin1', offset, offset + HEADER_WINDOW_BYTES))
  // A stream has more to it than its dictionary.
  if (!header || !source || scanned?.data) return false
  // Equal ciphertext of another generation is another text.
  if (isEncrypted) return false
  const value = source.subarray(scanned?.valueStart ?? start, scanned?.valueEnd ?? end)
  const at = offset + header[0].length
  return bytes.subarray(at, at + value.length).equals(value)
}
