/** Whether a rectangle lies on its page, for what tenants and participants place. */
import { MINIMUM_RECTANGLE_PT } from '../limits.ts'
import type { PageSize } from '../ports/pdf-sandbox.ts'
import type { Rectangle } from './rectangle.ts'

/** Rounding on the way through pixels and fractions: a tenth of a point cannot be seen. */
const TOLERANCE_PT = 0.1

/** What is wrong with a rectangle that {@link isTooSmall}, as validation tells it. */
export const TOO_SMALL = {
  params: { minimumPt: MINIMUM_RECTANGLE_PT },
  message: `must be at least ${MINIMUM_RECTANGLE_PT} pt wide and high`,
}

/**
 * Whether a drawing in the rectangle could not be seen.
 *
 * @param page in points
 * @param measuredOn the size of the page in the units of the rectangle when it is no fraction
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
