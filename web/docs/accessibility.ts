/** Adds to the elements of Scalar what keyboards and screen readers need. */

/** Lets the keyboard scroll code that is wider than its place, and names buttons without a text. */
function repair(place: Element): void {
  for (const code of place.querySelectorAll('pre > code:not([tabindex])')) {
    code.setAttribute('tabindex', '0')
  }
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
