/**
 * Finds files that are going to be linearized once they grow (ISO 32000-2, annex F). Readers take a
 * file for linearized when its first object names its length, and begin then with the first
 * cross-reference section of the file in place of the last one.
 */
import type { Buffer } from 'node:buffer'
import { CR, FULL_STOP, isDigit, LESS_THAN, LF, MINUS, PLUS } from '../pdf/characters.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { AmbiguousSyntax } from './faults.ts'
import { SILENT } from './listener.ts'
import { StrictScanner } from './scanner.ts'

const KEY = 'Linearized'
const LENGTH = /^\d{1,10}$/
/** `%PDF-1.7` and an end of line; PDFium looks for the first object behind so many bytes. */
const HEADER_BYTES = 9

/**
 * The length that the first object of the file names; `odd` when readers may find another one, and
 * undefined when no reader takes the object for the parameters of a linearized file.
 */
function namedLength(document: PdfDocument): number | 'odd' | undefined {
  try {
    const entries = firstEntries(document)
    if (!entries?.has(KEY)) return undefined
    const length = entries.get('L') ?? ''
    return LENGTH.test(length) ? Number(length) : 'odd'
  } catch (error) {
    if (!(error instanceof AmbiguousSyntax)) throw error
    return mentionsKey(document) ? 'odd' : undefined
  }
}

/**
 * Sources of the entries of the first object; undefined when the file begins with something else
 * than a dictionary.
 *
 * @throws AmbiguousSyntax
 */
function firstEntries({ bytes, headerOffset }: PdfDocument): Map<string, string> | undefined {
  const scanner = new StrictScanner(bytes, headerOffset, bytes.length, SILENT)
  if (headerLineOf(bytes, headerOffset).includes('obj', HEADER_BYTES, 'latin1')) {
    scanner.fail('HEADER_NOT_AT_OFFSET')
  }
  scanner.skipWhiteSpace()
  if (!beginsNumber(bytes[scanner.position])) return undefined
  for (const _ of ['number', 'generation']) {
    if (scanner.takeInteger() === undefined) scanner.fail('HEADER_NOT_AT_OFFSET')
    scanner.skipWhiteSpace()
  }
  if (!scanner.takeKeyword('obj')) scanner.fail('HEADER_NOT_AT_OFFSET')
  scanner.skipWhiteSpace()
  const { position } = scanner
  if (bytes[position] !== LESS_THAN || bytes[position + 1] !== LESS_THAN) return undefined
  const entries = new Map<string, string>()
  scanner.scanDictionary((key, _, start, end) => {
    entries.set(key, bytes.toString('latin1', start, end))
  })
  return entries
}

function headerLineOf(bytes: Buffer, start: number): Buffer {
  const ends = [LF, CR].map((byte) => bytes.indexOf(byte, start)).filter((end) => end !== -1)
  return bytes.subarray(start, Math.min(...ends, bytes.length))
}

const beginsNumber = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP

/** Whether the key is anywhere in the file, also with letters written as escapes. */
function mentionsKey({ bytes }: PdfDocument): boolean {
  const plain = bytes
    .toString('latin1')
    .replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return plain.includes(KEY)
}

/**
 * Whether a reader may begin with the first section of the file once the file has grown, although
 * another section is the newest one.
 *
 * @param state of a file; more may follow it
 * @param slackBytes by which the length may be too large: less than what is appended at once
 */
export function growsLinearized(state: PdfDocument, slackBytes = 0): boolean {
  const length = namedLength(state)
  if (length === undefined || length === 'odd') return length === 'odd'
  const end = state.bytes.length
  const offsets = state.sections.map(({ offset }) => offset)
  // A file that is linearized as a whole ends with the offset of its first section.
  const isWhole = state.repaired || offsets[0] === Math.min(...offsets)
  return (
    length > end + slackBytes || (!isWhole && length >= end - state.headerOffset && length <= end)
  )
}
