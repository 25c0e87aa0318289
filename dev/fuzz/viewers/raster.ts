/** Pictures of pages as viewers draw them, and the comparison of two of them. */
import type { Buffer } from 'node:buffer'

/** One page in shades of gray, row by row from the top left corner; 0 is black. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly gray: Uint8Array
}

/** A rectangle on a page as displayed, in fractions of its size from its top left corner. */
export interface Area {
  /** From 0. */
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Pixels around an area in which its edge is drawn with antialiasing. */
const EDGE_PIXELS = 2
/** Allowed difference of a pixel in shades, which is not visible. */
const SHADE_TOLERANCE = 32
/** Number of different pixels from which a person sees another picture. */
const LEAST_PIXELS = 3
const MAXVAL = 255

/**
 * Reads the pages that a viewer wrote one after the other as binary PGM (Netpbm `P5`, 8 bit).
 *
 * @throws Error when the bytes are not PGM files
 */
export function readPgm(bytes: Buffer): Raster[] {
  const rasters: Raster[] = []
  let at = 0
  while (at < bytes.length) {
    const head = /^P5\s+(?:#[^\n]*\n)?(\d+)\s+(\d+)\s+(\d+)\s/.exec(
      bytes.toString('latin1', at, at + 200),
    )
    if (!head || Number(head[3]) !== MAXVAL) throw new Error('a viewer did not write PGM')
    const [width, height] = [Number(head[1]), Number(head[2])]
    at += head[0].length
    const gray = bytes.subarray(at, at + width * height)
    if (gray.length < width * height) throw new Error('a picture ends early')
    rasters.push({ width, height, gray })
    at += width * height
  }
  return rasters
}

/**
 * Converts pixels of four octets each to shades of gray over white.
 *
 * @param pixels red, green, blue (in any order) and alpha
 */
export function grayOf(pixels: Uint8Array, width: number, height: number): Raster {
  const gray = new Uint8Array(width * height)
  for (let index = 0; index < gray.length; index++) {
    const [a = 0, b = 0, c = 0, alpha = MAXVAL] = pixels.subarray(4 * index, 4 * index + 4)
    gray[index] = Math.round(MAXVAL - (alpha * (MAXVAL - (a + b + c) / 3)) / MAXVAL)
  }
  return { width, height, gray }
}

/**
 * Whether a person sees two pages as different.
 *
 * @param ignored parts of the page that do not count
 */
function differs(a: Raster, b: Raster, ignored: readonly Omit<Area, 'page'>[]): boolean {
  if (a.width !== b.width || a.height !== b.height) return true
  const boxes = ignored.map(({ x, y, width, height }) => ({
    left: x * a.width - EDGE_PIXELS,
    right: (x + width) * a.width + EDGE_PIXELS,
    top: y * a.height - EDGE_PIXELS,
    bottom: (y + height) * a.height + EDGE_PIXELS,
  }))
  let count = 0
  for (let index = 0; index < a.gray.length; index++) {
    const shades = Math.abs((a.gray[index] ?? 0) - (b.gray[index] ?? 0))
    if (shades <= SHADE_TOLERANCE) continue
    const [x, y] = [index % a.width, Math.floor(index / a.width)]
    const isIgnored = boxes.some(
      (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom,
    )
    if (isIgnored) continue
    count += 1
    if (count >= LEAST_PIXELS) return true
  }
  return false
}

/** Whether two documents look different; another number of pages is a difference. */
export function documentDiffers(
  before: readonly Raster[],
  after: readonly Raster[],
  ignored: readonly Area[],
): boolean {
  if (before.length !== after.length) return true
  return before.some((raster, page) => {
    const own = ignored.filter((area) => area.page === page)
    return differs(raster, after[page] as Raster, own)
  })
}

/** Parts into which the sides of a page are cut for {@link roughlyDiffers}. */
const CELLS_ACROSS = 8
const CELLS_DOWN = 10
/** Shades by which the mean of a cell may differ from one viewer to another. */
const MEAN_TOLERANCE = 80
/** Pixels by which viewers round the size of a page differently, in width and height. */
const SIZE_TOLERANCE = 3

/** Mean darkness of each cell of a page, row by row. */
function inkOf({ width, height, gray }: Raster): number[] {
  const sums = new Array<number>(CELLS_ACROSS * CELLS_DOWN).fill(0)
  const counts = new Array<number>(CELLS_ACROSS * CELLS_DOWN).fill(0)
  for (let index = 0; index < gray.length; index++) {
    const column = Math.floor(((index % width) * CELLS_ACROSS) / width)
    const row = Math.floor((Math.floor(index / width) * CELLS_DOWN) / height)
    const cell = row * CELLS_ACROSS + column
    sums[cell] = (sums[cell] ?? 0) + MAXVAL - (gray[index] ?? 0)
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  return sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 1))
}

/** Shades by which the mean of a cell changes when something is drawn in it or left out. */
const CHANGE_TOLERANCE = 1

/** Part of the former distance that may be left: blue text is much lighter to one viewer. */
const LEAST_GAIN = 2 / 3

/**
 * Whether a viewer shows more of what another viewer shows than it did before: where its picture
 * changed, it differs by two thirds as much at most. Viewers draw colours in different shades.
 *
 * @param shown by the other viewer, before
 * @param ignored parts of pages that do not count
 */
export function movesTowards(
  shown: readonly Raster[],
  before: readonly Raster[],
  after: readonly Raster[],
  ignored: readonly Area[],
): boolean {
  if (after.length !== shown.length) return false
  // A page that a viewer cannot read has no size.
  const hasPages = before.length === shown.length && before.every(({ width }) => width > 0)
  if (!hasPages) return !roughlyDiffers(shown, after)
  let [distanceBefore, distanceAfter] = [0, 0]
  for (const [page, one] of shown.entries()) {
    const goal = inkOf(one)
    const [old, current] = [inkOf(before[page] as Raster), inkOf(after[page] as Raster)]
    for (const [cell, ink] of goal.entries()) {
      const [was = 0, is = 0] = [old[cell], current[cell]]
      if (Math.abs(was - is) <= CHANGE_TOLERANCE || isIgnored(cell, page, ignored)) continue
      distanceBefore += Math.abs(was - ink)
      distanceAfter += Math.abs(is - ink)
    }
  }
  return distanceAfter < distanceBefore * LEAST_GAIN
}

/** Whether a cell overlaps a part that does not count. */
function isIgnored(cell: number, page: number, ignored: readonly Area[]): boolean {
  const left = (cell % CELLS_ACROSS) / CELLS_ACROSS
  const top = Math.floor(cell / CELLS_ACROSS) / CELLS_DOWN
  return ignored.some(
    (area) =>
      area.page === page &&
      area.x < left + 1 / CELLS_ACROSS &&
      area.x + area.width > left &&
      area.y < top + 1 / CELLS_DOWN &&
      area.y + area.height > top,
  )
}

/**
 * Whether two viewers show other contents: fonts and edges that they draw differently do not count,
 * large shapes do.
 */
export function roughlyDiffers(a: readonly Raster[], b: readonly Raster[]): boolean {
  if (a.length !== b.length) return true
  return a.some((one, page) => {
    const other = b[page] as Raster
    // Some viewers leave out `/UserUnit`, which scales a page.
    const height = (other.height * one.width) / Math.max(1, other.width)
    if (Math.abs(one.height - height) > SIZE_TOLERANCE) return true
    const [inkA, inkB] = [inkOf(one), inkOf(other)]
    return inkA.some((ink, cell) => Math.abs(ink - (inkB[cell] ?? 0)) > MEAN_TOLERANCE)
  })
}
