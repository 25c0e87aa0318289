/**
 * Reads the tables of a TrueType font that showing text needs (ISO/IEC 14496-22; ISO 32000-2, 9.9).
 */
import { Buffer } from 'node:buffer'

import { type CharacterMap, readCharacterMap } from './character-map.ts'

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

/** @throws Error when the font has no such table */
export function tableOf(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag)
  if (!table) throw new Error(`The font has no table ${tag}`)
  return table
}
