/**
 * Judges ICC profiles (ICC.1:2022). Readers without colour management, such as the viewer of the
 * signing page, ignore them, and others do not: with a hostile profile, black text is white paper.
 */
import type { Buffer } from 'node:buffer'
import { areWithin, fractions, type Interval } from '../amounts.ts'
import { readCurve } from './curves.ts'
import { isPlainCurve, isPlainMatrix } from './light.ts'
import { type Connection, isPlainTable } from './tables.ts'

const HEADER_BYTES = 128
const TAG_BYTES = 12
const MOST_TAGS = 100
/** Scanners, screens, printers and colour spaces; others have no colours to paint with. */
const CLASSES: ReadonlySet<string> = new Set(['scnr', 'mntr', 'prtr', 'spac'])
const AMOUNTS: ReadonlyMap<string, number> = new Map([
  ['GRAY', 1],
  ['RGB ', 3],
  ['CMYK', 4],
])
const CONNECTIONS: ReadonlyMap<string, Connection> = new Map([
  ['Lab ', 'Lab'],
  ['XYZ ', 'XYZ'],
])
/** Transforms of the rendering intents. */
const TABLES = ['A2B0', 'A2B1', 'A2B2'] as const
/** Transforms that only few readers know. */
const UNCOMMON = ['D2B0', 'D2B1', 'D2B2', 'D2B3'] as const
const CURVES = ['rTRC', 'gTRC', 'bTRC'] as const
const COLUMNS = ['rXYZ', 'gXYZ', 'bXYZ'] as const
/** White points, which count for the absolute intent: paper of a newspaper, and daylight. */
const WHITE_POINT: readonly Interval[] = [
  [0.5, 1.2],
  [0.55, 1.1],
  [0.35, 1.5],
]
const FIXED = 65_536

/**
 * Reads an ICC profile.
 *
 * @returns the amounts of its colours; undefined when readers with and without colour management
 *   may show other contrasts
 */
export function readProfileRanges(data: Buffer): readonly Interval[] | undefined {
  if (data.length < HEADER_BYTES + 4 || name(data, 36) !== 'acsp') return undefined
  const amounts = AMOUNTS.get(name(data, 16))
  const connection = CONNECTIONS.get(name(data, 20))
  const tags = readTags(data)
  if (!CLASSES.has(name(data, 12)) || !amounts || !connection || !tags) return undefined
  const white = tags.get('wtpt')
  if (white && !areWithin(numbersOf(white), WHITE_POINT)) return undefined
  if (UNCOMMON.some((tag) => tags.has(tag))) return undefined
  const tables = TABLES.flatMap((tag) => tags.get(tag) ?? [])
  if (!tables.every((table) => isPlainTable(table, amounts, connection))) return undefined
  const hasCurves = isPlainByCurves(tags, amounts, connection)
  return (hasCurves ?? tables.length > 0) ? fractions(amounts) : undefined
}

const name = (data: Buffer, at: number): string => data.toString('latin1', at, at + 4)

/** @returns undefined when a tag lies outside of the profile or is there twice */
function readTags(data: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const count = data.readUInt32BE(HEADER_BYTES)
  const end = HEADER_BYTES + 4 + count * TAG_BYTES
  if (count > MOST_TAGS || end > data.length) return undefined
  const tags = new Map<string, Buffer>()
  for (let at = HEADER_BYTES + 4; at < end; at += TAG_BYTES) {
    const [offset, size] = [data.readUInt32BE(at + 4), data.readUInt32BE(at + 8)]
    if (tags.has(name(data, at)) || offset + size > data.length) return undefined
    tags.set(name(data, at), data.subarray(offset, offset + size))
  }
  return tags
}

/** @returns undefined when the profile has no curves for its colours */
function isPlainByCurves(
  tags: ReadonlyMap<string, Buffer>,
  amounts: number,
  connection: Connection,
): boolean | undefined {
  if (amounts === 1 && tags.has('kTRC')) {
    const curve = readCurve(tags.get('kTRC'))
    return curve !== undefined && isPlainCurve(curve, connection)
  }
  if (amounts !== CURVES.length || !CURVES.every((tag) => tags.has(tag))) return undefined
  const curves = CURVES.map((tag) => readCurve(tags.get(tag)))
  const arePlain = curves.every((curve) => curve !== undefined && isPlainCurve(curve, 'XYZ'))
  return connection === 'XYZ' && arePlain && hasPlainMatrix(tags)
}

function hasPlainMatrix(tags: ReadonlyMap<string, Buffer>): boolean {
  const columns = COLUMNS.map((tag) => numbersOf(tags.get(tag)))
  return isPlainMatrix(columns)
}

const XYZ_BYTES = 20

/** The numbers of a tag; none for something else. */
function numbersOf(tag: Buffer | undefined): readonly number[] {
  if (!tag || tag.length < XYZ_BYTES || name(tag, 0) !== 'XYZ ') return []
  return [8, 12, 16].map((at) => tag.readInt32BE(at) / FIXED)
}
