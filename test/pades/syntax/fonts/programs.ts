/** The smallest font programs of each kind, for tests. */
import { Buffer } from 'node:buffer'

const KEY = 55_665

const uint16 = (...values: readonly number[]) =>
  Buffer.from(values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]))

/** Tables of a TrueType font of two glyphs. */
export function trueTypeTables(): Record<string, Buffer> {
  const head = Buffer.alloc(54)
  head.writeUInt32BE(0x5f0f3cf5, 12)
  head.writeUInt16BE(1_000, 18)
  const hhea = Buffer.alloc(36)
  hhea.writeUInt16BE(1, 34)
  return {
    head,
    hhea,
    hmtx: uint16(500, 0, 0),
    maxp: uint16(0, 0x5000, 2),
    loca: uint16(0, 2, 4),
    glyf: Buffer.alloc(8, 1),
  }
}

/** A program of tables; null leaves a table out. */
export function sfnt(
  changes: Readonly<Record<string, Buffer | null>> = {},
  version = 0x00010000,
  base = trueTypeTables(),
): Buffer {
  const tables = Object.entries({ ...base, ...changes }).filter(([, table]) => table !== null)
  const directory = Buffer.alloc(12 + tables.length * 16)
  directory.writeUInt32BE(version, 0)
  directory.writeUInt16BE(tables.length, 4)
  let offset = directory.length
  for (const [index, [tag, table]] of tables.entries()) {
    const at = 12 + index * 16
    // Two tables can have one tag.
    directory.write(tag.slice(0, 4), at, 'latin1')
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(table!.length, at + 12)
    offset += table!.length
  }
  return Buffer.concat([directory, ...tables.map(([, table]) => table as Buffer)])
}

/** An INDEX of the Compact Font Format. */
export function indexOf(...parts: readonly Buffer[]): Buffer {
  if (parts.length === 0) return uint16(0)
  let offset = 1
  const offsets = [1, ...parts.map((part) => (offset += part.length))]
  return Buffer.concat([uint16(parts.length), Buffer.from([1, ...offsets]), ...parts])
}

/** A compact font. @param glyphs its outlines, in an INDEX or otherwise */
export function compactFont(glyphs: Buffer = indexOf(Buffer.from([14])), names = 1): Buffer {
  const header = Buffer.from([1, 0, 4, 1])
  const name = indexOf(...Array.from({ length: names }, () => Buffer.from('Font')))
  // The operand of CharStrings, as 28 and two octets, behind a real number with its operator.
  const dictionary = (offset: number) =>
    indexOf(
      Buffer.concat([Buffer.from([30, 0x1a, 0x2f, 12, 2, 28]), uint16(offset), Buffer.from([17])]),
    )
  const before = (offset: number) =>
    Buffer.concat([header, name, dictionary(offset), indexOf(), indexOf()])
  return Buffer.concat([before(before(0).length), glyphs])
}

function encrypt(plain: Buffer): Buffer {
  let state = KEY
  return Buffer.from(
    plain.map((octet) => {
      const coded = octet ^ (state >> 8)
      state = ((coded + state) * 52_845 + 22_719) & 0xffff
      return coded
    }),
  )
}

