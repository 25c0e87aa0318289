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
      Buffer.concat([Buffer.from([30, 0x1a, 0x2f, 12, 7, 28]), uint16(offset), Buffer.from([17])]),
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

/** A Type 1 font. @param secret text of its encrypted part */
export function typeOne(secret = '/CharStrings 1 dict dup begin', isText = false): Buffer {
  const encrypted = encrypt(Buffer.from(`rand${secret}`))
  const part = isText ? Buffer.from(encrypted.toString('hex').replace(/.{8}/g, '$&\n')) : encrypted
  return Buffer.concat([Buffer.from('%!PS-AdobeFont-1.0: F\ncurrentfile eexec\n'), part])
}
