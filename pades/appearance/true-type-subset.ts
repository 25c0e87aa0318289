/**
 * Writes a subset of a TrueType font (ISO 32000-2, 9.9: the tables an embedded program must hold).
 *
 * The subset has no hinting programs: they double its size, and readers draw smooth outlines.
 */
import { Buffer } from 'node:buffer'

import { assembleTrueType } from './true-type-file.ts'
import { collectOutlines, type ComposedGlyph } from './true-type-outlines.ts'
import { tableOf, type TrueTypeFace } from './true-type.ts'

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
