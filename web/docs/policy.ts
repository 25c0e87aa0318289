/** Makes Scalar work under the policy of `/docs`, which permits no inline styles and no `eval`. */

/** Reads the nonce that the API wrote into this response. */
const readNonce = () =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? ''

/** Gives the nonce of the page to every style element that a script creates. */
function giveNonceToStyles(nonce: string): void {
  const createElement = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}

/** Sets `style` through the CSS object model; the policy forbids only the attribute. */
function setStylesAsProperties(): void {
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function set(name: string, value: string) {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
}

/** A `style` attribute in a tag; `<` in texts is escaped. */
const STYLE_ATTRIBUTE = /(<[a-z][^<>]*\s)style=(?="[^"]*")/gi

/** Sets the styles of HTML that a script assigns, such as that of highlighted code, likewise. */
function setStylesOfHtml(): void {
  const property = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  const { set } = property ?? {}
  if (!property || !set) return
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...property,
    set(this: Element, html: unknown) {
      const text = String(html ?? '')
      const renamed = text.replace(STYLE_ATTRIBUTE, '$1data-style=')
      set.call(this, renamed)
      if (renamed === text) return
      for (const element of this.querySelectorAll<HTMLElement>('[data-style]')) {
        element.style.cssText = element.dataset['style'] ?? ''
      }
    },
  })
}

/** Call it before the script of Scalar is loaded. */
export function prepareForPolicy(): void {
  giveNonceToStyles(readNonce())
  setStylesAsProperties()
  setStylesOfHtml()
  // The validator inside Scalar otherwise tries `new Function`.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
