/**
 * Reads PNG drawings of untrusted people (ISO/IEC 15948): chunks, limits, and what a PDF can take
 * over unchanged.
 */
import { Buffer } from 'node:buffer'
import { crc32, inflateSync } from 'node:zlib'

import { PadesError } from '../errors.ts'
import {
  assertPictureSize,
  type EncodedPicture,
  type MaskPicture,
  type PixelPicture,
  type RasterImage,
  type ReadPicture,
} from './picture.ts'
import { bitsPerPixel, decodeRows, type PngHeader, rowLayout } from './png-rows.ts'
import { PNG_SIGNATURE } from './png-signature.ts'
import { OPACITIES } from './png-writer.ts'
import { cropToInk, isVisible } from './raster.ts'

const MAX_CHUNKS = 4_096
/** Bit depths allowed for each colour type (ISO/IEC 15948, 11.2.2). */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const INTERLACED = 1
const LARGEST_PALETTE_BYTES = 256 * 3
/** Row filters are 0 to 4 (ISO/IEC 15948, 9.2). */
const LAST_FILTER = 4

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** Length, type, data and checksum as in the file. */
  readonly whole: Buffer
}

/** What a header may say; checked before anything is inflated. */
export interface PngLimits {
  /** Pixels multiplied by their bits. */
  readonly maxPixelBits?: number
  /** @throws PadesError `BAD_DRAWING` */
  readonly assertSize?: (width: number, height: number) => void
}

/** Uncompressed, a screen of 3,840 × 2,160 with four samples of eight bits. */
export const SENT_LIMITS: PngLimits = { maxPixelBits: 3_840 * 2_160 * 32 }

/** What every use of a PNG needs: its structure, its compressed rows, and the bytes to keep. */
interface PngFile {
  readonly header: PngHeader
  /** Compressed. */
  readonly data: Buffer
  /** Inflated, as long as the header says. */
  readonly rows: Buffer
  /** The file without ancillary chunks. */
  readonly bytes: Buffer
}

/**
 * Reads and checks a PNG; the returned bytes are the file without its ancillary chunks
 * (texts, dates, colour profiles), transparency apart, so that nothing is kept but what is drawn.
 *
 * @throws PadesError `BAD_DRAWING` - damaged, too large, or nothing visible on it
 */
export function readPng(
  file: Uint8Array,
  limits: PngLimits = {},
): ReadPicture<EncodedPicture | PixelPicture | MaskPicture> {
  const { header, data, rows, bytes } = openPng(file, limits)
  const ink = inkOfMask(header)
  if (ink) return { picture: maskPicture(header, ink, rows, data), bytes }
  const rgba = decodeRows(header, rows)
  const hasAlpha = header.colourType >= 4 || header.transparency !== undefined
  if (hasAlpha || header.interlace === INTERLACED) {
    const picture = cropToInk(rgba, header.width, header.height)
    if (!picture) throw emptyDrawing()
    return { picture, bytes }
  }
  if (!isVisible(rgba)) throw emptyDrawing()
  return { picture: passThrough(header, data), bytes }
}

/**
 * Reads and checks a PNG and returns its pixels.
 *
 * @throws PadesError `BAD_DRAWING` - damaged or too large
 */
export function decodePng(file: Uint8Array, limits: PngLimits = {}): RasterImage {
  const { header, rows } = openPng(file, limits)
  const { width, height } = header
  return { width, height, rgba: decodeRows(header, rows) }
}

function openPng(
  file: Uint8Array,
  { maxPixelBits = Infinity, assertSize = assertPictureSize }: PngLimits,
): PngFile {
  const chunks = readChunks(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  const header = readHeader(chunks)
  assertSize(header.width, header.height)
  assertPixelBits(header, maxPixelBits)
  const data = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data),
  )
  const bytes = Buffer.concat([PNG_SIGNATURE, ...chunks.map((chunk) => chunk.whole)])
  return { header, data, rows: inflateRows(header, data), bytes }
}

/**
 * The ink of a drawing as `writePng` writes those in one ink; undefined for any other PNG.
 */
function inkOfMask(header: PngHeader): readonly [number, number, number] | undefined {
  const { colourType, depth, interlace, palette, transparency } = header
  if (colourType !== 3 || depth !== 8 || interlace === INTERLACED) return undefined
  if (palette?.length !== LARGEST_PALETTE_BYTES || !transparency?.equals(OPACITIES))
    return undefined
  const ink = [palette[0], palette[1], palette[2]] as const
  return palette.equals(Buffer.alloc(palette.length, Buffer.from(ink))) ? ink : undefined
}

/** Each index is an opacity, so that the compressed rows are the soft mask. */
function maskPicture(
  { width, height }: PngHeader,
  ink: readonly [number, number, number],
  rows: Buffer,
  data: Buffer,
): MaskPicture {
  const stride = width + 1
  for (let row = 0; row < height; row += 1) {
    if (rows[row * stride] > LAST_FILTER) throw damaged('a row cannot be decoded')
  }
  return { kind: 'mask', width, height, ink, data }
}

