/**
 * Reads the tables of a TrueType font that showing text needs, and writes a subset of it
 * (ISO/IEC 14496-22; ISO 32000-2, 9.9: the tables an embedded TrueType program must hold).
 *
 * The subset has no hinting programs: they double its size, and readers draw smooth outlines.
 */
import { Buffer } from 'node:buffer'

import { type CharacterMap, readCharacterMap } from './character-map.ts'

/** Components of composite glyphs may nest; a subset never grows beyond this. */
const MAX_SUBSET_GLYPHS = 8_192

const ARGS_ARE_WORDS = 0x0001
const ARGS_ARE_OFFSETS = 0x0002
const HAS_SCALE = 0x0008
const MORE_COMPONENTS = 0x0020
const HAS_X_Y_SCALE = 0x0040
const HAS_TWO_BY_TWO = 0x0080
const HAS_INSTRUCTIONS = 0x0100

/** A glyph at a place, in font units from the origin of what it is a part of. */
export interface PlacedGlyph {
  readonly glyph: number
  readonly x: number
  readonly y: number
}

/** A glyph of a subset that is made of glyphs of the face, at least one. */
export interface ComposedGlyph {
  readonly parts: readonly PlacedGlyph[]
  /** Font units. */
  readonly advance: number
}

export interface TrueTypeFace {
  readonly tables: ReadonlyMap<string, Buffer>
  readonly unitsPerEm: number
  /** Heights and box in thousandths of an em, as a font descriptor wants them. */
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  readonly box: readonly [number, number, number, number]
  /** The number of the glyph of a character; 0 when the font has none. */
  readonly glyphOf: CharacterMap
  /** The advance of a glyph in thousandths of an em. */
  advanceOf(glyph: number): number
}

/**
 * Opens a font file without copying it.
 *
 * @param bytes a TrueType file with a character map of format 4 or 12
 * @throws Error when it is not one: the file comes from our own package, never from a user
 */
export function readTrueType(bytes: Uint8Array): TrueTypeFace {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const entry = 12 + index * 16
    const offset = file.readUInt32BE(entry + 8)
    const length = file.readUInt32BE(entry + 12)
    tables.set(file.toString('latin1', entry, entry + 4), file.subarray(offset, offset + length))
  }
  return faceOfTables(tables)
}

/**
 * Opens a font whose tables were read already.
 *
 * @throws Error when a table is missing that showing text needs
 */
export function faceOfTables(tables: ReadonlyMap<string, Buffer>): TrueTypeFace {
  const head = tableOf(tables, 'head')
  const hhea = tableOf(tables, 'hhea')
  const hmtx = tableOf(tables, 'hmtx')
  const os2 = tableOf(tables, 'OS/2')
  const unitsPerEm = head.readUInt16BE(18)
  const metricCount = hhea.readUInt16BE(34)
  const perMille = (units: number): number => Math.round((units * 1_000) / unitsPerEm)
  const hasCapHeight = os2.readUInt16BE(0) >= 2
  return {
    tables,
    unitsPerEm,
    ascent: perMille(hhea.readInt16BE(4)),
    descent: perMille(hhea.readInt16BE(6)),
    // DejaVu's OS/2 table is version 1, which has no cap height; its capitals are 0.729 em.
    capHeight: hasCapHeight ? perMille(os2.readInt16BE(88)) : 729,
    box: [36, 38, 40, 42].map((at) => perMille(head.readInt16BE(at))) as [
      number,
      number,
      number,
      number,
    ],
    glyphOf: readCharacterMap(tableOf(tables, 'cmap')),
    advanceOf: (glyph) => perMille(hmtx.readUInt16BE(Math.min(glyph, metricCount - 1) * 4)),
  }
}

/**
 * Writes a font of some glyphs, renumbered in the order given.
 *
 * @param glyphs glyph numbers of the face, or new glyphs made of some; the first must be 0 (the
 *   missing glyph)
 * @returns a TrueType program for a PDF; the parts of composite glyphs follow the glyphs asked for
 */
