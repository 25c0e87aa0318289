/**
 * Judges JPEG data (ISO/IEC 10918-1, annex B): they must be whole, mean the same to every decoder,
 * and say the same as the image that holds them.
 */
import type { Buffer } from 'node:buffer'
import type { PdfValue } from '../../pdf/values.ts'
import type { DecodingBudget } from '../content-filters.ts'
import type { ImageShape } from './images.ts'
import { buildHuffmanTable } from './jpeg/bits.ts'
import { type JpegFrame, readFrame } from './jpeg/frame.ts'
import { BLOCK_SIZE } from './jpeg/samples.ts'
import { isComplete, readScan, type Tables } from './jpeg/scan.ts'

const MARKER = 0xff
const START_OF_IMAGE = 0xffd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const HUFFMAN_TABLES = 0xc4
const QUANTISATION_TABLES = 0xdb
const RESTART_INTERVAL = 0xdd
const APPLICATION_0 = 0xe0
const APPLICATION_14 = 0xee
const APPLICATION_15 = 0xef
const COMMENT = 0xfe
const PROGRESSIVE = 0xc2
/** Baseline, extended and progressive with Huffman codes; few readers know the others. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, PROGRESSIVE])
const HUFFMAN_HEADER_BYTES = 17
const MAX_TABLES = 4
/** Decoders refuse tables with more codes, and sizes of DC coefficients that no image has. */
const MAX_CODES = 256
const MAX_DC_SIZE = 15
/** The last of them is the transform. */
const ADOBE_BYTES = 12
/** Components that are red, green and blue without a transform, for some readers. */
const RGB_IDS = 'RGB'

interface Image {
  readonly tables: Tables
  frame?: JpegFrame
  isJfif: boolean
  /** Some readers look at segments of colours behind the first scan, and others do not. */
  hasScan: boolean
  /** From an Adobe segment: 0 for none, 1 for YCbCr, 2 for YCCK. */
  transform?: number
}

/**
 * Finds out whether JPEG data are an image of this size and these components that every decoder
 * understands in the same way.
 *
 * @param colourTransform entry of the filter's parameters
 * @param budget that each block is charged to
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function hasJpegShape(
  data: Buffer,
  { width, height, space }: Pick<ImageShape, 'width' | 'height' | 'space'>,
  colourTransform: PdfValue | undefined,
  budget: DecodingBudget,
): boolean {
  const image = readJpeg(data, budget)
  if (!image?.frame || !isComplete(image.frame, image.tables)) return false
  const { frame, transform: declared, isJfif } = image
  const count = frame.components.length
  const ids = String.fromCharCode(...frame.components.map(({ id }) => id))
  const isSame = frame.width === width && frame.height === height && count === space?.components
  const preset = count === 3 ? 1 : 0
  const transform = declared ?? preset
  const isKnown = transform === 0 || transform === preset + (count === 4 ? 2 : 0)
  // Some readers take components of these names, and others a JFIF header, for the colours.
  const isPlain = count !== 3 || (transform === 0 ? !isJfif : ids !== RGB_IDS)
  const isTransformed = transform === 0 ? 0 : 1
  // Some readers follow the segment, others the parameter.
  const isAgreed = (colourTransform ?? isTransformed) === isTransformed
  return isSame && isKnown && isPlain && isAgreed
}

/** @returns undefined when decoders read the data differently, or not at all */
function readJpeg(data: Buffer, budget: DecodingBudget): Image | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== START_OF_IMAGE) return undefined
  const tables = { dc: new Map(), ac: new Map(), quantisation: new Map(), restartInterval: 0 }
  const image: Image = { tables, isJfif: false, hasScan: false }
  for (let at = 2; data[at] === MARKER;) {
    const marker = data[at + 1]
    if (marker === MARKER) {
      at += 1
      continue
    }
    // Cameras append data of their own behind the end.
    if (marker === END_OF_IMAGE) return image
    if (at + 4 > data.length) return undefined
    const length = data.readUInt16BE(at + 2)
    const body = data.subarray(at + 4, at + 2 + length)
    if (length < 2 || body.length !== length - 2) return undefined
    at += 2 + length
    if (marker === START_OF_SCAN) {
      image.hasScan = true
      const end = image.frame && readScan(data, { body, at }, image.frame, tables, budget)
      if (end === undefined) return undefined
      at = end
    } else if (!readSegment(image, marker, body)) return undefined
  }
  return undefined
}

/** @returns false for a segment that readers do not share */
function readSegment(image: Image, marker: number, body: Buffer): boolean {
  const { tables } = image
  if (FRAMES.has(marker)) {
    if (image.frame) return false
    image.frame = readFrame(body, marker === PROGRESSIVE)
    return image.frame !== undefined
  }
  if (marker === HUFFMAN_TABLES) return readHuffmanTables(tables, body)
  if (marker === QUANTISATION_TABLES) return readSteps(tables, body)
  if (marker === RESTART_INTERVAL) {
    tables.restartInterval = body.length === 2 ? body.readUInt16BE(0) : 0
    return body.length === 2
  }
  const isAdobe = marker === APPLICATION_14 && startsWith(body, 'Adobe')
  const isJfif = marker === APPLICATION_0 && startsWith(body, 'JFIF\0')
  if ((isAdobe || isJfif) && image.hasScan) return false
  if (isJfif) image.isJfif = true
  if (isAdobe) {
    if (body.length < ADOBE_BYTES || image.transform !== undefined) return false
    image.transform = body[ADOBE_BYTES - 1]
  }
  return marker === COMMENT || (marker >= APPLICATION_0 && marker <= APPLICATION_15)
}

const startsWith = (body: Buffer, text: string): boolean =>
  body.toString('latin1', 0, text.length) === text

/** B.2.4.2. */
function readHuffmanTables({ dc, ac }: Tables, body: Buffer): boolean {
  for (let at = 0; at < body.length;) {
    const counts = body.subarray(at + 1, at + HUFFMAN_HEADER_BYTES)
    const from = at + HUFFMAN_HEADER_BYTES
    const count = counts.reduce((sum, value) => sum + value, 0)
    const [kind, number] = [body[at] >> 4, body[at] & 15]
    if (from + count > body.length || kind > 1 || number >= MAX_TABLES) return false
    const symbols = body.subarray(from, from + count)
    const table = buildHuffmanTable(counts, symbols)
    const isKnown =
      count <= MAX_CODES && (kind === 1 || symbols.every((size) => size <= MAX_DC_SIZE))
    if (!table || !isKnown) return false
    ;(kind === 0 ? dc : ac).set(number, table)
    at = from + count
  }
  return true
}

/** B.2.4.1. Steps that are defined again in the same way remain the same object. */
function readSteps({ quantisation }: Tables, body: Buffer): boolean {
  for (let at = 0; at < body.length;) {
    const [bytes, number] = [(body[at] >> 4) + 1, body[at] & 15]
    const end = at + 1 + BLOCK_SIZE * bytes
    if (bytes > 2 || number >= MAX_TABLES || end > body.length) return false
    const steps = Uint16Array.from({ length: BLOCK_SIZE }, (_, k) =>
      body.readUIntBE(at + 1 + k * bytes, bytes),
    )
    if (steps.includes(0)) return false
    const before = quantisation.get(number)
    if (before?.join() !== steps.join()) quantisation.set(number, steps)
    at = end
  }
  return true
}
