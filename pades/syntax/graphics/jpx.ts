/**
 * Judges the structure of JPEG 2000 data (ISO/IEC 15444-1, annexes A and I): the boxes, the
 * headers, and the parts of every tile up to the end. What the parts hold is not decoded.
 */
import { Buffer } from 'node:buffer'
import type { ImageShape } from './images.ts'

const CODE_STREAM = 0xff4f
const SIZE = 0xff51
const CODING = 0xff52
const QUANTISATION = 0xff5c
const TILE_PART = 0xff90
const END = 0xffd9
const TILE_PART_BYTES = 12
const SIZE_BYTES = 38
const COMPONENT_BYTES = 3
/** PDF readers take up to 16 bits; the octet has one less, and the sign above. */
const MAX_DEPTH = 15
const SIGNATURE_BOX = Buffer.from('0000000c6a5020200d0a870a', 'hex')
const BOX_BYTES = 8
const LONG_BOX_BYTES = 16
const MAX_BOXES = 1_000
const MAX_TILES = 65_535

type Expected = Pick<ImageShape, 'width' | 'height' | 'space'>

/**
 * Finds out whether JPEG 2000 data are one whole image of this size, with the components that the
 * colour space needs.
 */
export function hasJpxShape(data: Buffer, expected: Expected): boolean {
  if (!data.subarray(0, SIGNATURE_BOX.length).equals(SIGNATURE_BOX)) {
    // Without boxes, only the image says what its components are.
    return expected.space !== undefined && hasCodeStream(data, expected)
  }
  const boxes = readBoxes(data)
  const streams = boxes?.filter(({ type }) => type === 'jp2c') ?? []
  const headers = boxes?.filter(({ type }) => type === 'jp2h') ?? []
  // Readers that search for another one find another image.
  if (streams.length !== 1 || headers.length !== 1) return false
  return hasHeader(headers[0].content, expected) && hasCodeStream(streams[0].content, expected)
}

interface Box {
  readonly type: string
  readonly content: Buffer
}

/** I.4. @returns undefined when a box lies beyond the end */
function readBoxes(data: Buffer): Box[] | undefined {
  const boxes: Box[] = []
  for (let at = 0; at + BOX_BYTES <= data.length;) {
    const stated = data.readUInt32BE(at)
    const isLong = stated === 1
    const head = isLong ? LONG_BOX_BYTES : BOX_BYTES
    if (at + head > data.length || boxes.length >= MAX_BOXES) return undefined
    const long = isLong ? Number(data.readBigUInt64BE(at + BOX_BYTES)) : stated
    const length = stated === 0 ? data.length - at : long
    if (length < head || at + length > data.length) return undefined
    const type = data.toString('latin1', at + 4, at + BOX_BYTES)
    boxes.push({ type, content: data.subarray(at + head, at + length) })
    at += length
  }
  return boxes
}

/** Components of the colour spaces that have a number (table I.10). */
const ENUMERATED: Readonly<Record<number, number>> = { 12: 4, 16: 3, 17: 1 }
const CMYK = 12
/** Palettes, which some readers apply and others do not. */
const REPLACING: ReadonlySet<string> = new Set(['cmap', 'pclr'])

/** I.5.3. */
function hasHeader(content: Buffer, { width, height, space }: Expected): boolean {
  const boxes = readBoxes(content) ?? []
  const [box] = boxes
  if (box?.type !== 'ihdr' || box.content.length !== 14) return false
  if (box.content.readUInt32BE(0) !== height || box.content.readUInt32BE(4) !== width) return false
  const components = box.content.readUInt16BE(8)
  const contentsOf = (type: string) =>
    boxes.filter((one) => one.type === type).map((one) => one.content)
  const spaces = contentsOf('colr')
  // With a palette of the image, readers ignore that of the data.
  if (space?.family === 'Indexed') return components === 1
  return (
    !boxes.some(({ type }) => REPLACING.has(type)) &&
    contentsOf('cdef').every((definition) => isInOrder(definition, components)) &&
    components === (space?.components ?? components) &&
    (space !== undefined || spaces.length === 1) &&
    spaces.every((one) => isSpaceOf(one, components, space !== undefined))
  )
}

