/**
 * From the inflated rows of a PNG to pixels (ISO/IEC 15948, 7.2, 8.1 and 9: scanlines, Adam7,
 * filters).
 */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { paeth } from '../pdf/filters.ts'

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colourType: number
  readonly interlace: number
  readonly palette?: Buffer
  readonly transparency?: Buffer
}

/** One pass over the picture: all of it, or one of the seven of an interlaced file. */
interface Pass {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
  readonly stepX: number
  readonly stepY: number
  /** Bytes of one row, its filter byte included. */
  readonly stride: number
}

/** Left, top, step to the right and step down of the passes of Adam7. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const WHOLE = [[0, 0, 1, 1]] as const

/** Samples per pixel of each colour type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Samples of a pixel multiplied by the bits of a sample. */
export const bitsPerPixel = ({ colourType, depth }: PngHeader): number =>
  (CHANNELS[colourType] ?? 1) * depth

/** Says which rows follow each other in the inflated data. */
export function rowLayout(header: PngHeader): readonly Pass[] {
  const pixelBits = bitsPerPixel(header)
  const passes: Pass[] = []
  for (const [left, top, stepX, stepY] of header.interlace === 1 ? ADAM7 : WHOLE) {
    const width = Math.ceil((header.width - left) / stepX)
    const height = Math.ceil((header.height - top) / stepY)
    if (width <= 0 || height <= 0) continue
    const stride = 1 + Math.ceil((width * pixelBits) / 8)
    passes.push({ width, height, left, top, stepX, stepY, stride })
  }
  return passes
}

/**
 * Undoes the row filters and returns the picture as RGBA, four bytes per pixel.
 *
 * @param rows as long as {@link rowLayout} says; changed in place
 * @throws PadesError `BAD_DRAWING` - a row names a filter that does not exist
 */
export function decodeRows(header: PngHeader, rows: Buffer): Buffer {
  const channels = CHANNELS[header.colourType] ?? 1
  const pixelBytes = Math.max(1, (channels * header.depth) >> 3)
  const rgba = Buffer.alloc(header.width * header.height * 4)
  const write = pixelWriter(header)
  // What a canvas exports needs no conversion: this is nearly every drawing.
  const isRgba = header.colourType === 6 && header.depth === 8 && header.interlace === 0
  let offset = 0
  for (const pass of rowLayout(header)) {
    const samples = new Uint16Array(pass.width * channels)
    let above: Uint8Array = new Uint8Array(pass.stride - 1)
    for (let y = 0; y < pass.height; y += 1) {
      const row = rows.subarray(offset + 1, offset + pass.stride)
      unfilter(rows[offset] ?? 0, row, above, pixelBytes)
      above = row
      offset += pass.stride
      const line = (pass.top + y * pass.stepY) * header.width
      if (isRgba) {
        rgba.set(row, line * 4)
        continue
      }
      unpack(row, header.depth, samples)
      for (let x = 0; x < pass.width; x += 1) {
        write(samples, x * channels, rgba, (line + pass.left + x * pass.stepX) * 4)
      }
    }
  }
  return rgba
}

/** ISO/IEC 15948, 9.2: how a row was made from its neighbours. */
const FILTER = { none: 0, left: 1, above: 2, average: 3, paeth: 4 } as const

/**
 * Adds to each byte the value that its filter predicts.
 *
 * @param row in place; bytes wrap around at 256
 * @param above the row before, all zero for the first
 * @param pixelBytes how far the byte to the left is away; there is 0 beyond the edge
 */
function unfilter(filter: number, row: Buffer, above: Uint8Array, pixelBytes: number): void {
  const { length } = row
  switch (filter) {
    case FILTER.none:
      return
    case FILTER.left:
      for (let at = pixelBytes; at < length; at += 1) row[at] = row[at] + row[at - pixelBytes]
      return
    case FILTER.above:
      for (let at = 0; at < length; at += 1) row[at] = row[at] + above[at]
      return
    case FILTER.average:
      for (let at = 0; at < length; at += 1) {
        const left = at < pixelBytes ? 0 : row[at - pixelBytes]
        row[at] = row[at] + ((left + above[at]) >> 1)
      }
      return
    case FILTER.paeth:
      for (let at = 0; at < length; at += 1) {
        const left = at < pixelBytes ? 0 : row[at - pixelBytes]
        const upperLeft = at < pixelBytes ? 0 : above[at - pixelBytes]
        row[at] = row[at] + paeth(left, above[at], upperLeft)
      }
      return
    default:
      throw new PadesError('BAD_DRAWING', 'the PNG is damaged: a row cannot be decoded')
  }
}

/** Samples of any bit depth, in the order of the row. */
function unpack(row: Buffer, depth: number, samples: Uint16Array): void {
  if (depth === 8) {
    samples.set(row.subarray(0, samples.length))
    return
  }
  if (depth === 16) {
    for (let at = 0; at < samples.length; at += 1) samples[at] = row.readUInt16BE(at * 2)
    return
  }
  const perByte = 8 / depth
  const mask = (1 << depth) - 1
  for (let at = 0; at < samples.length; at += 1) {
    const shift = 8 - depth * ((at % perByte) + 1)
    samples[at] = (row[Math.floor(at / perByte)] >> shift) & mask
  }
}

type PixelWriter = (samples: Uint16Array, at: number, rgba: Buffer, to: number) => void

function pixelWriter(header: PngHeader): PixelWriter {
  const { colourType, depth, palette, transparency } = header
  const toByte = (sample: number): number => {
    if (depth === 8) return sample
    return depth === 16 ? sample >> 8 : (sample * 255) / ((1 << depth) - 1)
  }
  if (colourType === 3) return paletteWriter(palette ?? Buffer.alloc(3), transparency)
  // -1 is not a sample: without a tRNS chunk nothing is transparent.
  const key = [0, 2, 4].map((at) =>
    transparency && at < transparency.length ? transparency.readUInt16BE(at) : -1,
  )
  const isGrey = colourType === 0 || colourType === 4
  const alphaAt = { 4: 1, 6: 3 }[colourType]
  return (samples, at, rgba, to) => {
    const red = samples[at]
    const green = isGrey ? red : samples[at + 1]
    const blue = isGrey ? red : samples[at + 2]
    rgba[to] = toByte(red)
    rgba[to + 1] = toByte(green)
    rgba[to + 2] = toByte(blue)
    if (alphaAt !== undefined) rgba[to + 3] = toByte(samples[at + alphaAt])
    else if (isGrey) rgba[to + 3] = red === key[0] ? 0 : 255
    else rgba[to + 3] = red === key[0] && green === key[1] && blue === key[2] ? 0 : 255
  }
}

function paletteWriter(palette: Buffer, transparency: Buffer | undefined): PixelWriter {
  const last = palette.length / 3 - 1
  return (samples, at, rgba, to) => {
    const entry = Math.min(samples[at], last)
    palette.copy(rgba, to, entry * 3, entry * 3 + 3)
    rgba[to + 3] = transparency?.[entry] ?? 255
  }
}
