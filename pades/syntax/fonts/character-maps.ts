/** Reads from the table `cmap` which glyph a character has (ISO/IEC 14496-22, 5.2.1). */
import type { Buffer } from 'node:buffer'

/** The glyph of a character, 0 for none. */
export type CharacterMap = (character: number) => number

export interface CharacterMaps {
  /** Those of Unicode, the one of Windows first. */
  readonly unicode: readonly CharacterMap[]
  /** Whether the first one of Unicode is that of Windows, which every reader prefers. */
  readonly isWindows: boolean
  /** That of symbols; their characters are codes from F000 or from 0 on. */
  readonly symbols?: CharacterMap
  /** That of the Macintosh. */
  readonly macintosh?: CharacterMap
}

const [UNICODE, MACINTOSH, WINDOWS] = [0, 1, 3]
const [WINDOWS_SYMBOL, WINDOWS_UNICODE, WINDOWS_FULL] = [0, 1, 10]
/** Variation sequences. */
const VARIATIONS = 5
const ENTRY_BYTES = 8
const MAX_MAPS = 100

/** @returns undefined when a map that readers use has another form than they know */
export function readCharacterMaps(table: Buffer | undefined): CharacterMaps | undefined {
  if (!table) return { unicode: [], isWindows: false }
  const count = table.length >= 4 ? table.readUInt16BE(2) : 0
  if (count > MAX_MAPS || 4 + count * ENTRY_BYTES > table.length) return undefined
  const found = new Map<string, CharacterMap>()
  for (let index = 0; index < count; index += 1) {
    const at = 4 + index * ENTRY_BYTES
    const kind = kindOf(table.readUInt16BE(at), table.readUInt16BE(at + 2))
    if (kind === undefined) continue
    const map = readMap(table, table.readUInt32BE(at + 4))
    // Readers choose differently among two maps of one kind.
    if (!map || (found.has(kind) && kind !== 'unicode')) return undefined
    found.set(kind === 'unicode' ? `${kind} ${index}` : kind, map)
  }
  const [windows, symbols, macintosh] = ['windows', 'symbols', 'macintosh'].map((kind) =>
    found.get(kind),
  )
  const others = [...found].flatMap(([kind, map]) => (kind.startsWith('unicode') ? [map] : []))
  return {
    unicode: windows ? [windows, ...others] : others,
    isWindows: windows !== undefined,
    ...(symbols && { symbols }),
    ...(macintosh && { macintosh }),
  }
}

function kindOf(platform: number, encoding: number): string | undefined {
  if (platform === MACINTOSH) return encoding === 0 ? 'macintosh' : undefined
  if (platform === UNICODE) return encoding === VARIATIONS ? undefined : 'unicode'
  if (platform !== WINDOWS) return undefined
  if (encoding === WINDOWS_FULL) return 'unicode'
  if (encoding === WINDOWS_UNICODE) return 'windows'
  return encoding === WINDOWS_SYMBOL ? 'symbols' : undefined
}

type ReadMap = (map: Buffer) => CharacterMap | undefined

const FORMATS: Readonly<Record<number, ReadMap>> = {
  0: readBytes,
  4: readSegments,
  6: readTrimmed,
  12: readGroups,
}

function readMap(table: Buffer, offset: number): CharacterMap | undefined {
  if (offset + 2 > table.length) return undefined
  const map = table.subarray(offset)
  return FORMATS[map.readUInt16BE(0)]?.(map)
}

function readBytes(map: Buffer): CharacterMap | undefined {
  const glyphs = map.subarray(6, 6 + 256)
  return glyphs.length === 256 ? (character) => glyphs[character] ?? 0 : undefined
}

function readTrimmed(map: Buffer): CharacterMap | undefined {
  if (map.length < 10) return undefined
  const [first, count] = [map.readUInt16BE(6), map.readUInt16BE(8)]
  if (10 + count * 2 > map.length) return undefined
  return (character) => {
    const index = character - first
    return index >= 0 && index < count ? map.readUInt16BE(10 + index * 2) : 0
  }
}

function readGroups(map: Buffer): CharacterMap | undefined {
  if (map.length < 16) return undefined
  const count = map.readUInt32BE(12)
  if (16 + count * 12 > map.length) return undefined
  return (character) => {
    for (let at = 16; at < 16 + count * 12; at += 12) {
      const [first, last] = [map.readUInt32BE(at), map.readUInt32BE(at + 4)]
      if (first <= character && character <= last)
        return map.readUInt32BE(at + 8) + character - first
    }
    return 0
  }
}

function readSegments(map: Buffer): CharacterMap | undefined {
  if (map.length < 14) return undefined
  const doubled = map.readUInt16BE(6)
  const ends = 14
  const starts = ends + doubled + 2
  const [deltas, ranges] = [starts + doubled, starts + 2 * doubled]
  if (doubled % 2 !== 0 || ranges + doubled > map.length) return undefined
  return (character) => {
    if (character > 0xffff) return 0
    for (let at = 0; at < doubled; at += 2) {
      if (map.readUInt16BE(ends + at) < character) continue
      const start = map.readUInt16BE(starts + at)
      if (start > character) return 0
      const delta = map.readUInt16BE(deltas + at)
      const range = map.readUInt16BE(ranges + at)
      if (range === 0) return (character + delta) & 0xffff
      const place = ranges + at + range + 2 * (character - start)
      const glyph = place + 2 <= map.length ? map.readUInt16BE(place) : 0
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}
