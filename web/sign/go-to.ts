/** Scrolls to parts of the document. */
import type { SignatureField } from './place.ts'

/** Shows a field and gives it the focus. */
export function goTo({ id }: SignatureField): void {
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`)
  // The style sheet does not apply to scrolling by a script.
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  field?.scrollIntoView({ block: 'center', behavior: isStill ? 'instant' : 'smooth' })
  field?.focus({ preventScroll: true })
}
