/** Adds to the elements of Scalar what keyboards and screen readers need. */

/** Code and lists of operations that can be larger than their place. */
const SCROLLABLE = 'pre > code:not([tabindex]), .endpoints:not([tabindex])'

/** Lets the keyboard scroll what is larger than its place, and names buttons without a text. */
function repair(place: Element): void {
  for (const element of place.querySelectorAll(SCROLLABLE)) element.setAttribute('tabindex', '0')
  // These buttons show the language or "Copy", which their name must contain.
  for (const button of place.querySelectorAll('.scalar-code-copy')) {
    const language = button.querySelector('span > span')?.textContent ?? ''
    button.setAttribute('aria-label', `Copy ${language}`.trim())
  }
}

/** Repairs an element now and after each change in it, at most once a frame. */
export function keepAccessible(place: Element): void {
  let isPlanned = false
  const observer = new MutationObserver(() => {
    if (isPlanned) return
    isPlanned = true
    requestAnimationFrame(() => {
      isPlanned = false
      repair(place)
    })
  })
  observer.observe(place, { childList: true, subtree: true })
  repair(place)
}
