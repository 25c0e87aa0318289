/** How wide a page is shown, so that it can be read. */

/** A page that is much wider than high is as high as three lines of text. */
const LOWEST_PX = 120
/** Some browsers paint no wider canvas, which has two pixels for each of these on most screens. */
const WIDEST_PX = 8_000

/**
 * Returns the width of a page: what fits, and more when the page would be too low to read. Such a
 * page is scrolled sideways.
 *
 * @param fittingPx what fits into the screen, in CSS pixels
 * @param zoom factor that the reader chose
 */
export function shownWidthPx(
  fittingPx: number,
  { width, height }: { width: number; height: number },
  zoom = 1,
): number {
  const readablePx = Math.min(WIDEST_PX, (LOWEST_PX * width) / height)
  const zoomedPx = Math.max(fittingPx, readablePx) * zoom
  return Math.round(Math.min(zoomedPx, Math.max(WIDEST_PX, fittingPx * zoom)))
}
