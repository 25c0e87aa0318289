/** Estimates the colour of the paper under a drawing, which light and shadow change. */
import type { OpaquePicture } from './ink.ts'

/** Lighter pixels of a drawing made by a program are its white ground. */
const WHITE = 250
/** From this share of white pixels on, the ground is white and nothing of the picture is paper. */
const WHITE_SHARE = 0.4
/** Ink covers less than a quarter of any honest drawing: this share of its pixels is darker. */
const PAPER_QUANTILE = 0.75
/** A darker ground is not paper: the picture is kept unchanged. */
const DARKEST_PAPER = 96
/** Tiles along the longer side. */
const TILES = 12
/** Shadows that are darker than this part of the paper are ink. */
const DARKEST_SHADOW = 0.5

type Colour = readonly [number, number, number]

export interface Paper {
  /** Whether the ground is paper that was photographed or scanned, with noise and shadows. */
  readonly isPhoto: boolean
  /** Red, green and blue of the paper at a pixel, 1 to 255. */
  at(x: number, y: number): Colour
}

const WHITE_PAPER: Paper = { isPhoto: false, at: () => [255, 255, 255] }

/**
 * Estimates the paper: white for pictures that programs made and for those without light ground,
 * otherwise the light pixels of each part of the picture.
 */
export function estimatePaper(picture: OpaquePicture): Paper {
  const { width, height, samples } = picture
  if (whiteShare(samples) >= WHITE_SHARE) return WHITE_PAPER
  const whole = quantileColour(picture, 0, 0, width, height)
  if (Math.min(...whole) < DARKEST_PAPER) return WHITE_PAPER
  const side = Math.ceil(Math.max(width, height) / TILES)
  const columns = Math.ceil(width / side)
  const rows = Math.ceil(height / side)
  const tiles: Colour[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [left, top] = [column * side, row * side]
      const right = Math.min(width, left + side)
      const colour = quantileColour(picture, left, top, right, Math.min(height, top + side))
      tiles.push(colour.map((value, at) => Math.max(value, whole[at] * DARKEST_SHADOW)) as never)
    }
  }
  return { isPhoto: true, at: (x, y) => between(tiles, columns, rows, x / side, y / side) }
}

function whiteShare(samples: Uint8Array): number {
  let white = 0
  for (let at = 0; at < samples.length; at += 3) {
    if (Math.min(samples[at], samples[at + 1], samples[at + 2]) >= WHITE) white += 1
  }
  return (white * 3) / samples.length
}

/** For each channel, the value that {@link PAPER_QUANTILE} of the pixels do not exceed. */
function quantileColour(
  { width, samples }: OpaquePicture,
  left: number,
  top: number,
  right: number,
  bottom: number,
): Colour {
  const histograms = [0, 1, 2].map(() => new Uint32Array(256))
  for (let y = top; y < bottom; y += 1) {
    for (let x = left, at = (y * width + left) * 3; x < right; x += 1, at += 3) {
      histograms[0][samples[at]] += 1
      histograms[1][samples[at + 1]] += 1
      histograms[2][samples[at + 2]] += 1
    }
  }
  const rank = (right - left) * (bottom - top) * PAPER_QUANTILE
  const [red, green, blue] = histograms.map((histogram) => {
    let count = 0
    const value = histogram.findIndex((pixels) => (count += pixels) >= rank)
    return Math.max(1, value)
  })
  return [red, green, blue]
}

/** Interpolates between the centres of the four nearest tiles. */
function between(
  tiles: readonly Colour[],
  columns: number,
  rows: number,
  x: number,
  y: number,
): Colour {
  const clamp = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value))
  const [column, row] = [clamp(x - 0.5, columns), clamp(y - 0.5, rows)]
  const [left, top] = [Math.floor(column), Math.floor(row)]
  const right = Math.min(columns - 1, left + 1)
  const bottom = Math.min(rows - 1, top + 1)
  const [across, down] = [column - left, row - top]
  const mix = (channel: 0 | 1 | 2): number => {
    const upper =
      tiles[top * columns + left][channel] * (1 - across) +
      tiles[top * columns + right][channel] * across
    const lower =
      tiles[bottom * columns + left][channel] * (1 - across) +
      tiles[bottom * columns + right][channel] * across
    return upper * (1 - down) + lower * down
  }
  return [mix(0), mix(1), mix(2)]
}
