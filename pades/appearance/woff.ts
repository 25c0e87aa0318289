/** Reads font files in the Web Open Font Format 1.0 (W3C Recommendation, 13 December 2012). */
import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'

const SIGNATURE = 0x774f4646
const HEADER_BYTES = 44
const ENTRY_BYTES = 20
/** Limit for one table; the largest of our fonts has two million. */
const MAX_TABLE_BYTES = 16 * 1_048_576

/**
 * Returns the tables of the font, inflated, by tag.
 *
 * @throws Error when the file is not in this format: fonts come from our own packages
 */
export function readWoff(bytes: Uint8Array): Map<string, Buffer> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.readUInt32BE(0) !== SIGNATURE) throw new Error('The font is not in the WOFF format')
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < file.readUInt16BE(12); index += 1) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES
    const offset = file.readUInt32BE(entry + 4)
    const packedLength = file.readUInt32BE(entry + 8)
    const length = file.readUInt32BE(entry + 12)
    const packed = file.subarray(offset, offset + packedLength)
    const isPacked = packedLength < length
    tables.set(
      file.toString('latin1', entry, entry + 4),
      isPacked ? inflateSync(packed, { maxOutputLength: MAX_TABLE_BYTES }) : packed,
    )
  }
  return tables
}
