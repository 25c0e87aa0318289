/** Keeps in view what the keyboard moves. */

/** Scrolls as little as needed, once the element is where it was moved to. */
export function keepInView(element: HTMLElement): void {
  window.requestAnimationFrame(() => {
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  })
}
