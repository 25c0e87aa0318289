/** Whether a rectangle lies on its page, for what tenants and participants place. */
import type { PageSize } from '../ports/pdf-sandbox.ts'
import type { Rectangle } from './schema.ts'

/** Rounding on the way through pixels and fractions: a tenth of a point cannot be seen. */
const TOLERANCE_PT = 0.1

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
