/** Checks rectangles that tenants and participants place on pages. */
import { MAXIMUM_OWN_AREA_PT2, MAXIMUM_OWN_AREA_SHARE, MINIMUM_RECTANGLE_PT } from '../limits.ts'
import type { OccupiedPlace, PageSize } from '../ports/pdf-sandbox.ts'
import type { Rectangle } from './rectangle.ts'

/** Tolerance for rounding through pixels and fractions; a tenth of a point is not visible. */
const TOLERANCE_PT = 0.1

/** Validation problem of a rectangle that {@link isTooSmall}. */
export const TOO_SMALL = {
  params: { minimumPt: MINIMUM_RECTANGLE_PT },
  message: `must be at least ${MINIMUM_RECTANGLE_PT} pt wide and high`,
}

/**
 * Whether a drawing in the rectangle would be too small to see.
 *
 * @param page in points
 * @param measuredOn size of the page in the units of the rectangle, unless those are fractions
 */
export function isTooSmall(
  { width, height, unit }: Pick<Rectangle, 'width' | 'height' | 'unit'>,
  page: PageSize,
  measuredOn: PageSize = page,
): boolean {
  const [across, down] = unit === 'fraction' ? [1, 1] : [measuredOn.width, measuredOn.height]
  const smallest = MINIMUM_RECTANGLE_PT - TOLERANCE_PT
  return (width * page.width) / across < smallest || (height * page.height) / down < smallest
}

type Extent = Pick<Rectangle, 'width' | 'height' | 'unit'>

/** Points per unit of a rectangle, horizontally and vertically. */
function pointsPerUnit(
  unit: Rectangle['unit'],
  page: PageSize,
  measuredOn: PageSize,
): readonly [number, number] {
  if (unit === 'fraction') return [page.width, page.height]
  return [page.width / measuredOn.width, page.height / measuredOn.height]
}

/** Maximum area of a rectangle that the signer chose on a page, in square points. */
const greatestAreaPt2 = (page: PageSize): number =>
  Math.max(
    MINIMUM_RECTANGLE_PT ** 2,
    Math.min(MAXIMUM_OWN_AREA_PT2, page.width * page.height * MAXIMUM_OWN_AREA_SHARE),
  )

/**
 * Returns the validation problem of a rectangle that covers more of its page than signers may use.
 *
 * @param page in points
 * @param measuredOn size of the page in the units of the rectangle, unless those are fractions
 * @returns undefined when the rectangle is small enough
 */
export function areaFault(
  { width, height, unit }: Extent,
  page: PageSize,
  measuredOn: PageSize = page,
): { params: Record<string, unknown>; message: string } | undefined {
  const [across, down] = pointsPerUnit(unit, page, measuredOn)
  const limitPt2 = greatestAreaPt2(page)
  if ((width * across - TOLERANCE_PT) * (height * down - TOLERANCE_PT) <= limitPt2) return undefined
  const maximumPt2 = Math.floor(limitPt2)
  const percent = 100 * MAXIMUM_OWN_AREA_SHARE
  const message =
    `must cover at most ${maximumPt2} square points of this page ` +
    `(${percent} % of the page, and never more than ${MAXIMUM_OWN_AREA_PT2} square points)`
  return { params: { maximumPt2 }, message }
}

/**
 * Whether two rectangles of one signer overlap.
 *
 * @param page the page of `one`, in points
 * @param measuredOn size of the page in the units of rectangles that are not fractions
 */
export function doOverlap(
  one: Rectangle,
  other: Rectangle,
  page: PageSize,
  measuredOn: PageSize = page,
): boolean {
  if (one.page !== other.page) return false
  const [a, b] = [one, other].map(({ x, y, width, height, unit }) => {
    const [across, down] = pointsPerUnit(unit, page, measuredOn)
    return {
      left: x * across,
      top: y * down,
      right: (x + width) * across,
      bottom: (y + height) * down,
    }
  })
  const sharedWidth = Math.min(a!.right, b!.right) - Math.max(a!.left, b!.left)
  const sharedHeight = Math.min(a!.bottom, b!.bottom) - Math.max(a!.top, b!.top)
  return sharedWidth > TOLERANCE_PT && sharedHeight > TOLERANCE_PT
}

/**
 * A gap that is smaller may be none after rounding. It is far below what can be seen, and it
 * distinguishes fields that touch.
 */
const MINIMUM_GAP_PT = 0.01

/** Why {@link coversField} refuses a rectangle. */
export const COVERS_FIELD_MESSAGE =
  'must not cover a signature or another form field that the document already has: ' +
  'that would invalidate its earlier signatures'

/**
 * Says whether a rectangle lies on a form field of a document that others signed before, or less
 * than {@link MINIMUM_GAP_PT} beside it.
 *
 * @param page the page of the rectangle, in points
 * @param occupied the fields of the document
 * @param measuredOn the size of the page in the units of the rectangle when it is not a fraction
 */
export function coversField(
  { page: number, x, y, width, height, unit }: Rectangle,
  page: PageSize,
  occupied: readonly OccupiedPlace[],
  measuredOn: PageSize = page,
): boolean {
  const [across, down] = pointsPerUnit(unit, page, measuredOn)
  const [left, top, right, bottom] = [
    x * across,
    y * down,
    (x + width) * across,
    (y + height) * down,
  ] as const
  return occupied.some((field) => {
    if (field.page !== number) return false
    // An invisible field is a point, often at a corner of the page, which nothing can avoid.
    const gapPt = field.width > 0 && field.height > 0 ? MINIMUM_GAP_PT : 0
    return (
      left < field.x + field.width + gapPt &&
      field.x < right + gapPt &&
      top < field.y + field.height + gapPt &&
      field.y < bottom + gapPt
    )
  })
}

/** @param page its size in the units of the rectangle when these are points */
export function reachesBeyond(
  { x, y, width, height, unit }: Omit<Rectangle, 'page'>,
  page: PageSize,
): boolean {
  const [across, down] = unit === 'fraction' ? [page.width, page.height] : [1, 1]
  const right = (x + width) * across
  const bottom = (y + height) * down
  return right > page.width + TOLERANCE_PT || bottom > page.height + TOLERANCE_PT
}
