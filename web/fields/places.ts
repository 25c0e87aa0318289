/** Rectangles on pages while they are edited, in points from the top left corner. */

/** Width and height of a page as displayed. */
export interface PageSize {
  width: number
  height: number
}

/** A person who signs. */
export interface Signer {
  key: string
  name: string
}

export interface Place {
  /** Identifies the place in the editor. */
  key: string
  /** Key of the person who signs there. */
  person: string
  /** From 1. */
  page: number
  x: number
  y: number
  width: number
  height: number
}

export type Box = Pick<Place, 'x' | 'y' | 'width' | 'height'>

/** As large as a signature with its lines. */
const STANDARD: PageSize = { width: 180, height: 54 }
/** Between new fields. */
const GAP_PT = 12
/** A smaller field cannot be grabbed. */
const MINIMUM: PageSize = { width: 30, height: 18 }

/** The error of sums of fractions, in hundredths. */
const TOLERANCE = 1e-6

const within = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(value, most))
/** In hundredths of a point, rounded down, so that no sum leaves the page. */
const rounded = (value: number) => Math.floor(value * 100 + TOLERANCE) / 100

/** The box with its size kept, moved into the page. */
export function fitted(box: Box, size: PageSize): Box {
  const width = Math.min(Math.max(box.width, MINIMUM.width), size.width)
  const height = Math.min(Math.max(box.height, MINIMUM.height), size.height)
  return {
    x: rounded(within(box.x, 0, size.width - width)),
    y: rounded(within(box.y, 0, size.height - height)),
    width: rounded(width),
    height: rounded(height),
  }
}

/** The box after a move. */
export const moved = (box: Box, dx: number, dy: number, size: PageSize): Box =>
  fitted({ ...box, x: box.x + dx, y: box.y + dy }, size)

/** The box with its lower right corner moved; the upper left one stays. */
export const resized = (box: Box, dx: number, dy: number, size: PageSize): Box => {
  const width = within(box.width + dx, MINIMUM.width, size.width - box.x)
  const height = within(box.height + dy, MINIMUM.height, size.height - box.y)
  return fitted({ ...box, width, height }, size)
}

/** A box of the usual size around a point. */
export const around = (x: number, y: number, size: PageSize): Box =>
  fitted({ ...STANDARD, x: x - STANDARD.width / 2, y: y - STANDARD.height / 2 }, size)

/** The box between two points; a box of the usual size when they are close together. */
export function between(from: [number, number], to: [number, number], size: PageSize): Box {
  const width = Math.abs(from[0] - to[0])
  const height = Math.abs(from[1] - to[1])
  if (width < MINIMUM.width / 2 || height < MINIMUM.height / 2) return around(...to, size)
  return fitted({ x: Math.min(from[0], to[0]), y: Math.min(from[1], to[1]), width, height }, size)
}

/** Whether two boxes of a page share more than an edge. */
const doOverlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Where a new field goes that is added without a pointer: low on the page, beside the others. */
export function freeBox(taken: readonly Box[], size: PageSize): Box {
  const [across, down] = [STANDARD.width + GAP_PT, STANDARD.height + GAP_PT]
  // A page smaller than a field has one column.
  const columns = Math.max(1, Math.floor((size.width * 0.9 + GAP_PT) / across))
  for (let column = 0; column < columns; column++) {
    for (let y = size.height * 0.75; y > 0; y -= down) {
      const box = fitted({ ...STANDARD, x: size.width * 0.1 + column * across, y }, size)
      if (!taken.some((one) => doOverlap(one, box))) return box
    }
  }
  return around(size.width / 2, size.height / 2, size)
}

/** Pages on which a field covers a part of another one, in order. */
export function pagesWithOverlap(places: readonly Place[]): number[] {
  const overlaps = places.filter((one, index) =>
    places.slice(0, index).some((other) => other.page === one.page && doOverlap(one, other)),
  )
  return [...new Set(overlaps.map(({ page }) => page))].toSorted((a, b) => a - b)
}

/** A rectangle as the API has it. */
export interface Rectangle extends Box {
  /** From 1. */
  page: number
  unit: 'pt' | 'fraction'
}

/** The box of a rectangle of the API, moved into the page where it would leave it. */
export function boxOf({ x, y, width, height, unit }: Rectangle, size: PageSize): Box {
  const [across, down] = unit === 'fraction' ? [size.width, size.height] : [1, 1]
  return fitted({ x: x * across, y: y * down, width: width * across, height: height * down }, size)
}
