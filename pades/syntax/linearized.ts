/**
 * Finds files that are going to be linearized once they grow (ISO 32000-2, annex F). Readers take a
 * file for linearized when its first object names its length, and begin then with the first
 * cross-reference section of the file in place of the last one.
 */
import type { PdfDocument } from '../pdf/document.ts'

/** Maximum size of the first object; honest ones have some hundred bytes. */
const MAX_FIRST_OBJECT_BYTES = 65_536
const FIRST_OBJECT = /^(?:[\s\0]|%[^\r\n]*[\r\n])*\d+[\s\0]+\d+[\s\0]+obj\b([^]*?)(?:endobj|$)/
const LENGTH = /\/L[\s\0]*\+?(\d{1,15})(?:\.0*)?(?![\d.])/g

/** The lengths of the file that its first object names. */
function lengthsIn({ bytes, headerOffset }: PdfDocument): number[] {
  const end = headerOffset + MAX_FIRST_OBJECT_BYTES
  const object = FIRST_OBJECT.exec(bytes.toString('latin1', headerOffset, end))?.[1] ?? ''
  const plain = object
    .replace(/%[^\r\n]*/g, ' ')
    .replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  if (!plain.includes('/Linearized')) return []
  return [...plain.matchAll(LENGTH)].map(([, digits]) => Number(digits))
}

/**
 * Whether a reader may begin with the first section of the file once the file has grown, although
 * another section is the newest one.
 *
 * @param state of a file; more may follow it
 * @param slackBytes by which the length may be too large: less than what is appended at once
 */
export function growsLinearized(state: PdfDocument, slackBytes = 0): boolean {
  const end = state.bytes.length
  const offsets = state.sections.map(({ offset }) => offset)
  // A file that is linearized as a whole ends with the offset of its first section.
  const isWhole = state.repaired || offsets[0] === Math.min(...offsets)
  return lengthsIn(state).some(
    (length) =>
      length > end + slackBytes ||
      (!isWhole && length >= end - state.headerOffset && length <= end),
  )
}
