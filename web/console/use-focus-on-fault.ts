/** Leads to what is to be corrected in a form. */
import { useEffect, useRef } from 'preact/hooks'

/**
 * Focuses the first field that is marked as invalid: it can be far above the button that sends.
 *
 * @param answer a value that changes with each answer of the service
 * @returns the reference for the form
 */
export function useFocusOnFault(answer: object) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [answer])
  return form
}