export function subsetTrueType(
  face: TrueTypeFace,
  glyphs: readonly (number | ComposedGlyph)[],
): Buffer {
  const { outlines, kept } = collectOutlines(face, glyphs)
  const loca = Buffer.alloc((kept.length + 1) * 4)
  const hmtx = Buffer.alloc(kept.length * 4)
  const sourceHmtx = tableOf(face.tables, 'hmtx')
  const metricCount = tableOf(face.tables, 'hhea').readUInt16BE(34)
  let offset = 0
  for (const [index, outline] of outlines.entries()) {
    loca.writeUInt32BE(offset, index * 4)
    offset += outline.length
    const glyph = kept[index] ?? 0
    if (typeof glyph === 'number') copyMetric(sourceHmtx, metricCount, glyph, hmtx, index)
    else writeMetric(glyph, outline, hmtx, index)
  }
  loca.writeUInt32BE(offset, kept.length * 4)

  const head = Buffer.from(tableOf(face.tables, 'head'))
  head.writeInt16BE(1, 50)
  const hhea = Buffer.from(tableOf(face.tables, 'hhea'))
  hhea.writeUInt16BE(kept.length, 34)
  const maxp = Buffer.from(tableOf(face.tables, 'maxp'))
  maxp.writeUInt16BE(kept.length, 4)
  maxp.fill(0, 14, 28)
  maxp.writeUInt16BE(1, 14)
  allowComposed(maxp, kept)
  const glyf = Buffer.concat(outlines)
  return assembleTrueType(new Map(Object.entries({ glyf, head, hhea, hmtx, loca, maxp })))
}

function tableOf(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag)
  if (!table) throw new Error(`The font has no table ${tag}`)
  return table
}

/** Raises the limits of composite glyphs: parts, and how deep they nest. */
function allowComposed(maxp: Buffer, glyphs: readonly (number | ComposedGlyph)[]): void {
  const counts = glyphs.map((glyph) => (typeof glyph === 'number' ? 0 : glyph.parts.length))
  const most = Math.max(...counts)
  if (most === 0) return
  maxp.writeUInt16BE(Math.max(maxp.readUInt16BE(28), most), 28)
  maxp.writeUInt16BE(maxp.readUInt16BE(30) + 1, 30)
}

/** A composed glyph's side bearing is where its outline begins. */
function writeMetric(
  { advance }: ComposedGlyph,
  outline: Buffer,
  target: Buffer,
  index: number,
): void {
  target.writeUInt16BE(Math.max(0, advance), index * 4)
  target.writeInt16BE(outline.length === 0 ? 0 : outline.readInt16BE(2), index * 4 + 2)
}

function copyMetric(
  source: Buffer,
  metricCount: number,
  glyph: number,
  target: Buffer,
  index: number,
): void {
  if (glyph < metricCount) {
    source.copy(target, index * 4, glyph * 4, glyph * 4 + 4)
    return
  }
  // Glyphs after the last metric share its advance and have a bearing each.
  source.copy(target, index * 4, (metricCount - 1) * 4, (metricCount - 1) * 4 + 2)
  const bearing = metricCount * 4 + (glyph - metricCount) * 2
  source.copy(target, index * 4 + 2, bearing, bearing + 2)
}

