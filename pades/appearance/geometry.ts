/**
 * Where a rectangle that somebody placed on the page as displayed lies in the page's own space
 * (ISO 32000-2, 8.3.2.3 and 14.11.2: user space, page boundaries; 12.5.5: appearance streams).
 */
import type { PageGeometry, Rectangle } from '../pdf/page-tree.ts'

export type Matrix = readonly [number, number, number, number, number, number]

/** A rectangle from the top left corner of the page as displayed, y downwards. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** `pt`: 1/72 inch of the displayed page; `fraction`: of its width and height. */
  readonly unit: 'pt' | 'fraction'
  /**
   * The size at which the page was rendered when `x` … `height` were measured on it (`pt` only).
   */
  readonly pageSize?: { readonly width: number; readonly height: number }
}

export interface PlacedRectangle {
  /** In default user space: what `/Rect` of an annotation wants. */
  readonly rect: Rectangle
  /** Size of the upright appearance, in points as displayed. */
  readonly size: { readonly width: number; readonly height: number }
  /** `/Matrix` of a form XObject with the box [0 0 width height]: upright for the reader. */
  readonly matrix: Matrix
}

/** A tenth of a point of rounding on the way through pixels and fractions is not outside. */
const TOLERANCE_PT = 0.1

/** Displayed width and height of a page in points. */
export function displayedSize(page: PageGeometry): { width: number; height: number } {
  const [x1, y1, x2, y2] = page.cropBox
  const unit = page.userUnit
  const width = (x2 - x1) * unit
  const height = (y2 - y1) * unit
  return page.rotate % 180 === 0 ? { width, height } : { width: height, height: width }
}

/**
 * Says whether a placement has a size and lies on the displayed page, with a tenth of a point of
 * tolerance.
 */
export function isInsidePage(page: PageGeometry, placement: Placement): boolean {
  const { x, y, width, height } = inPoints(page, placement)
  const displayed = displayedSize(page)
  return (
    width > 0 &&
    height > 0 &&
    x >= -TOLERANCE_PT &&
    y >= -TOLERANCE_PT &&
    x + width <= displayed.width + TOLERANCE_PT &&
    y + height <= displayed.height + TOLERANCE_PT
  )
}

/**
 * Turns a placement on the displayed page into a rectangle of default user space and the matrix
 * that keeps an appearance upright. It does not ask whether the rectangle is on the page.
 */
export function placeOnPage(page: PageGeometry, placement: Placement): PlacedRectangle {
  const { x, y, width, height } = inPoints(page, placement)
  const unit = page.userUnit
  const corner = toUserSpace(page, x / unit, y / unit)
  const opposite = toUserSpace(page, (x + width) / unit, (y + height) / unit)
  return {
    rect: normalised([...corner, ...opposite]),
    size: { width, height },
    matrix: uprightMatrix(page.rotate, width, height),
  }
}

/** From the displayed page (units of user space, from its top left, y down) to user space. */
function toUserSpace(page: PageGeometry, right: number, down: number): [number, number] {
  const [x1, y1, x2, y2] = page.cropBox
  switch (page.rotate) {
    case 0:
      return [x1 + right, y2 - down]
    case 90:
      return [x1 + down, y1 + right]
    case 180:
      return [x2 - right, y1 + down]
    case 270:
      return [x2 - down, y2 - right]
  }
}

/**
 * Turns a rectangle of default user space into one on the displayed page, in points from its top
 * left corner, y downwards.
 */
export function displayedRectangle(
  page: PageGeometry,
  [x1, y1, x2, y2]: Rectangle,
): { x: number; y: number; width: number; height: number } {
  const unit = page.userUnit
  const [left, top, right, bottom] = normalised([
    ...fromUserSpace(page, x1, y1),
    ...fromUserSpace(page, x2, y2),
  ])
  return {
    x: left * unit,
    y: top * unit,
    width: (right - left) * unit,
    height: (bottom - top) * unit,
  }
}

/** The inverse of {@link toUserSpace}. */
function fromUserSpace(page: PageGeometry, x: number, y: number): [number, number] {
  const [x1, y1, x2, y2] = page.cropBox
  switch (page.rotate) {
    case 0:
      return [x - x1, y2 - y]
    case 90:
      return [y - y1, x - x1]
    case 180:
      return [x2 - x, y - y1]
    case 270:
      return [y2 - y, x2 - x]
  }
}

/** Turns counter-clockwise what the page turns clockwise, and moves it back to the origin. */
function uprightMatrix(rotate: PageGeometry['rotate'], width: number, height: number): Matrix {
  switch (rotate) {
    case 0:
      return [1, 0, 0, 1, 0, 0]
    case 90:
      return [0, 1, -1, 0, height, 0]
    case 180:
      return [-1, 0, 0, -1, width, height]
    case 270:
      return [0, -1, 1, 0, 0, width]
  }
}

function inPoints(
  page: PageGeometry,
  placement: Placement,
): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height, unit, pageSize } = placement
  const displayed = displayedSize(page)
  const scale = { x: 1, y: 1 }
  if (unit === 'fraction') {
    scale.x = displayed.width
    scale.y = displayed.height
  } else if (pageSize) {
    scale.x = displayed.width / pageSize.width
    scale.y = displayed.height / pageSize.height
  }
  return { x: x * scale.x, y: y * scale.y, width: width * scale.x, height: height * scale.y }
}

function normalised([x1, y1, x2, y2]: Rectangle): Rectangle {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}
