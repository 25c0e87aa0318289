/** Writes elements of XML 1.0 as text; every value is escaped. */

/** Text of one element; only {@link element} makes it. */
export interface XmlText {
  readonly xml: string
}

type Child = XmlText | string | undefined

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 does not allow (2.2), lone surrogates included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\t\n\r]/g, (one) => ESCAPES[one] as string)

/**
 * Writes one element.
 *
 * @param name with its prefix
 * @param attributes values as plain text
 * @param children elements, or plain text; undefined children are left out
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): XmlText {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const content = children.map((child) =>
    typeof child === 'object' ? child.xml : escaped(child ?? ''),
  )
  return { xml: `<${name}${written.join('')}>${content.join('')}</${name}>` }
}
