/** Judges TrueType and OpenType font programs (ISO/IEC 14496-22). */
import type { Buffer } from 'node:buffer'
import { type CharacterMaps, readCharacterMaps } from './character-maps.ts'
import { compactUnitsPerEm, isCompactFont } from './compact-font.ts'
import { MACINTOSH_ORDER } from './glyph-names.ts'

const TRUE_TYPE = 0x0001_0000
/** The `true` of Apple's fonts. */
const APPLE = 0x7472_7565
/** `OTTO`: the outlines are a compact font. */
const COMPACT_OUTLINES = 0x4f54_544f
/** `ttcf`, a collection; producers embed them whole. */
const COLLECTION = 0x7474_6366
const HEADER_BYTES = 12
const ENTRY_BYTES = 16
const MAX_TABLES = 200
const HEAD_MAGIC = 0x5f0f_3cf5
const HEAD_BYTES = 54
const METRICS_HEADER_BYTES = 36
const PROFILE_BYTES = 6

/** Tables by their tags. */
type Tables = ReadonlyMap<string, Buffer>

/** Whether every reader finds the outlines of a TrueType program. */
export function isTrueType(program: Buffer): boolean {
  const version = versionOf(program)
  if (version !== TRUE_TYPE && version !== APPLE) return version === COLLECTION
  const tables = readTables(program)
  return tables !== undefined && hasMetrics(tables) && hasGlyphs(tables)
}

/** Whether every reader finds the outlines of an OpenType program, of either kind. */
export function isOpenType(program: Buffer): boolean {
  if (versionOf(program) !== COMPACT_OUTLINES) return isTrueType(program)
  const outlines = readCompactOutlines(program)
  const head = readTables(program)?.get('head')
  if (!outlines || !isCompactFont(outlines)) return false
  // Readers take the size of the em square from one or the other.
  const units = head && head.length >= HEAD_BYTES ? head.readUInt16BE(18) : 0
  return units === 0 || Math.abs(units / compactUnitsPerEm(outlines) - 1) < UNIT_TOLERANCE
}

/** Part by which two sizes of the em square may differ; reals are rounded. */
const UNIT_TOLERANCE = 0.01

/** The compact font in an OpenType program; undefined for outlines of another kind. */
export const readCompactOutlines = (program: Buffer): Buffer | undefined =>
  versionOf(program) === COMPACT_OUTLINES ? readTables(program)?.get('CFF ') : undefined

const versionOf = (program: Buffer): number | undefined =>
  program.length < HEADER_BYTES ? undefined : program.readUInt32BE(0)

/** Tables that show nothing, or that readers do without, may be damaged. */
const NEEDED: ReadonlySet<string> = new Set([
  ...['CFF ', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'],
])

/** Tables that say which glyph a code shows. */
const NAMING: ReadonlySet<string> = new Set(['cmap', 'post'])

/** @returns undefined when a table of these is there twice or beyond the end */
function readTables(program: Buffer, needed = NEEDED): Tables | undefined {
  const count = program.readUInt16BE(4)
  if (count > MAX_TABLES || HEADER_BYTES + count * ENTRY_BYTES > program.length) return undefined
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * ENTRY_BYTES
    const tag = program.toString('latin1', at, at + 4)
    if (!needed.has(tag)) continue
    const [offset, length] = [program.readUInt32BE(at + 8), program.readUInt32BE(at + 12)]
    if (tables.has(tag) || offset + length > program.length) return undefined
    tables.set(tag, program.subarray(offset, offset + length))
  }
  return tables
}

const glyphsOf = (tables: Tables): number => {
  const profile = tables.get('maxp')
  return profile && profile.length >= PROFILE_BYTES ? profile.readUInt16BE(4) : 0
}

/** Whether there is a width for every glyph. */
function hasMetrics(tables: Tables): boolean {
  const header = tables.get('hhea')
  const metrics = tables.get('hmtx')
  if (!header || !metrics || header.length < METRICS_HEADER_BYTES) return false
  const widths = header.readUInt16BE(METRICS_HEADER_BYTES - 2)
  return widths >= 1 && widths <= glyphsOf(tables) && widths * 4 <= metrics.length
}

