/** Compares what two viewers draw inside a rectangle, in spite of different fonts and edges. */
import type { Area, Raster } from '../fuzz/viewers/raster.ts'

/** Pixels of an area are left out next to its edge, which viewers draw differently. */
const EDGE_PIXELS = 1
const MAXVAL = 255
/** Parts of an area, from left to right. */
const PARTS = 4
/** Mean shades: less is dirt. A line of small text in a large field is more. */
const LEAST_SHADES = 3
/** Viewers draw the same text up to so many times as dark. */
const GREATEST_RATIO = 2.5
/** Shades by which viewers draw the same background differently. */
const GROUND_TOLERANCE = 40
/** Smaller fields have too few pixels for a comparison. */
const LEAST_PIXELS = 16

/** Mean distance of each part of an area from the lightest shade in it, and from white. */
interface Ink {
  readonly marks: readonly number[]
  readonly ground: number
}

/**
 * Whether two viewers show other content in an area: one of them a text and the other none, for
 * example.
 *
 * @param ignored areas that cover parts of it; an area under one of them is never different
 */
export function differsInside(a: Raster, b: Raster, area: Area, ignored: readonly Area[]): boolean {
  if (ignored.some((other) => overlaps(area, other))) return false
  const [inkA, inkB] = [inkInside(a, area), inkInside(b, area)]
  if (!inkA || !inkB) return false
  if (Math.abs(inkA.ground - inkB.ground) > GROUND_TOLERANCE) return true
  const [sumA, sumB] = [inkA, inkB].map(({ marks }) => Math.max(...marks)) as [number, number]
  const [less, more] = [Math.min(sumA, sumB), Math.max(sumA, sumB)]
  return more > LEAST_SHADES && more > GREATEST_RATIO * less
}

function overlaps(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function inkInside({ width, height, gray }: Raster, area: Area): Ink | undefined {
  const left = Math.max(0, Math.ceil(area.x * width) + EDGE_PIXELS)
  const right = Math.min(width, Math.floor((area.x + area.width) * width) - EDGE_PIXELS)
  const top = Math.max(0, Math.ceil(area.y * height) + EDGE_PIXELS)
  const bottom = Math.min(height, Math.floor((area.y + area.height) * height) - EDGE_PIXELS)
  if ((right - left) * (bottom - top) < LEAST_PIXELS || right <= left) return undefined
  let lightest = 0
  const sums = new Array<number>(PARTS).fill(0)
  const counts = new Array<number>(PARTS).fill(0)
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const shade = gray[y * width + x] ?? 0
      lightest = Math.max(lightest, shade)
      const part = Math.floor(((x - left) * PARTS) / (right - left))
      sums[part] = (sums[part] ?? 0) + shade
      counts[part] = (counts[part] ?? 0) + 1
    }
  }
  const marks = sums.map((sum, part) => lightest - sum / Math.max(1, counts[part] ?? 1))
  return { marks, ground: MAXVAL - lightest }
}
