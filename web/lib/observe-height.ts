/** Observes the height of the content of a page, so that a frame around it can follow. */

/**
 * Calls back with the height of the content, now and whenever it changes.
 *
 * @param onHeight gets CSS pixels, rounded up
 */
export function observeHeight(content: Element, onHeight: (height: number) => void): void {
  let last = 0
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height)
    if (height === last) return
    last = height
    onHeight(height)
  }).observe(content)
}
