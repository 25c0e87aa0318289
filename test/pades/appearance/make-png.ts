/** Builds PNG and JPEG files for tests, well formed or not, without the code under test. */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

export interface PngOptions {
  width: number
  height: number
  colourType: number
  depth: number
  interlace?: 0 | 1
  palette?: Buffer
  transparency?: Buffer
  /** Row filter by row number. */
  filter?: (row: number) => number
  /** Samples of a pixel, as many as the colour type has. */
  pixel: (x: number, y: number) => readonly number[]
  /** Replaces the inflated rows. */
  rows?: Buffer
  extra?: readonly Buffer[]
}

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(data.length, 0)
  body.copy(result, 4)
  result.writeUInt32BE(crc32(body), body.length + 4)
  return result
}

export function headerChunk(options: Omit<PngOptions, 'pixel'>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(options.width, 0)
  header.writeUInt32BE(options.height, 4)
  header[8] = options.depth
  header[9] = options.colourType
  header[12] = options.interlace ?? 0
  return chunk('IHDR', header)
}

export function assemble(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

export function makePng(options: PngOptions): Buffer {
  const chunks = [headerChunk(options), ...(options.extra ?? [])]
  if (options.palette) chunks.push(chunk('PLTE', options.palette))
  if (options.transparency) chunks.push(chunk('tRNS', options.transparency))
  const rows = options.rows ?? filteredRows(options)
  const data = deflateSync(rows)
  const half = data.length >> 1
  chunks.push(chunk('IDAT', data.subarray(0, half)), chunk('IDAT', data.subarray(half)))
  return assemble(...chunks, chunk('IEND', Buffer.alloc(0)))
}

/** A black zigzag on a transparent canvas, as a browser exports it. */
export function makeCanvasPng(width = 60, height = 20): Buffer {
  return makePng({
    width,
    height,
    colourType: 6,
    depth: 8,
    pixel: (x, y) => (x > 5 && x < width - 5 && y === 3 + (x % 5) ? [0, 0, 0, 255] : [0, 0, 0, 0]),
  })
}

function filteredRows(options: PngOptions): Buffer {
  const { width, height, depth, interlace } = options
  const channels = options.pixel(0, 0).length
  const pixelBytes = Math.max(1, (channels * depth) >> 3)
  const rows: Buffer[] = []
  for (const [left, top, stepX, stepY] of interlace === 1 ? PASSES : [[0, 0, 1, 1]]) {
    if (left >= width || top >= height) continue
    let above: Buffer | undefined
    for (let y = top, index = 0; y < height; y += stepY, index += 1) {
      const bits: string[] = []
      for (let x = left; x < width; x += stepX) {
        for (const sample of options.pixel(x, y)) {
          bits.push(sample.toString(2).padStart(depth, '0'))
        }
      }
      const joined = bits.join('')
      const raw = Buffer.from(
        joined.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [],
      )
      const filter = options.filter?.(index) ?? 0
      rows.push(Buffer.from([filter]), applyFilter(filter, raw, above, pixelBytes))
      above = raw
    }
  }
  return Buffer.concat(rows)
}

function applyFilter(filter: number, raw: Buffer, above: Buffer | undefined, size: number): Buffer {
  return Buffer.from(
    raw.map((value, at) => {
      const a = at >= size ? raw[at - size] : 0
      const b = above?.[at] ?? 0
      const c = at >= size ? (above?.[at - size] ?? 0) : 0
      if (filter === 1) return value - a
      if (filter === 2) return value - b
      if (filter === 3) return value - Math.floor((a + b) / 2)
      if (filter !== 4) return value
      const candidates = [a, b, c].map((candidate) => Math.abs(a + b - c - candidate))
      return value - [a, b, c][candidates.indexOf(Math.min(...candidates))]
    }),
  )
}

export interface JpegOptions {
  components?: number
  width?: number
  height?: number
  /** Marker of the frame: 0xc0 baseline, 0xc2 progressive. */
  frame?: number
  precision?: number
  adobe?: boolean
  camera?: string
  end?: boolean
}

/** The structure of a JPEG; its scans hold stuffed bytes and a restart marker, not a picture. */
export function makeJpeg(options: JpegOptions = {}): Buffer {
  const { components = 3, width = 20, height = 10, frame = 0xc0, precision = 8 } = options
  const segment = (marker: number, body: Uint8Array): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([head, body])
  }
  const frameBody = Buffer.alloc(6 + components * 3)
  frameBody[0] = precision
  frameBody.writeUInt16BE(height, 1)
  frameBody.writeUInt16BE(width, 3)
  frameBody[5] = components
  const jfif = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')
  const parts = [Buffer.from([0xff, 0xd8]), segment(0xe0, jfif)]
  if (options.camera) {
    parts.push(segment(0xe1, Buffer.from(`Exif\0\0${options.camera}`)))
    parts.push(segment(0xfe, Buffer.from(options.camera)))
  }
  if (options.adobe) parts.push(segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0\0')))
  parts.push(segment(frame, frameBody))
  const scans = frame === 0xc2 ? 2 : 1
  for (let scan = 0; scan < scans; scan += 1) {
    parts.push(segment(0xda, Buffer.alloc(10)))
    parts.push(Buffer.from([1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4]))
  }
  if (options.end !== false) parts.push(Buffer.from([0xff, 0xd9]))
  return Buffer.concat(parts)
}

/** DC coefficient of a block of one grey, in its category and bits (ITU-T T.81, F.1.2.1). */
const BLOCKS = {
  black: { category: 11, bits: '01111111111' },
  white: { category: 10, bits: '1111111000' },
} as const

/** A JPEG of 48 × 8 pixels in one grey: six blocks, of which each has a DC coefficient alone. */
export function makePlainJpeg(colour: keyof typeof BLOCKS): Buffer {
  const { category, bits } = BLOCKS[colour]
  // Code 0 is the category, code 10 no difference; of the AC table, code 0 ends the block.
  const scan = `0${bits}0${'100'.repeat(5)}`
  const data = (scan.padEnd(Math.ceil(scan.length / 8) * 8, '1').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  )
  const zeros = (count: number) => Array<number>(count).fill(0)
  return Buffer.from([
    ...[0xff, 0xd8],
    ...[0xff, 0xdb, 0, 67, 0, ...Array<number>(64).fill(1)],
    ...[0xff, 0xc0, 0, 11, 8, 0, 8, 0, 48, 1, 1, 0x11, 0],
    ...[0xff, 0xc4, 0, 21, 0x00, 1, 1, ...zeros(14), category, 0],
    ...[0xff, 0xc4, 0, 20, 0x10, 1, ...zeros(15), 0],
    ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, ...data],
    ...[0xff, 0xd9],
  ])
}
