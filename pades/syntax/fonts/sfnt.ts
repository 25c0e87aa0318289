/** Judges TrueType and OpenType font programs (ISO/IEC 14496-22). */
import type { Buffer } from 'node:buffer'
import { isCompactFont } from './compact-font.ts'

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
  const outlines = readTables(program)?.get('CFF ')
  return outlines !== undefined && isCompactFont(outlines)
}

const versionOf = (program: Buffer): number | undefined =>
  program.length < HEADER_BYTES ? undefined : program.readUInt32BE(0)

/** Tables that show nothing, or that readers do without, may be damaged. */
const NEEDED: ReadonlySet<string> = new Set([
  ...['CFF ', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'],
])

/** @returns undefined when a needed table is there twice or beyond the end */
function readTables(program: Buffer): Tables | undefined {
  const count = program.readUInt16BE(4)
  if (count > MAX_TABLES || HEADER_BYTES + count * ENTRY_BYTES > program.length) return undefined
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * ENTRY_BYTES
    const tag = program.toString('latin1', at, at + 4)
    if (!NEEDED.has(tag)) continue
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
