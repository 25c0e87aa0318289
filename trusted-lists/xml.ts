/**
 * Parses XML 1.0 with namespaces, strictly and with limits: no document type, custom entities or
 * processing instructions; names in ASCII.
 */
import { TrustedListError } from './errors.ts'

/** The largest list of a member state has about 6 MB. */
export const MAXIMUM_XML_OCTETS = 16 * 1024 * 1024
/** Real lists are nested 20 levels deep. */
const MAXIMUM_DEPTH = 40
/** A list of 1 MB has about 10,000 elements. */
const MAXIMUM_ELEMENTS = 160_000
const MAXIMUM_ATTRIBUTES = 16

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** A parsed element. */
export interface XmlElement {
  /** Local name, without prefix. */
  readonly name: string
  /** Empty for no namespace. */
  readonly namespace: string
  /**
   * By local name; those with a prefix as `{namespace}name`. Namespace declarations are not
   * included.
   */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  /** Character data directly in the element, in order. */
  text: string
}

const NAME = '[A-Za-z_][A-Za-z0-9._-]*'
const QUALIFIED_NAME = `(?:(${NAME}):)?(${NAME})`
/** Builds the pattern of an attribute in the XML declaration, whose encoding must be UTF-8. */
const pseudoAttribute = (name: string, values: string) =>
  `\\s+${name}\\s*=\\s*(?:"(?:${values})"|'(?:${values})')`
const DECLARATION = new RegExp(
  `<\\?xml${pseudoAttribute('version', '1\\.0')}` +
    `(?:${pseudoAttribute('encoding', '[Uu][Tt][Ff]-8')})?` +
    `(?:${pseudoAttribute('standalone', 'yes|no')})?\\s*\\?>`,
  'y',
)
const OPENING = new RegExp(`<${QUALIFIED_NAME}`, 'y')
const CLOSING = new RegExp(`</${QUALIFIED_NAME}\\s*>`, 'y')
const ATTRIBUTE = new RegExp(`\\s+${QUALIFIED_NAME}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const TAG_END = /\s*(\/?)>/y
const TEXT = /[^<]+/y
/** A comment must not contain `--`; its content is skipped by `indexOf`. */
const COMMENT_OPENING = '<!--'
const CDATA_OPENING = '<![CDATA['
/** Allowed characters of namespace names: none of them needs escaping in XML. */
const NAMESPACE_NAME = /^[A-Za-z0-9:/.#?=%~+,;@_-]*$/
/** XML 1.0, 2.2. Lone surrogates cannot occur after decoding UTF-8. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

const malformed = (detail: string) => new TrustedListError('MALFORMED_XML', detail)

/** An ampersand that does not begin a character reference or a predefined entity. */
const OTHER_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)/
const REFERENCE = /&(?:([a-z]+)|#x([0-9A-Fa-f]+)|#(\d+));/g
const ENTITY = /^[A-Za-z_][A-Za-z0-9._-]{0,63};/

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  const character = isCharacter ? String.fromCodePoint(code) : '\0'
  if (FORBIDDEN_CHARACTER.test(character)) throw malformed('a character that XML does not allow')
  return character
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  const other = OTHER_REFERENCE.exec(text)
  if (other) {
    const isEntity = ENTITY.test(text.slice(other.index + 1, other.index + 66))
    if (isEntity) throw new TrustedListError('DTD_FORBIDDEN', 'a custom entity')
    throw malformed('an unescaped ampersand')
  }
  return text.replace(REFERENCE, (_all, name?: string, hex?: string, decimal?: string) => {
    if (name !== undefined) return ENTITIES[name] as string
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/** Namespaces in scope by prefix; the empty prefix is the default namespace. */
type Scope = ReadonlyMap<string, string>

interface RawAttribute {
  prefix: string | undefined
  local: string
  value: string
}

class Reader {
  readonly #source: string
  #at = 0
  #elements = 0

  constructor(source: string) {
    this.#source = source
  }

  document(): XmlElement {
    this.#match(DECLARATION)
    this.#skipMisc()
    const root = this.#tree()
    this.#skipMisc()
    if (this.#at < this.#source.length) throw this.#refusal()
    return root
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source)
    if (match) this.#at = pattern.lastIndex
    return match
  }

  /** Skips white space and comments. */
  #skipMisc(): void {
    do this.#match(/\s*/y)
    while (this.#skipComment())
  }

  #skipComment(): boolean {
    if (!this.#source.startsWith(COMMENT_OPENING, this.#at)) return false
    const start = this.#at + COMMENT_OPENING.length
    const end = this.#source.indexOf('--', start)
    if (end < 0 || this.#source[end + 2] !== '>') throw malformed('an invalid comment')
    this.#at = end + 3
    return true
  }

  /** Returns the error for unexpected markup. */
  #refusal(): TrustedListError {
    const isForbidden = /<(\?|!(?!--|\[CDATA\[))/y
    isForbidden.lastIndex = this.#at
    if (isForbidden.test(this.#source)) return new TrustedListError('DTD_FORBIDDEN')
    return malformed(`at character ${this.#at}`)
  }

  #tree(): XmlElement {
    const open: { element: XmlElement; tag: string; scope: Scope }[] = []
    const none: Scope = new Map([['xml', XML_NAMESPACE]])
    for (;;) {
      const inner = open.at(-1)
      const opening = this.#match(OPENING)
      if (opening) {
        const started = this.#start(opening, inner?.scope ?? none)
        inner?.element.children.push(started.element)
        if (!started.empty) open.push({ ...started, tag: opening[0].slice(1) })
        else if (!inner) return started.element
        if (open.length > MAXIMUM_DEPTH) throw new TrustedListError('LIMIT_EXCEEDED', 'depth')
        continue
      }
      if (!inner) throw this.#refusal()
      const closing = this.#match(CLOSING)
      if (closing) {
        if (closing[0].slice(2, -1).trimEnd() !== inner.tag) throw malformed('tags do not match')
        open.pop()
        if (open.length === 0) return inner.element
      } else if (!this.#skipComment()) {
        inner.element.text += this.#characters()
      }
    }
  }

  /** Reads character data or a CDATA section. */
  #characters(): string {
    const text = this.#match(TEXT)?.[0]
    if (text !== undefined) {
      if (text.includes(']]>')) throw malformed('an unescaped section end')
      return unescaped(text)
    }
    if (!this.#source.startsWith(CDATA_OPENING, this.#at)) throw this.#refusal()
    const start = this.#at + CDATA_OPENING.length
    const end = this.#source.indexOf(']]>', start)
    if (end < 0) throw malformed('an unterminated section')
    this.#at = end + 3
    return this.#source.slice(start, end)
  }

  #start(
    [, prefix, local = '']: RegExpExecArray,
    outer: Scope,
  ): { element: XmlElement; scope: Scope; empty: boolean } {
    if (++this.#elements > MAXIMUM_ELEMENTS)
      throw new TrustedListError('LIMIT_EXCEEDED', 'elements')
    const raw: RawAttribute[] = []
    for (let match = this.#match(ATTRIBUTE); match; match = this.#match(ATTRIBUTE)) {
      const value = unescaped((match[3] ?? match[4] ?? '').replace(/[\t\n]/g, ' '))
      raw.push({ prefix: match[1], local: match[2] ?? '', value })
      if (raw.length > MAXIMUM_ATTRIBUTES)
        throw new TrustedListError('LIMIT_EXCEEDED', 'attributes')
    }
    const end = this.#match(TAG_END)
    if (!end) throw this.#refusal()
    const scope = declared(raw, outer)
    const element: XmlElement = {
      name: local,
      namespace: prefix === undefined ? (scope.get('') ?? '') : namespaceOf(prefix, scope),
      attributes: attributesOf(raw, scope),
      children: [],
      text: '',
    }
    return { element, scope, empty: end[1] === '/' }
  }
}

