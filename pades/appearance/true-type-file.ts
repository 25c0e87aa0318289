/** Writes the file of a TrueType font (ISO/IEC 14496-22, 4). */
import { Buffer } from 'node:buffer'

/** The length of a table in the file: a multiple of four bytes. */
export function paddedLength(length: number): number {
  return (length + 3) & ~3
}

/**
 * Writes a font file of the tables, in the order of their tags (ISO/IEC 14496-22, 4.6).
 *
 * @param tables at least one, and `head` among them; it is not changed
 */
export function assembleTrueType(tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1))
  const count = sorted.length
  const headerLength = 12 + count * 16
  const sizes = sorted.map(([, { length }]) => paddedLength(length))
  const file = Buffer.alloc(headerLength + sizes.reduce((sum, size) => sum + size, 0))
  file.writeUInt32BE(0x00010000, 0)
  file.writeUInt16BE(count, 4)
  // searchRange, entrySelector and rangeShift follow from the largest power of two in the count.
  const power = 2 ** Math.floor(Math.log2(count))
  file.writeUInt16BE(power * 16, 6)
  file.writeUInt16BE(Math.log2(power), 8)
  file.writeUInt16BE((count - power) * 16, 10)
  let offset = headerLength
  let headAt = 0
  for (const [index, [tag, table]] of sorted.entries()) {
    const entry = 12 + index * 16
    file.write(tag, entry, 'latin1')
    table.copy(file, offset)
    if (tag === 'head') {
      headAt = offset
      file.writeUInt32BE(0, headAt + 8)
    }
    file.writeUInt32BE(checksum(file, offset, sizes[index] ?? 0), entry + 4)
    file.writeUInt32BE(offset, entry + 8)
    file.writeUInt32BE(table.length, entry + 12)
    offset += sizes[index] ?? 0
  }
  file.writeUInt32BE((0xb1b0afba - checksum(file, 0, file.length)) >>> 0, headAt + 8)
  return file
}

function checksum(file: Buffer, offset: number, length: number): number {
  let sum = 0
  for (let at = offset; at < offset + length; at += 4) sum = (sum + file.readUInt32BE(at)) >>> 0
  return sum
}