/** I.5.3.3. Without a colour space of the image, readers know two enumerated ones. */
function isSpaceOf(box: Buffer, components: number, isReplaced: boolean): boolean {
  if (box[0] !== 1) return isReplaced
  const number = box.length >= 7 ? box.readUInt32BE(3) : 0
  return ENUMERATED[number] === components && (isReplaced || number !== CMYK)
}

const CHANNEL_BYTES = 6

/** I.5.3.6: each channel is the colour of its own number. */
function isInOrder(box: Buffer, components: number): boolean {
  if (box.length !== 2 + components * CHANNEL_BYTES) return false
  return Array.from({ length: components }, (_, index) => 2 + index * CHANNEL_BYTES).every(
    (at, index) =>
      box.readUInt16BE(at) === index &&
      box.readUInt16BE(at + 2) === 0 &&
      box.readUInt16BE(at + 4) === index + 1,
  )
}

function hasCodeStream(data: Buffer, expected: Expected): boolean {
  if (data.length < 4 || data.readUInt16BE(0) !== CODE_STREAM || data.readUInt16BE(2) !== SIZE) {
    return false
  }
  const seen = new Set<number>()
  let tiles = 0
  let at = 2
  // A.4.1: a marker, then its length, which counts itself.
  for (;;) {
    if (at + 4 > data.length) return false
    const marker = data.readUInt16BE(at)
    if (marker === TILE_PART) break
    const length = data.readUInt16BE(at + 2)
    const body = data.subarray(at + 4, at + 2 + length)
    if (marker < SIZE || marker > TILE_PART || body.length !== length - 2) return false
    if (marker === SIZE) {
      if (seen.has(SIZE)) return false
      tiles = countTiles(body, expected)
    }
    seen.add(marker)
    at += 2 + length
  }
  return tiles > 0 && seen.has(CODING) && seen.has(QUANTISATION) && hasTiles(data, at, tiles)
}

/** A.5.1. @returns 0 when the image is another one */
function countTiles(body: Buffer, { width, height, space }: Expected): number {
  if (body.length < SIZE_BYTES - 2) return 0
  const words = Array.from({ length: 8 }, (_, index) => body.readUInt32BE(2 + index * 4))
  const [right, bottom, left, top, tileWidth, tileHeight, tileLeft, tileTop] = words
  const count = body.readUInt16BE(SIZE_BYTES - 4)
  const components = body.subarray(SIZE_BYTES - 2)
  if (right - left !== width || bottom - top !== height || tileWidth === 0 || tileHeight === 0)
    return 0
  if (tileLeft > left || tileTop > top || components.length !== count * COMPONENT_BYTES) return 0
  // MuPDF takes a further component for opacity.
  if (count === 0 || count !== (space?.components ?? count)) return 0
  for (let at = 0; at < components.length; at += COMPONENT_BYTES) {
    const [depth, stepX, stepY] = components.subarray(at)
    // Few readers know other steps, signs, or components of different depths.
    if (depth > MAX_DEPTH || depth !== components[0] || stepX !== 1 || stepY !== 1) return 0
  }
  const across = Math.ceil((right - tileLeft) / tileWidth)
  const down = Math.ceil((bottom - tileTop) / tileHeight)
  return across * down <= MAX_TILES ? across * down : 0
}

/** A.4.2: every tile has a part, and the parts lead to the end. */
function hasTiles(data: Buffer, from: number, count: number): boolean {
  const tiles = new Set<number>()
  for (let at = from; at + 2 <= data.length;) {
    const marker = data.readUInt16BE(at)
    if (marker === END) return tiles.size === count
    if (marker !== TILE_PART || at + TILE_PART_BYTES > data.length) return false
    const [tile, length] = [data.readUInt16BE(at + 4), data.readUInt32BE(at + 6)]
    if (tile >= count) return false
    tiles.add(tile)
    // The last part may leave its length open.
    if (length === 0) return tiles.size === count && data.readUInt16BE(data.length - 2) === END
    if (length < TILE_PART_BYTES) return false
    at += length
  }
  return false
}
