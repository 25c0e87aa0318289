/**
 * Judges the structure of JBIG2 data (ITU-T T.88, 7; ISO 32000-2, 7.4.7): the segments, their order
 * and the size of the page. The arithmetic codes in the segments are not decoded.
 */
import type { Buffer } from 'node:buffer'
import type { ImageShape } from './images.ts'

const PAGE = 48
const END_OF_PAGE = 49
const END_OF_STRIPE = 50
const END_OF_FILE = 51
/** Symbols, patterns, profiles, tables and comments (7.3). */
const SHARED: ReadonlySet<number> = new Set([0, 16, 52, 53, 62])
const REGIONS: ReadonlySet<number> = new Set([4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43])
const OTHERS: ReadonlySet<number> = new Set([PAGE, END_OF_PAGE, END_OF_STRIPE, END_OF_FILE])
const UNKNOWN = 0xffff_ffff
const PAGE_BYTES = 19
const FLAGS_BYTES = 6
const MAX_SEGMENTS = 20_000
const MANY_REFERENCES = 7
/** Line ends that `Length` counts. */
const SPARE_BYTES = 2

interface Segment {
  readonly number: number
  readonly type: number
  readonly references: readonly number[]
  /** 0 for what is of every page. */
  readonly page: number
  readonly data: Buffer
}

/**
 * Finds out whether JBIG2 data are one page of this size, of segments that are whole.
 *
 * @param globals data of `JBIG2Globals`, if there are any
 */
export function hasJbig2Shape(
  data: Buffer,
  globals: Buffer | undefined,
  shape: Pick<ImageShape, 'width' | 'height'>,
): boolean {
  const shared = globals ? readSegments(globals) : []
  const own = readSegments(data)
  if (!shared || !own || !shared.every(({ type, page }) => SHARED.has(type) && page === 0)) {
    return false
  }
  return hasEverySegment([...shared, ...own]) && isPage(own, shape)
}

/** Each segment has a number of its own and refers to earlier ones (7.2.5). */
function hasEverySegment(segments: readonly Segment[]): boolean {
  const known = new Set<number>()
  for (const { number, references } of segments) {
    if (known.has(number) || references.some((one) => !known.has(one))) return false
    known.add(number)
  }
  return true
}

/** One page information before all regions, whose size is that of the image (7.4.8). */
function isPage(
  segments: readonly Segment[],
  { width, height }: Pick<ImageShape, 'width' | 'height'>,
) {
  const pages = segments.filter(({ type }) => type === PAGE)
  const [info] = pages
  if (pages.length !== 1 || info.data.length !== PAGE_BYTES || info.page === 0) return false
  const first = segments.findIndex(({ type }) => REGIONS.has(type))
  if (first !== -1 && first < segments.indexOf(info)) return false
  if (segments.some(({ page }) => page !== info.page && page !== 0)) return false
  const stated = info.data.readUInt32BE(4)
  const rows = stated === UNKNOWN ? rowsOfStripes(segments) : stated
  return info.data.readUInt32BE(0) === width && rows === height
}

/** 7.4.10: the last stripe ends in the last row. */
function rowsOfStripes(segments: readonly Segment[]): number {
  const last = segments.findLast(({ type }) => type === END_OF_STRIPE)
  return last?.data.length === 4 ? last.data.readUInt32BE(0) + 1 : 0
}

/** @returns undefined when a segment is unknown or cut off */
function readSegments(data: Buffer): Segment[] | undefined {
  const segments: Segment[] = []
  for (let at = 0; at + SPARE_BYTES < data.length;) {
    const header = segments.length < MAX_SEGMENTS ? readHeader(data, at) : undefined
    if (!header) return undefined
    const end = header.start + header.length
    // An open length is for a region that is written as a stream; PDF has the whole (7.2.7).
    if (header.length === UNKNOWN || end > data.length) return undefined
    segments.push({ ...header, data: data.subarray(header.start, end) })
    at = end
  }
  return segments
}

type Header = Omit<Segment, 'data'> & {
  /** Offset of the data of the segment. */
  readonly start: number
  readonly length: number
}

/** 7.2. */
function readHeader(data: Buffer, from: number): Header | undefined {
  if (from + FLAGS_BYTES > data.length) return undefined
  const number = data.readUInt32BE(from)
  const flags = data[from + 4]
  const type = flags & 0x3f
  if (!SHARED.has(type) && !REGIONS.has(type) && !OTHERS.has(type)) return undefined
  let at = from + FLAGS_BYTES
  let count = data[at - 1] >> 5
  if (count === MANY_REFERENCES) {
    if (at + 3 > data.length) return undefined
    count = data.readUInt32BE(at - 1) & 0x1fff_ffff
    at += 3 + Math.ceil((count + 1) / 8)
  } else if (count > 4) return undefined
  const size = number <= 256 ? 1 : number <= 65_536 ? 2 : 4
  const pageBytes = flags & 0x40 ? 4 : 1
  const start = at + count * size + pageBytes + 4
  if (start > data.length) return undefined
  return {
    number,
    type,
    references: Array.from({ length: count }, (_, index) =>
      data.readUIntBE(at + index * size, size),
    ),
    page: data.readUIntBE(at + count * size, pageBytes),
    start,
    length: data.readUInt32BE(start - 4),
  }
}
