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
/** Symbols, patterns and tables (7.3). MuPDF and Ghostscript stop at profiles and comments. */
const SHARED: ReadonlySet<number> = new Set([0, 16, 53])
/** Those that are drawn at once: MuPDF also draws regions that only others refer to. */
const REGIONS: ReadonlySet<number> = new Set([6, 7, 22, 23, 38, 39, 42, 43])
const GENERIC: ReadonlySet<number> = new Set([38, 39])
const OTHERS: ReadonlySet<number> = new Set([PAGE, END_OF_PAGE, END_OF_STRIPE, END_OF_FILE])
const UNKNOWN = 0xffff_ffff
const PAGE_BYTES = 19
/** Bit 7 is for colours, which few readers know (7.4.8.5). */
const PAGE_FLAGS = 0x7f
const FLAGS_OF_PAGE = 16
const STRIPING = 17
const IS_STRIPED = 0x8000
/** Width, height, place and combination of a region, and flags of its own (7.4.1). */
const REGION_BYTES = 17
const FLAGS_OF_REGION_BYTES = 1
/** OR, AND, XOR, XNOR and REPLACE. */
const LAST_COMBINATION = 4
/** Flags of a generic region (7.4.6.2): PDFium draws no fax codes, some readers no 12 pixels. */
const FAX_CODES = 0x01
const EXTENDED_TEMPLATE = 0x10
const PIXELS_OF_TEMPLATE = [4, 1, 1, 1] as const
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
  if (!endsOnce(segments) || (info.data.readUInt8(FLAGS_OF_PAGE) & ~PAGE_FLAGS) !== 0) return false
  if (segments.some(({ page }) => page !== info.page && page !== 0)) return false
  const stated = info.data.readUInt32BE(4)
  const rows = stated === UNKNOWN ? rowsOfStripes(segments, info.data) : stated
  const isSame = info.data.readUInt32BE(0) === width && rows === height
  const regions = segments.filter(({ type }) => REGIONS.has(type))
  return isSame && regions.every((region) => isKnownRegion(region, { width, height }))
}

/**
 * 7.4.8.6 and 7.4.10: the last stripe ends in the last row. Readers make room for a stripe at once.
 *
 * @returns 0 when a stripe is higher than the page says
 */
function rowsOfStripes(segments: readonly Segment[], info: Buffer): number {
  const striping = info.readUInt16BE(STRIPING)
  if ((striping & IS_STRIPED) === 0) return 0
  const most = striping & ~IS_STRIPED
  let rows = 0
  for (const { type, data } of segments) {
    if (REGIONS.has(type) && data.length >= REGION_BYTES) {
      if (data.readUInt32BE(12) + data.readUInt32BE(4) > rows + most) return 0
    }
    if (type !== END_OF_STRIPE) continue
    const end = data.length === 4 ? data.readUInt32BE(0) + 1 : 0
    if (end <= rows || end - rows > most) return 0
    rows = end
  }
  return rows
}

/** Some readers draw regions behind the end of the page, and others do not. */
function endsOnce(segments: readonly Segment[]): boolean {
  const end = segments.findIndex(({ type }) => type === END_OF_PAGE || type === END_OF_FILE)
  const behind = end === -1 ? [] : segments.slice(end + 1)
  return behind.every(({ type }, index) => type === END_OF_FILE && index === 0)
}

/** Whether a region lies within the page and is combined in a known way. */
function isKnownRegion({ type, data }: Segment, page: { width: number; height: number }): boolean {
  if (data.length <= REGION_BYTES + FLAGS_OF_REGION_BYTES) return false
  const [width = 0, height = 0, x = 0, y = 0] = [0, 4, 8, 12].map((at) => data.readUInt32BE(at))
  const isWithin = x + width <= page.width && y + height <= page.height
  const hasArea = width > 0 && height > 0
  const isCombined = (data[REGION_BYTES - 1] & 0x07) <= LAST_COMBINATION
  return isWithin && hasArea && isCombined && (!GENERIC.has(type) || hasKnownTemplate(data))
}

/** 6.2.5.4: pixels that are decoded before the one that they predict. */
function hasKnownTemplate(data: Buffer): boolean {
  const flags = data[REGION_BYTES]
  if ((flags & (FAX_CODES | EXTENDED_TEMPLATE)) !== 0) return false
  const count = PIXELS_OF_TEMPLATE[(flags >> 1) & 3]
  const from = REGION_BYTES + FLAGS_OF_REGION_BYTES
  if (data.length < from + 2 * count) return false
  for (let at = from; at < from + 2 * count; at += 2) {
    const [x, y] = [data.readInt8(at), data.readInt8(at + 1)]
    if (y > 0 || (y === 0 && x >= 0)) return false
  }
  return true
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
