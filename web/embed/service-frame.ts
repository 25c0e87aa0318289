/** The frame with a page of the service; both web components for sites of tenants use it. */

/** The service that the script of the component comes from, without a slash at the end. */
export const SERVICE_URL = import.meta.url.replace(/\/embed\/[^/]*$/, '')
export const SERVICE_ORIGIN = new URL(SERVICE_URL).origin
/** A frame that the browser refuses says nothing; a page that loads for longer is broken. */
export const READY_LIMIT_MS = 30_000

const STYLE = `
  :host { display: block; }
  iframe {
    display: block; width: 100%; height: 40rem; border: 0;
    min-height: 20rem; max-height: var(--sigcase-max-height, 90vh);
  }`

/** Adds the style of the frame to the shadow root of a component. */
export function styleFrame(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
}

/** The language of the text around a component, such as `sk`. */
export const languageAround = (element: Element): string =>
  element.closest('[lang]')?.getAttribute('lang')?.split('-')[0] ?? 'en'

/**
 * Makes a sandboxed frame, which is not in the document yet.
 *
 * @param sandbox permissions of the frame, as in HTML
 */
export function serviceFrame(url: string, title: string, sandbox: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = title
  frame.referrerPolicy = 'no-referrer'
  frame.setAttribute('sandbox', sandbox)
  frame.src = url
  return frame
}

/**
 * Makes the frame as high as its content, and at most as the window: its dialogs open in the middle
 * of the frame, which would be out of view.
 *
 * @param heightPx of the content
 */
export function followHeight(frame: HTMLIFrameElement, heightPx: number): void {
  frame.style.height = `min(${heightPx}px, 100vh)`
}

/** Whether a message comes from the page of the service in this frame. */
export const isFromFrame = (
  { source, origin }: Pick<MessageEvent, 'source' | 'origin'>,
  frame: HTMLIFrameElement | undefined,
): frame is HTMLIFrameElement =>
  frame !== undefined && source === frame.contentWindow && origin === SERVICE_ORIGIN
