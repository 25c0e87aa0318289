/**
 * Separates the ink of a drawing from the paper it is on, so that only the ink is painted (ISO
 * 32000-2, 11.6.5.2: soft masks).
 */
import { estimatePaper, type Paper } from './paper.ts'
import type { PixelPicture } from './picture.ts'

/** Side of a kept drawing in pixels: 300 dpi at a width of 13 cm, wider than any signature. */
export const MAX_KEPT_SIDE_PX = 1_600
/** A fainter pixel cannot be seen on paper. */
const FAINTEST_ALPHA = 8
/** Up to this difference from the paper, a pixel of a photograph is noise or structure of paper. */
const PHOTO_NOISE = 0.18
/** From this difference on, a pixel of a photograph is solid ink. */
const PHOTO_SOLID = 0.55

/** The three planes of an opaque picture, one byte per sample, interleaved. */
export interface OpaquePicture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel. */
  readonly samples: Uint8Array
}

/**
 * Returns the ink of a picture: its paper becomes transparent, and what is left is cut to the ink.
 * On white, the ink looks as the picture did; a photograph is reduced to one ink.
 *
 * @param rgba four bytes per pixel, `width` times `height` pixels, not premultiplied
 * @param maxSidePx greatest width and height of the result; larger pictures are averaged
 * @returns undefined when nothing is drawn
 */
export function extractInk(
  rgba: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  maxSidePx = MAX_KEPT_SIDE_PX,
): PixelPicture | undefined {
  const picture = onWhite(rgba, width, height, maxSidePx)
  const paper = estimatePaper(picture)
  const { colours, alpha } = separate(picture, paper)
  const ink = meanInk(colours, alpha)
  const isOneInk = paper.isPhoto || hasOneInk(colours, alpha, ink)
  return crop(picture, colours, alpha, isOneInk ? ink : undefined)
}

/** Lays the picture on white and reduces it by a whole factor, averaging the pixels. */
function onWhite(
  rgba: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  maxSidePx: number,
): OpaquePicture {
  const factor = Math.ceil(Math.max(width, height) / maxSidePx)
  const keptWidth = Math.ceil(width / factor)
  const keptHeight = Math.ceil(height / factor)
  const samples = new Uint8Array(keptWidth * keptHeight * 3)
  for (let y = 0, to = 0; y < keptHeight; y += 1) {
    const bottom = Math.min(height, (y + 1) * factor)
    for (let x = 0; x < keptWidth; x += 1, to += 3) {
      const right = Math.min(width, (x + 1) * factor)
      let [red, green, blue, count] = [0, 0, 0, 0]
      for (let row = y * factor; row < bottom; row += 1) {
        for (let column = x * factor; column < right; column += 1) {
          const from = (row * width + column) * 4
          const opacity = rgba[from + 3] / 255
          red += (255 - rgba[from]) * opacity
          green += (255 - rgba[from + 1]) * opacity
          blue += (255 - rgba[from + 2]) * opacity
          count += 1
        }
      }
      samples[to] = 255 - Math.round(red / count)
      samples[to + 1] = 255 - Math.round(green / count)
      samples[to + 2] = 255 - Math.round(blue / count)
    }
  }
  return { width: keptWidth, height: keptHeight, samples }
}

/**
 * Finds for each pixel the least opacity with which some ink on the paper looks like the pixel, and
 * the colour of that ink.
 */
function separate(
  { width, height, samples }: OpaquePicture,
  paper: Paper,
): { colours: Uint8Array; alpha: Uint8Array } {
  const colours = new Uint8Array(samples.length)
  const alpha = new Uint8Array(width * height)
  for (let y = 0, pixel = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, pixel += 1) {
      const at = pixel * 3
      const white = paper.at(x, y)
      const red = Math.min(255, (samples[at] * 255) / white[0])
      const green = Math.min(255, (samples[at + 1] * 255) / white[1])
      const blue = Math.min(255, (samples[at + 2] * 255) / white[2])
      const darkness = 1 - Math.min(red, green, blue) / 255
      if (darkness === 0) continue
      colours[at] = 255 - (255 - red) / darkness
      colours[at + 1] = 255 - (255 - green) / darkness
      colours[at + 2] = 255 - (255 - blue) / darkness
      alpha[pixel] = Math.round(255 * (paper.isPhoto ? solidity(darkness) : darkness))
    }
  }
  return { colours, alpha }
}

/** Removes the noise of a photograph, and makes its ink solid below full black. */
function solidity(darkness: number): number {
  return Math.min(1, Math.max(0, (darkness - PHOTO_NOISE) / (PHOTO_SOLID - PHOTO_NOISE)))
}

/** The mean colour, in which solid pixels count most. */
function meanInk(colours: Uint8Array, alpha: Uint8Array): [number, number, number] {
  const sum = [0, 0, 0]
  let weights = 0
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    const weight = alpha[pixel] ** 2
    if (weight === 0) continue
    weights += weight
    for (let channel = 0; channel < 3; channel += 1) {
      sum[channel] += colours[pixel * 3 + channel] * weight
    }
  }
  const [red, green, blue] = sum.map((value) => Math.round(value / Math.max(1, weights)))
  return [red, green, blue]
}

/** Rounding changes the colour of faint pixels most. */
function hasOneInk(colours: Uint8Array, alpha: Uint8Array, ink: readonly number[]): boolean {
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    if (alpha[pixel] < FAINTEST_ALPHA) continue
    const tolerance = 3 + 510 / alpha[pixel]
    for (let channel = 0; channel < 3; channel += 1) {
      if (Math.abs(colours[pixel * 3 + channel] - ink[channel]) > tolerance) return false
    }
  }
  return true
}

/** @param ink the colour of all pixels; absent when each has its own */
function crop(
  { width, height }: OpaquePicture,
  colours: Uint8Array,
  alpha: Uint8Array,
  ink: readonly [number, number, number] | undefined,
): PixelPicture | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (alpha[at] < FAINTEST_ALPHA) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  if (right < 0) return undefined
  const size = { kind: 'pixels', width: right - left + 1, height: bottom - top + 1 } as const
  const rowsOf = (plane: Uint8Array, bytes: number): Uint8Array => {
    const rows = new Uint8Array(size.width * size.height * bytes)
    for (let y = 0; y < size.height; y += 1) {
      const from = ((top + y) * width + left) * bytes
      rows.set(plane.subarray(from, from + size.width * bytes), y * size.width * bytes)
    }
    return rows
  }
  return { ...size, colour: ink ?? rowsOf(colours, 3), alpha: rowsOf(alpha, 1) }
}
