/**
 * What can be seen on decoded pixels, and in how many inks it is drawn (ISO 32000-2, 11.6.5.2:
 * soft masks).
 */
import type { Buffer } from 'node:buffer'
import type { PixelPicture } from './picture.ts'

/** Below this opacity a pixel is invisible on paper. */
const FAINTEST_ALPHA = 8
/** Above this lightness a pixel is invisible on white paper. */
const LIGHTEST = 250

/** Says whether any pixel differs from white paper. */
export function isVisible(rgba: Buffer): boolean {
  for (let at = 0; at < rgba.length; at += 4) if (isInk(rgba, at)) return true
  return false
}

/**
 * Cuts off what is not drawn on and separates colour from opacity.
 *
 * @param rgba four bytes per pixel, `width` times `height` pixels
 * @returns undefined when nothing is visible
 */
export function cropToInk(rgba: Buffer, width: number, height: number): PixelPicture | undefined {
  const bounds = inkBounds(rgba, width, height)
  if (!bounds) return undefined
  const { left, top, right, bottom } = bounds
  const croppedWidth = right - left + 1
  const croppedHeight = bottom - top + 1
  const count = croppedWidth * croppedHeight
  const colours = new Uint8Array(count * 3)
  const alpha = new Uint8Array(count)
  let to = 0
  let strongest = 0
  let opaqueCount = 0
  for (let y = top; y <= bottom; y += 1) {
    for (let from = (y * width + left) * 4, x = left; x <= right; x += 1, from += 4) {
      const opacity = rgba[from + 3]
      if (opacity === 0) {
        to += 1
        continue
      }
      colours[to * 3] = rgba[from]
      colours[to * 3 + 1] = rgba[from + 1]
      colours[to * 3 + 2] = rgba[from + 2]
      alpha[to] = opacity
      if (opacity === 255) opaqueCount += 1
      if (opacity > alpha[strongest]) strongest = to
      to += 1
    }
  }
  const size = { kind: 'pixels', width: croppedWidth, height: croppedHeight } as const
  if (opaqueCount === count) return { ...size, colour: colours }
  const ink = [0, 1, 2].map((channel) => colours[strongest * 3 + channel]) as [
    number,
    number,
    number,
  ]
  return { ...size, colour: isOneInk(colours, alpha, ink) ? ink : colours, alpha }
}

function isInk(rgba: Buffer, at: number): boolean {
  if (rgba[at + 3] < FAINTEST_ALPHA) return false
  return rgba[at] <= LIGHTEST || rgba[at + 1] <= LIGHTEST || rgba[at + 2] <= LIGHTEST
}

function inkBounds(
  rgba: Buffer,
  width: number,
  height: number,
): { left: number; top: number; right: number; bottom: number } | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      if (rgba[at + 3] < FAINTEST_ALPHA || !isInk(rgba, at)) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  return right < 0 ? undefined : { left, top, right, bottom }
}

/**
 * A canvas keeps colours multiplied by opacity, so the colour of a faint pixel comes back rounded:
 * the fainter, the further off it may be and still be the same ink.
 */
function isOneInk(
  colours: Uint8Array,
  alpha: Uint8Array,
  ink: readonly [number, number, number],
): boolean {
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    const opacity = alpha[pixel]
    if (opacity < FAINTEST_ALPHA) continue
    const tolerance = 1 + 255 / opacity
    for (let channel = 0; channel < 3; channel += 1) {
      if (Math.abs(colours[pixel * 3 + channel] - ink[channel]) > tolerance) return false
    }
  }
  return true
}
