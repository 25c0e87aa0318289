/** Outlines of a TrueType font for a subset of it (ISO/IEC 14496-22, `glyf`). */
import { Buffer } from 'node:buffer'

import { paddedLength } from './true-type-file.ts'
import { tableOf, type TrueTypeFace } from './true-type.ts'

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

/**
 * Collects the outlines of glyphs and of the parts that they are made of.
 *
 * @returns an outline for each kept glyph; the parts of composite glyphs follow the glyphs
 * @throws Error when these are more glyphs than a subset may have
 */
export function collectOutlines(
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
