/** The signing page in a frame of another site, and what differs there (decision 192). */

/** Whether the page is in a frame. */
export const isFramed = (): boolean => window.parent !== window

/** Whether an element may take the focus: a page in a frame must not take it from the site. */
export const mayTakeFocus = (): boolean => !isFramed() || document.hasFocus()

/** The address of the same signing link outside of frames. */
export function ownWindowUrl(): string {
  const { pathname, hash } = window.location
  return pathname.replace(/\/embed(?=\/sign\/[^/]+$)/, '') + hash
}

/**
 * Downloads a document. A frame must not lead to the object store, because the policy of the site
 * around it may allow this service alone; a new window may.
 */
export function openDownload(url: string): void {
  if (isFramed()) window.open(url, '_blank', 'noopener')
  else window.location.assign(url)
}