function collectOutlines(
  face: TrueTypeFace,
  glyphs: readonly (number | ComposedGlyph)[],
): { outlines: Buffer[]; kept: (number | ComposedGlyph)[] } {
  const glyf = tableOf(face.tables, 'glyf')
  const loca = tableOf(face.tables, 'loca')
  const wide = tableOf(face.tables, 'head').readInt16BE(50) === 1
  const offsetOf = (glyph: number): number =>
    wide ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2
  const outlineOf = (glyph: number): Buffer => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1))
  const kept = [...glyphs]
  const places = new Map<number, number>()
  for (const [index, glyph] of glyphs.entries()) {
    if (typeof glyph === 'number' && !places.has(glyph)) places.set(glyph, index)
  }
  const renumber = (glyph: number): number => {
    const known = places.get(glyph)
    if (known !== undefined) return known
    if (kept.length >= MAX_SUBSET_GLYPHS) throw new Error('Too many glyphs for one subset')
    places.set(glyph, kept.length)
    return kept.push(glyph) - 1
  }
  const outlines: Buffer[] = []
  for (let index = 0; index < kept.length; index += 1) {
    const glyph = kept[index] ?? 0
    outlines.push(
      typeof glyph === 'number'
        ? withoutHints(outlineOf(glyph), renumber)
        : composedOutline(glyph, outlineOf, renumber),
    )
  }
  return { outlines, kept }
}

/** A composite outline (ISO/IEC 14496-22, `glyf`); parts without an outline are left out. */
function composedOutline(
  { parts }: ComposedGlyph,
  outlineOf: (glyph: number) => Buffer,
  renumber: (glyph: number) => number,
): Buffer {
  const drawn = parts.filter(({ glyph }) => outlineOf(glyph).length > 0)
  if (drawn.length === 0) return Buffer.alloc(0)
  const result = Buffer.alloc(paddedLength(10 + drawn.length * 8))
  const boxes = drawn.map(({ glyph, x, y }) => {
    const outline = outlineOf(glyph)
    return [x, y, x, y].map((offset, at) => offset + outline.readInt16BE(2 + at * 2))
  })
  result.writeInt16BE(-1, 0)
  for (const at of [0, 1, 2, 3]) {
    const sides = boxes.map((box) => box[at] ?? 0)
    result.writeInt16BE(at < 2 ? Math.min(...sides) : Math.max(...sides), 2 + at * 2)
  }
  for (const [index, { glyph, x, y }] of drawn.entries()) {
    const more = index < drawn.length - 1 ? MORE_COMPONENTS : 0
    const at = 10 + index * 8
    result.writeUInt16BE(ARGS_ARE_WORDS | ARGS_ARE_OFFSETS | more, at)
    result.writeUInt16BE(renumber(glyph), at + 2)
    result.writeInt16BE(x, at + 4)
    result.writeInt16BE(y, at + 6)
  }
  return result
}

/** One outline without its instructions, parts renumbered, padded to four bytes. */
function withoutHints(outline: Buffer, renumber: (glyph: number) => number): Buffer {
  if (outline.length === 0) return outline
  const contours = outline.readInt16BE(0)
  if (contours < 0) return compositeWithoutHints(outline, renumber)
  const lengthAt = 10 + contours * 2
  const pointsAt = lengthAt + 2 + outline.readUInt16BE(lengthAt)
  const result = Buffer.alloc(paddedLength(lengthAt + 2 + outline.length - pointsAt))
  outline.copy(result, 0, 0, lengthAt)
  outline.copy(result, lengthAt + 2, pointsAt)
  return result
}

function compositeWithoutHints(outline: Buffer, renumber: (glyph: number) => number): Buffer {
  const copy = Buffer.from(outline)
  let at = 10
  for (;;) {
    const flags = copy.readUInt16BE(at)
    copy.writeUInt16BE(flags & ~HAS_INSTRUCTIONS, at)
    copy.writeUInt16BE(renumber(copy.readUInt16BE(at + 2)), at + 2)
    at += 4 + (flags & ARGS_ARE_WORDS ? 4 : 2)
    if (flags & HAS_SCALE) at += 2
    else if (flags & HAS_X_Y_SCALE) at += 4
    else if (flags & HAS_TWO_BY_TWO) at += 8
    if (!(flags & MORE_COMPONENTS)) break
  }
  const result = Buffer.alloc(paddedLength(at))
  copy.copy(result, 0, 0, at)
  return result
}

function paddedLength(length: number): number {
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
