/**
 * Checks that a signature covers all of its revision but its own Contents (ISO 32000-2, 12.8.1).
 */

import { Buffer } from 'node:buffer'
import type { PdfDocument } from '../pdf/document.ts'
import type { FoundSignature } from './signature-fields.ts'

export interface CheckedByteRange {
  /** Offset of the `<` of `/Contents`, and behind its `>`. */
  readonly holeStart: number
  readonly holeEnd: number
  /** Offset behind the last byte that is covered. */
  readonly end: number
  /** Whether the hexadecimal digits are written in one case and without gaps. */
  readonly isPlain: boolean
}

const HOLE = /^<[0-9A-Fa-f\0\t\n\f\r ]*>$/
const PLAIN_HOLE = /^<(?:[0-9a-f]*|[0-9A-F]*)>$/
const BEFORE_HOLE = /\/Contents[\0\t\n\f\r ]*$/
/** White space between `/Contents` and its value that is looked over. */
const BEFORE_HOLE_BYTES = 64

/** The byte range, when it leaves out exactly the Contents of its own signature. */
export function checkByteRange(
  document: PdfDocument,
  signature: FoundSignature,
): CheckedByteRange | undefined {
  const { byteRange } = signature
  const [start, holeStart, holeEnd, length] = byteRange
  if (byteRange.length !== 4 || byteRange.some((item) => item < 0)) return undefined
  const end = holeEnd + length
  if (start !== 0 || holeStart === 0 || holeEnd < holeStart + 2 || length === 0) return undefined
  if (end > document.bytes.length) return undefined
  if (!liesInItsObject(document, signature, holeStart, holeEnd)) return undefined

  const hole = document.bytes.toString('latin1', holeStart, holeEnd)
  const before = document.bytes.toString('latin1', holeStart - BEFORE_HOLE_BYTES, holeStart)
  const isPlain = PLAIN_HOLE.test(hole)
  if (!(isPlain || HOLE.test(hole)) || !BEFORE_HOLE.test(before)) return undefined
  const digits = isPlain ? hole.slice(1, -1) : hole.replace(/[^0-9A-Fa-f]/g, '')
  const contents = Buffer.from(signature.contents).toString('hex')
  if (digits.toLowerCase().padEnd(contents.length, '0') !== contents) return undefined
  return { holeStart, holeEnd, end, isPlain }
}

/** Whether the hole lies within the object that holds the signature dictionary. */
function liesInItsObject(
  document: PdfDocument,
  { object, field }: FoundSignature,
  holeStart: number,
  holeEnd: number,
): boolean {
  const number = object ?? field.reference?.number
  const entry = number === undefined ? undefined : document.entryOf(number)
  if (entry?.kind !== 'plain') return false
  const at = entry.offset + document.offsetBase
  const extent = document.parseAt(at, (parser) => parser.readIndirectObject())
  return (
    extent !== undefined &&
    extent.number === number &&
    extent.start < holeStart &&
    holeEnd <= extent.end
  )
}