/** Whether each glyph is a part of the outlines. */
function hasGlyphs(tables: Tables): boolean {
  const [head, locations, outlines] = [tables.get('head'), tables.get('loca'), tables.get('glyf')]
  if (!head || !locations || !outlines || head.length < HEAD_BYTES) return false
  if (head.readUInt32BE(12) !== HEAD_MAGIC || head.readUInt16BE(18) === 0) return false
  const format = head.readInt16BE(50)
  if (format !== 0 && format !== 1) return false
  const bytes = format === 0 ? 2 : 4
  const count = glyphsOf(tables) + 1
  if (locations.length < count * bytes) return false
  let before = 0
  for (let index = 0; index < count; index += 1) {
    const stated = locations.readUIntBE(index * bytes, bytes)
    const offset = format === 0 ? stated * 2 : stated
    if (offset < before || offset > outlines.length) return false
    before = offset
  }
  return true
}

/** The glyphs of a TrueType program. */
export interface TrueTypeGlyphs {
  /** Undefined when readers take a map from characters to glyphs differently. */
  readonly maps: CharacterMaps | undefined
  /** The glyph of a name, 0 for none. */
  readonly glyphNamed: (name: string) => number
  /** Outline of a glyph; undefined beyond the last glyph. */
  readonly outlineOf: (glyph: number) => Buffer | undefined
}

/**
 * Reads how the glyphs of a program are found.
 *
 * @param program that {@link isTrueType} accepts
 * @returns undefined for a collection, and for outlines of another kind
 */
export function readTrueTypeGlyphs(program: Buffer): TrueTypeGlyphs | undefined {
  const version = versionOf(program)
  if (version !== TRUE_TYPE && version !== APPLE) return undefined
  const tables = readTables(program)
  const naming = readTables(program, NAMING)
  return {
    maps: naming && readCharacterMaps(naming.get('cmap')),
    glyphNamed: readNames(naming?.get('post')),
    outlineOf: (glyph) => tables && outlineIn(tables, glyph),
  }
}

function outlineIn(tables: Tables, glyph: number): Buffer | undefined {
  const [head, locations, outlines] = [tables.get('head'), tables.get('loca'), tables.get('glyf')]
  if (!head || !locations || !outlines || glyph >= glyphsOf(tables)) return undefined
  const isShort = head.readInt16BE(50) === 0
  const at = (index: number) =>
    isShort ? locations.readUInt16BE(index * 2) * 2 : locations.readUInt32BE(index * 4)
  return outlines.subarray(at(glyph), at(glyph + 1))
}

const NAMES_VERSION = 0x0002_0000
const NAMES_START = 34

/** ISO/IEC 14496-22, 5.2.9. */
function readNames(table: Buffer | undefined): (name: string) => number {
  const glyphs = new Map<string, number>()
  if (table && table.length >= NAMES_START && table.readUInt32BE(0) === NAMES_VERSION) {
    const count = table.readUInt16BE(NAMES_START - 2)
    const own = readStrings(table, NAMES_START + 2 * count)
    for (let glyph = 0; glyph < count && NAMES_START + 2 * glyph + 2 <= table.length; glyph += 1) {
      const index = table.readUInt16BE(NAMES_START + 2 * glyph)
      const name = MACINTOSH_ORDER[index] ?? own[index - MACINTOSH_ORDER.length]
      if (name !== undefined && !glyphs.has(name)) glyphs.set(name, glyph)
    }
  }
  return (name) => glyphs.get(name) ?? 0
}

/** Strings with their length before them. */
function readStrings(table: Buffer, start: number): string[] {
  const strings: string[] = []
  for (let at = start; at < table.length;) {
    const end = at + 1 + (table[at] ?? 0)
    strings.push(table.toString('latin1', at + 1, end))
    at = end
  }
  return strings
}
