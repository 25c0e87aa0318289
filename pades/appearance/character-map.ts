/** Character maps of TrueType fonts, formats 4 and 12 (ISO/IEC 14496-22, `cmap`). */
import type { Buffer } from 'node:buffer'

/** Returns the number of the glyph of a code point; 0 when the font lacks the character. */
export type CharacterMap = (codePoint: number) => number

/** Code points above it need format 12. */
const LAST_OF_FORMAT_4 = 0xffff

/**
 * Opens the best Unicode character map of a font: format 12, or else format 4.
 *
 * @param cmap the whole table
 * @throws Error when it has neither: fonts come from our own packages, never from a user
 */
export function readCharacterMap(cmap: Buffer): CharacterMap {
  const offsets = new Map<number, number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const offset = cmap.readUInt32BE(4 + index * 8 + 4)
    const format = cmap.readUInt16BE(offset)
    if (!offsets.has(format)) offsets.set(format, offset)
  }
  const grouped = offsets.get(12)
  if (grouped !== undefined) return inGroups(cmap, grouped)
  const segmented = offsets.get(4)
  if (segmented !== undefined) return inSegments(cmap, segmented)
  throw new Error('The font has no character map of format 4 or 12')
}

/** The groups of format 12: twelve bytes each, sorted by their first character. */
function inGroups(cmap: Buffer, offset: number): CharacterMap {
  const start = offset + 16
  const groups = cmap.subarray(start, start + cmap.readUInt32BE(offset + 12) * 12)
  return (codePoint) => {
    let low = 0
    let high = groups.length / 12 - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const first = groups.readUInt32BE(middle * 12)
      if (codePoint < first) high = middle - 1
      else if (codePoint > groups.readUInt32BE(middle * 12 + 4)) low = middle + 1
      else return groups.readUInt32BE(middle * 12 + 8) + codePoint - first
    }
    return 0
  }
}

/** The segments of format 4: four arrays of 16-bit numbers, sorted by the last character. */
function inSegments(cmap: Buffer, offset: number): CharacterMap {
  const size = cmap.readUInt16BE(offset + 6)
  const ends = offset + 14
  const starts = ends + size + 2
  const deltas = starts + size
  const ranges = deltas + size
  return (codePoint) => {
    if (codePoint > LAST_OF_FORMAT_4) return 0
    let low = 0
    let high = size / 2
    while (low < high) {
      const middle = (low + high) >>> 1
      if (cmap.readUInt16BE(ends + middle * 2) < codePoint) low = middle + 1
      else high = middle
    }
    const at = low * 2
    if (at >= size) return 0
    const first = cmap.readUInt16BE(starts + at)
    if (codePoint < first) return 0
    const delta = cmap.readUInt16BE(deltas + at)
    const range = cmap.readUInt16BE(ranges + at)
    if (range === 0) return (codePoint + delta) & LAST_OF_FORMAT_4
    const glyph = cmap.readUInt16BE(ranges + at + range + (codePoint - first) * 2)
    return glyph === 0 ? 0 : (glyph + delta) & LAST_OF_FORMAT_4
  }
}