function emptyDrawing(): PadesError {
  return new PadesError('BAD_DRAWING', 'it is empty: nothing visible is drawn on it')
}

function damaged(what: string, options?: ErrorOptions): PadesError {
  return new PadesError('BAD_DRAWING', `the PNG is damaged: ${what}`, options)
}

function readChunks(file: Buffer): Chunk[] {
  const kept: Chunk[] = []
  let at = PNG_SIGNATURE.length
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    if (at + 12 > file.length) throw damaged('it ends too early')
    const length = file.readUInt32BE(at)
    const end = at + 12 + length
    if (end > file.length) throw damaged('it ends too early')
    const type = file.toString('latin1', at + 4, at + 8)
    const chunk = { type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) }
    const isCritical = /^[A-Z]/.test(type)
    if (isCritical && !['IHDR', 'PLTE', 'IDAT', 'IEND'].includes(type)) {
      throw damaged(`it has an unknown part ${JSON.stringify(type)}`)
    }
    if (isCritical || type === 'tRNS') {
      if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) {
        throw damaged(`the checksum of its part ${type} is wrong`)
      }
      kept.push(chunk)
    }
    if (type === 'IEND') return kept
    at = end
  }
  throw damaged('it has too many parts')
}

function readHeader(chunks: readonly Chunk[]): PngHeader {
  const ihdr = chunks[0]
  if (ihdr?.type !== 'IHDR' || ihdr.data.length !== 13) throw damaged('its header is missing')
  const width = ihdr.data.readUInt32BE(0)
  const height = ihdr.data.readUInt32BE(4)
  const [depth, colourType, compression, filter, interlace] = ihdr.data.subarray(8)
  if (!DEPTHS[colourType]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw damaged('its header asks for something that PNG does not know')
  }
  if (width === 0 || height === 0) throw damaged('it has no width or no height')
  const find = (type: string): Buffer | undefined =>
    chunks.find((chunk) => chunk.type === type)?.data
  const palette = find('PLTE')
  if (colourType === 3) {
    const isGood = palette && palette.length > 0 && palette.length % 3 === 0
    if (!isGood || palette.length > LARGEST_PALETTE_BYTES) {
      throw damaged('its palette is missing or broken')
    }
  }
  const transparency = find('tRNS')
  const keyBytes = { 0: 2, 2: 6 }[colourType]
  if (transparency && keyBytes !== undefined && transparency.length !== keyBytes) {
    throw damaged('its transparent colour is broken')
  }
  return { width, height, depth, colourType, interlace, palette, transparency }
}

function assertPixelBits(header: PngHeader, maxPixelBits: number): void {
  const { width, height } = header
  const bits = bitsPerPixel(header)
  if (width * height * bits <= maxPixelBits) return
  const what = `its ${width} × ${height} pixels have ${bits} bits each, which is too much`
  throw new PadesError('BAD_DRAWING', `${what}; save it with 8 bits per colour`)
}

/**
 * The header says exactly how many bytes there must be, at most nine per pixel: one more or one
 * less is a damaged file, and a bomb is not inflated beyond them.
 */
function inflateRows(header: PngHeader, data: Buffer): Buffer {
  const expectedBytes = rowLayout(header).reduce((sum, pass) => sum + pass.height * pass.stride, 0)
  let rows: Buffer
  try {
    rows = inflateSync(data, {
      maxOutputLength: expectedBytes,
      chunkSize: Math.max(1_024, Math.min(expectedBytes, 1 << 20)),
    })
  } catch (cause) {
    throw damaged('its pixels cannot be read', { cause })
  }
  if (rows.length !== expectedBytes) throw damaged('some of its pixels are missing')
  return rows
}

/** PDF knows PNG's row filters (ISO 32000-2, 7.4.4.4): compressed rows are taken as they are. */
function passThrough(header: PngHeader, data: Buffer): EncodedPicture {
  const { width, height, depth, colourType, palette } = header
  const colours = colourType === 2 ? 3 : 1
  const bits = `/BitsPerComponent ${depth}`
  const parameters = `/Predictor 15 /Colors ${colours} ${bits} /Columns ${width}`
  const entries =
    `/ColorSpace ${colourSpace(colourType, palette)} ${bits}` +
    ` /Filter /FlateDecode /DecodeParms << ${parameters} >>`
  return { kind: 'encoded', width, height, entries, data }
}

function colourSpace(colourType: number, palette: Buffer | undefined): string {
  if (colourType === 2) return '/DeviceRGB'
  if (colourType !== 3 || !palette) return '/DeviceGray'
  return `[/Indexed /DeviceRGB ${palette.length / 3 - 1} <${palette.toString('hex')}>]`
}