/** A compact font of letters. @param codes absent: those of the standard encoding */
export function lettersOfCompactFont(
  letters: string,
  codes?: readonly number[],
  matrix: readonly number[] = [],
): Buffer {
  const strings = [...letters].map((letter) => letter.charCodeAt(0) - 'A'.charCodeAt(0) + 34)
  const charset = Buffer.concat([Buffer.from([0]), uint16(...strings)])
  const encoding = codes ? Buffer.from([0, codes.length, ...codes]) : Buffer.alloc(0)
  const glyphs = indexOf(...Array.from({ length: letters.length + 1 }, () => Buffer.from([14])))
  const entry = (operator: number, value: number) =>
    Buffer.concat([Buffer.from([28]), uint16(value), Buffer.from([operator])])
  const scale = Buffer.concat([
    ...matrix.map((number) => Buffer.concat([Buffer.from([28]), uint16(number)])),
    Buffer.from(matrix.length > 0 ? [12, 7] : []),
  ])
  const before = (start: number) => {
    const dictionary = [
      scale,
      entry(15, start),
      entry(16, codes ? start + charset.length : 0),
      entry(17, start + charset.length + encoding.length),
    ]
    const parts = [indexOf(Buffer.from('Font')), indexOf(Buffer.concat(dictionary))]
    return Buffer.concat([Buffer.from([1, 0, 4, 1]), ...parts, indexOf(), indexOf()])
  }
  return Buffer.concat([before(before(0).length), charset, encoding, glyphs])
}

/** A Type 1 font of letters. @param clear what its part that is not encrypted says of them */
export function lettersOfTypeOne(letters: string, clear: string): Buffer {
  const glyphs = [...letters].map((letter) => `/${letter} 4 RD abcd ND`)
  return typeOne(`/CharStrings 9 dict dup begin ${glyphs.join(' ')} end`, false, clear)
}

/** A Type 1 font. @param secret text of its encrypted part */
export function typeOne(
  secret = '/CharStrings 1 dict dup begin end',
  isText = false,
  clear = '',
): Buffer {
  const encrypted = encrypt(Buffer.from(`rand${secret}`))
  const part = isText ? Buffer.from(encrypted.toString('hex').replace(/.{8}/g, '$&\n')) : encrypted
  return Buffer.concat([Buffer.from(`%!PS-AdobeFont-1.0: F\n${clear}currentfile eexec\n`), part])
}

/** Glyphs by their characters. */
export type Mapped = Readonly<Record<number, number>>

/** A table `cmap`. @param maps by their platform and encoding, such as `3,1` */
function characterTable(maps: Readonly<Record<string, Mapped>>): Buffer {
  const entries = Object.entries(maps)
  let offset = 4 + entries.length * 8
  const bodies = entries.map(([kind, map]) => (kind === '1,0' ? bytesOf(map) : segmentsOf(map)))
  const heads = entries.map(([kind], index) => {
    const head = uint16(...kind.split(',').map(Number), 0, offset)
    offset += bodies[index]!.length
    return head
  })
  return Buffer.concat([uint16(0, entries.length), ...heads, ...bodies])
}

/** Format 0. */
function bytesOf(map: Mapped): Buffer {
  const glyphs = Buffer.alloc(256)
  for (const [character, glyph] of Object.entries(map)) glyphs[Number(character)] = glyph
  return Buffer.concat([uint16(0, 262, 0), glyphs])
}

/** Format 4, a segment for each character. */
function segmentsOf(map: Mapped): Buffer {
  const pairs = Object.entries(map).map(([character, glyph]) => [Number(character), glyph] as const)
  const segments = [...pairs.toSorted(([a], [b]) => a - b), [0xffff, 0] as const]
  const characters = segments.map(([character]) => character)
  const deltas = segments.map(([character, glyph]) => glyph - character)
  const ranges = segments.map(() => 0)
  const body = [segments.length * 2, 0, 0, 0, ...characters, 0, ...characters, ...deltas, ...ranges]
  return uint16(4, 6 + body.length * 2, 0, ...body)
}

/** A TrueType program of five glyphs with outlines of their own. */
export const lettersOf = (
  maps: Readonly<Record<string, Mapped>>,
  tables: Readonly<Record<string, Buffer | null>> = {},
): Buffer =>
  sfnt({
    maxp: uint16(0, 0x5000, 5),
    loca: uint16(0, 2, 4, 6, 8, 10),
    glyf: Buffer.from([0, 1, 2, 3, 4].flatMap((glyph) => [glyph, glyph, glyph, glyph])),
    cmap: characterTable(maps),
    ...tables,
  })
