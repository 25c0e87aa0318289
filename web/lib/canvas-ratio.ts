/** The memory of canvases: how many pixels one CSS pixel of a page has, and its release. */

/** A phone holds a few of these at once: 4096 by 1536 pixels. */
const MAXIMUM_CANVAS_PIXELS = 6_291_456

/**
 * Returns the ratio of the screen, or a smaller one that keeps the memory of the canvas bounded.
 *
 * @param size in CSS pixels
 * @param maximum largest ratio that is worth its memory
 * @param screenRatio device pixels for each CSS pixel
 */
export function canvasRatio(
  { width, height }: { width: number; height: number },
  maximum: number,
  screenRatio = window.devicePixelRatio || 1,
): number {
  const largest = Math.sqrt(MAXIMUM_CANVAS_PIXELS / (width * height))
  return Math.min(screenRatio, maximum, largest)
}

/** Gives the memory of a canvas back at once. */
export function dropCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
}
