/**
 * Reads the headers of JPEG and JPEG 2000 data (ISO/IEC 10918-1, annex B; ISO/IEC 15444-1, annex
 * A), which some readers follow and others replace by the entries of the image.
 */
import { Buffer } from 'node:buffer'
import type { PdfValue } from '../../pdf/values.ts'
import type { ImageShape } from './images.ts'

const MARKER = 0xff
const START_OF_IMAGE = 0xffd8
const START_OF_SCAN = 0xffda
/** Codes have no such bytes. Cameras append data of their own. */
const END_OF_IMAGE = Buffer.from([0xff, 0xd9])
const APPLICATION_14 = 0xffee
/** Baseline, extended and progressive with Huffman codes. */
const FRAMES: ReadonlySet<number> = new Set([0xffc0, 0xffc1, 0xffc2])
/** Lossless, hierarchical and arithmetic ones, which few readers know. */
const OTHER_FRAMES: ReadonlySet<number> = new Set([
  ...[0xffc3, 0xffc5, 0xffc6, 0xffc7, 0xffc9, 0xffca, 0xffcb, 0xffcd, 0xffce, 0xffcf],
])
const PRECISION_BITS = 8

interface JpegHeader {
  readonly width: number
  readonly height: number
  readonly components: number
  /** From an Adobe segment: 0 for none, 1 for YCbCr, 2 for YCCK. */
  readonly transform?: number
  /** Offset of the first scan. */
  readonly scanAt: number
}

/**
 * Finds out whether JPEG data are an image of this size and these components.
 *
 * @param colourTransform entry of the filter's parameters
 */
export function hasJpegShape(
  data: Buffer,
  { width, height, space }: Pick<ImageShape, 'width' | 'height' | 'space'>,
  colourTransform: PdfValue | undefined,
): boolean {
  const header = readJpegHeader(data)
  if (!header || data.indexOf(END_OF_IMAGE, header.scanAt) === -1) return false
  const isSame = header.width === width && header.height === height
  const preset = header.components === 3 ? 1 : 0
  const transform = header.transform ?? preset
  const isTransformed = transform === 0 ? 0 : 1
  // Some readers follow the segment, others the parameter.
  const isAgreed = (colourTransform ?? isTransformed) === isTransformed
  return isSame && isAgreed && header.components === space?.components
}

function readJpegHeader(data: Buffer): JpegHeader | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== START_OF_IMAGE) return undefined
  let frame: Omit<JpegHeader, 'scanAt'> | undefined
  let transform: number | undefined
  for (let at = 2; at + 4 <= data.length;) {
    const marker = data.readUInt16BE(at)
    if (marker === 0xffff) {
      at += 1
      continue
    }
    const length = data.readUInt16BE(at + 2)
    const body = data.subarray(at + 4, at + 2 + length)
    if (marker >> 8 !== MARKER || OTHER_FRAMES.has(marker) || body.length !== length - 2)
      return undefined
    if (FRAMES.has(marker)) {
      if (frame || body.length < 6 || body[0] !== PRECISION_BITS) return undefined
      frame = { height: body.readUInt16BE(1), width: body.readUInt16BE(3), components: body[5] }
    }
    if (marker === APPLICATION_14 && body.toString('latin1', 0, 5) === 'Adobe') transform = body[11]
    if (marker === START_OF_SCAN) {
      return frame && { ...frame, scanAt: at, ...(transform !== undefined && { transform }) }
    }
    at += 2 + length
  }
  return undefined
}

const CODESTREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51])
const SIZE_BYTES = 40

/** Finds out whether JPEG 2000 data are an image of this size. */
export function hasJpxShape(
  data: Buffer,
  { width, height }: Pick<ImageShape, 'width' | 'height'>,
): boolean {
  const at = data.indexOf(CODESTREAM)
  if (at === -1 || at + SIZE_BYTES > data.length) return false
  // Behind both markers, the length and the capabilities.
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => data.readUInt32BE(at + offset))
  return right - left === width && bottom - top === height && data.lastIndexOf(END_OF_IMAGE) > at
}
