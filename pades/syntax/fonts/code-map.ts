/**
 * Reads embedded CMaps (ISO 32000-2, 9.7.5.4): which codes a text consists of, and which glyph each
 * one selects. Readers differ in what CMaps take from others, in codes outside of their space, in
 * ranges that overlap and in codes without a glyph, so that none of these is accepted.
 */

/** Reads a text. */
export interface CodeMap {
  readonly isVertical: boolean
  /** @returns the CIDs of a text; undefined when it holds a code that not all readers know */
  readonly read: (text: Uint8Array) => readonly number[] | undefined
}

interface Range {
  /** Bytes of each code. */
  readonly bytes: number
  readonly first: number
  readonly last: number
  readonly cid: number
}

const MOST_BYTES = 4
/** PDFium reads longer codes only beside those of another space. */
const MOST_BYTES_ALONE = 2
const BYTE = 256
const MOST_SPACES = 100
const MOST_RANGES = 100_000
const LAST_CID = 0xffff

/** Each pair of bytes is a CID. */
export const identityMap = (isVertical: boolean): CodeMap => ({
  isVertical,
  read(text) {
    if (text.length % 2 !== 0) return undefined
    const pairs = Array.from({ length: text.length / 2 })
    return pairs.map((_, index) => ((text[2 * index] ?? 0) << 8) | (text[2 * index + 1] ?? 0))
  },
})

/** Comments, delimiters, strings without parentheses and escapes, names and operators. */
const TOKENS =
  /%[^\r\n]*|<<|>>|<[^<>]*>|\([^()\\]*\)|\/?[^\0\t\n\f\r <>()[\]{}/%]+|[[\]{}]|[^\0\t\n\f\r ]/g
/** What no token begins with or is alone; readers continue differently behind it. */
const STRAY: ReadonlySet<string> = new Set('()<>/')
const UNSHARED = /^(usecmap|begin(bf|rearranged|usematrix)\w*)$/

/**
 * Reads a CMap.
 *
 * @param source of the program
 * @returns undefined when readers may take it differently
 */
export function readCodeMap(source: string): CodeMap | undefined {
  const tokens = (source.match(TOKENS) ?? []).filter((token) => !token.startsWith('%'))
  if (tokens.some((token) => UNSHARED.test(token) || STRAY.has(token))) return undefined
  const spaces = readSpaces(tokens)
  const ranges = spaces && readRanges(tokens)
  if (!spaces || !ranges || !areApart(spaces) || !areApart(ranges)) return undefined
  const isWithin = ranges.every((range) => spaces.some((space) => contains(space, range)))
  const modes = tokens.flatMap((token, index) => (token === '/WMode' ? [tokens[index + 1]] : []))
  if (!isWithin || new Set(modes).size > 1) return undefined
  return { isVertical: modes[0] === '1', read: (text) => readText(text, spaces, ranges) }
}

/** Tokens between operators that begin and end a list. */
function* lists(tokens: readonly string[], name: string): Iterable<readonly string[]> {
  for (let start = tokens.indexOf(`begin${name}`); start !== -1;) {
    const end = tokens.indexOf(`end${name}`, start)
    yield tokens.slice(start + 1, end === -1 ? undefined : end)
    start = end === -1 ? -1 : tokens.indexOf(`begin${name}`, end)
  }
}

function readSpaces(tokens: readonly string[]): readonly Range[] | undefined {
  const spaces: Range[] = []
  for (const list of lists(tokens, 'codespacerange')) {
    for (let index = 0; index < list.length; index += 2) {
      const range = rangeOf(list[index], list[index + 1], '0')
      if (!range) return undefined
      spaces.push(range)
    }
  }
  const [first, ...others] = spaces
  const isRead = first && (others.length > 0 || first.bytes <= MOST_BYTES_ALONE)
  return isRead && spaces.length <= MOST_SPACES ? sorted(spaces) : undefined
}

function readRanges(tokens: readonly string[]): readonly Range[] | undefined {
  const ranges: (Range | undefined)[] = []
  for (const list of lists(tokens, 'cidrange')) {
    for (let at = 0; at < list.length; at += 3) {
      ranges.push(rangeOf(list[at], list[at + 1], list[at + 2]))
    }
  }
  for (const list of lists(tokens, 'cidchar')) {
    for (let at = 0; at < list.length; at += 2)
      ranges.push(rangeOf(list[at], list[at], list[at + 1]))
  }
  const known = ranges.filter((range) => range !== undefined)
  const isKnown = known.length === ranges.length && known.length <= MOST_RANGES
  return isKnown && known.every(hasRoom) ? sorted(known) : undefined
}

/** Ghostscript counts only the last byte of a code up. */
const hasRoom = ({ first, last, cid }: Range): boolean =>
  (Math.floor(first / BYTE) === Math.floor(last / BYTE) || first % BYTE === 0) &&
  cid + last - first <= LAST_CID

const HEXADECIMAL = /^<((?:[0-9A-Fa-f]{2})+)>$/

function rangeOf(from = '', to = '', cid = ''): Range | undefined {
  const [first, last] = [from, to].map((code) => HEXADECIMAL.exec(code)?.[1])
  if (first === undefined || last === undefined || first.length !== last.length) return undefined
  const [low, high] = [first, last].map((code) => Number.parseInt(code, 16)) as [number, number]
  const bytes = first.length / 2
  const isRange = bytes <= MOST_BYTES && low <= high && /^\d+$/.test(cid)
  return isRange ? { bytes, first: low, last: high, cid: Number(cid) } : undefined
}

/** Each byte of a code is within the bytes of its space (9.7.6.2). */
const contains = (space: Range, { bytes, first, last }: Range): boolean =>
  space.bytes === bytes && [first, last].every((code) => isCodeOf(space, code))

function isCodeOf({ bytes, first, last }: Range, code: number): boolean {
  for (let index = 0; index < bytes; index += 1) {
    const byteOf = (number: number) => Math.floor(number / BYTE ** index) % BYTE
    if (byteOf(code) < byteOf(first) || byteOf(last) < byteOf(code)) return false
  }
  return true
}

const sorted = (ranges: readonly Range[]): readonly Range[] =>
  ranges.toSorted((a, b) => a.bytes - b.bytes || a.first - b.first)

/** @param ranges in their order */
function areApart(ranges: readonly Range[]): boolean {
  return ranges.every((range, index) => {
    const next = ranges[index + 1]
    return !next || next.bytes !== range.bytes || range.last < next.first
  })
}

function readText(
  text: Uint8Array,
  spaces: readonly Range[],
  ranges: readonly Range[],
): readonly number[] | undefined {
  const cids: number[] = []
  for (let at = 0; at < text.length;) {
    const codeOf = (bytes: number) =>
      text.subarray(at, at + bytes).reduce((code, byte) => code * BYTE + byte, 0)
    const [space, ...others] = spaces.filter(
      (one) => at + one.bytes <= text.length && isCodeOf(one, codeOf(one.bytes)),
    )
    if (!space || others.length > 0) return undefined
    const code = codeOf(space.bytes)
    const range = lastBefore(ranges, space.bytes, code)
    if (range?.bytes !== space.bytes || range.last < code) return undefined
    cids.push(range.cid + code - range.first)
    at += space.bytes
  }
  return cids
}

/** The last of sorted ranges that begins at a code or before it. */
function lastBefore(ranges: readonly Range[], bytes: number, code: number): Range | undefined {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const range = ranges[middle] as Range
    const isBefore = range.bytes === bytes ? range.first <= code : range.bytes < bytes
    if (isBefore) low = middle + 1
    else high = middle
  }
  return ranges[low - 1]
}