const isDeclaration = ({ prefix, local }: RawAttribute) =>
  prefix === 'xmlns' || (prefix === undefined && local === 'xmlns')

function declared(attributes: readonly RawAttribute[], outer: Scope): Scope {
  const declarations = attributes.filter(isDeclaration)
  if (declarations.length === 0) return outer
  const scope = new Map(outer)
  const seen = new Set<string>()
  for (const { prefix, local, value } of declarations) {
    const name = prefix === undefined ? '' : local
    const isReserved = name === 'xml' || name === 'xmlns' || value === XML_NAMESPACE
    const isUnnamed = value === '' && name !== ''
    if (isReserved || isUnnamed || seen.has(name) || !NAMESPACE_NAME.test(value)) {
      throw malformed('an invalid namespace declaration')
    }
    seen.add(name)
    scope.set(name, value)
  }
  return scope
}

function namespaceOf(prefix: string, scope: Scope): string {
  const namespace = scope.get(prefix)
  if (namespace === undefined) throw malformed('an undeclared prefix')
  return namespace
}

function attributesOf(attributes: readonly RawAttribute[], scope: Scope): Map<string, string> {
  const named = new Map<string, string>()
  for (const attribute of attributes) {
    if (isDeclaration(attribute)) continue
    const { prefix, local, value } = attribute
    const name = prefix === undefined ? local : `{${namespaceOf(prefix, scope)}}${local}`
    if (named.has(name)) throw malformed('a duplicate attribute')
    named.set(name, value)
  }
  return named
}

/**
 * Decodes UTF-8 octets, converts line ends to line feeds and removes a byte order mark.
 *
 * @throws TrustedListError `LIMIT_EXCEEDED`, `MALFORMED_XML`
 */
export function decodeXml(octets: Uint8Array): string {
  if (octets.length > MAXIMUM_XML_OCTETS) throw new TrustedListError('LIMIT_EXCEEDED', 'size')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(octets)
    return text.replace(/\r\n?/g, '\n')
  } catch (cause) {
    throw new TrustedListError('MALFORMED_XML', 'not UTF-8', { cause })
  }
}

/**
 * Parses a whole document (XML 1.0; Namespaces in XML 1.0).
 *
 * @param text from {@link decodeXml}
 * @returns its root element
 * @throws TrustedListError `MALFORMED_XML`, `DTD_FORBIDDEN`, `LIMIT_EXCEEDED`
 */
export function readXml(text: string): XmlElement {
  if (FORBIDDEN_CHARACTER.test(text)) throw malformed('a character that XML does not allow')
  return new Reader(text).document()
}

/** Returns the children with a name in a namespace. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name && child.namespace === namespace)

/** Returns the element and everything below it, in document order. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* descendants(child)
}
