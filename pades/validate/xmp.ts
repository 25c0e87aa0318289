/**
 * Compares two XMP packets of a document, apart from properties that say when and with which
 * program it was written (ISO 32000-2, 14.3.2; ISO 16684-1, 7).
 *
 * Only the plain form in which producers write packets is understood; anything else counts as a
 * change. Viewers show the title of a packet, so a value counts as such a property only where it is
 * a direct part of the description of the document: not inside a title.
 */

import { Buffer } from 'node:buffer'

/** Far more than a packet without thumbnails has. */
const MAX_PACKET_BYTES = 1_048_576

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const ATTRIBUTE = `(${NAME})\\s*=\\s*("[^"<]*"|'[^'<]*')`
/** A processing instruction, a tag, or text. */
const TOKEN = new RegExp(
  `<\\?[^?]*\\?>|<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>|[^<]+`,
  'gy',
)

/** Properties that every program sets anew when it writes a file. */
const PROPERTIES: ReadonlySet<string> = new Set([
  'xmp:CreateDate',
  'xmp:ModifyDate',
  'xmp:MetadataDate',
  'xmpMM:DocumentID',
  'xmpMM:InstanceID',
  'pdf:Producer',
])

/** Namespaces of these properties, whose declarations may come with them. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  'xmlns:xmp': 'http://ns.adobe.com/xap/1.0/',
  'xmlns:xmpMM': 'http://ns.adobe.com/xap/1.0/mm/',
  'xmlns:pdf': 'http://ns.adobe.com/pdf/1.3/',
}

/** Where the description of the document is. */
const DESCRIPTION = 'rdf:Description'
const PLACES: ReadonlySet<string> = new Set(['rdf:RDF', 'x:xmpmeta/rdf:RDF'])

/** The version of the library that wrote the packet. */
const TOOLKIT = 'x:xmptk'

interface Token {
  readonly kind: 'open' | 'close' | 'other'
  readonly name: string
  readonly attributes: string
  readonly isEmpty: boolean
  readonly text: string
}

/** Undefined when something is not of the plain form. */
function tokensOf(packet: string): Token[] | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < packet.length) {
    const match = TOKEN.exec(packet)
    if (!match) return undefined
    const [text, slash, name = '', attributes = '', end] = match
    const tag = slash ? 'close' : 'open'
    const kind = name === '' ? 'other' : tag
    if (text.trim() !== '') tokens.push({ kind, name, attributes, isEmpty: end === '/', text })
  }
  return tokens
}

/** Attributes without those that may differ. */
function lastingAttributes(name: string, attributes: string, isPlace: boolean): string {
  const lasting: string[] = []
  for (const [, key, quoted] of attributes.matchAll(new RegExp(ATTRIBUTE, 'g'))) {
    const isDeclaration = DECLARATIONS[key] === quoted.slice(1, -1)
    const isProperty = isPlace && name === DESCRIPTION && PROPERTIES.has(key)
    const isToolkit = name === 'x:xmpmeta' && key === TOOLKIT
    if (!isDeclaration && !isProperty && !isToolkit) lasting.push(`${key}=${quoted}`)
  }
  return lasting.join(' ')
}

/** All that must stay the same; undefined when the packet is not of the plain form. */
function skeletonOf(packet: Uint8Array): string | undefined {
  if (packet.length > MAX_PACKET_BYTES) return undefined
  const tokens = tokensOf(Buffer.from(packet).toString('latin1'))
  if (!tokens) return undefined
  const skeleton: string[] = []
  const open: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { kind, name, attributes, isEmpty, text } = tokens[at]
    const isInDescription = open.at(-1) === DESCRIPTION && PLACES.has(open.slice(0, -1).join('/'))
    if (kind === 'open' && isInDescription && PROPERTIES.has(name) && attributes === '') {
      const length = isEmpty ? 1 : lengthOfProperty(tokens, at)
      if (length === undefined) return undefined
      at += length - 1
      continue
    }
    if (kind === 'other') skeleton.push(text)
    else if (kind === 'close') {
      if (open.pop() !== name) return undefined
      skeleton.push(`</${name}>`)
    } else {
      const lasting = lastingAttributes(name, attributes, PLACES.has(open.join('/')))
      skeleton.push(`<${name} ${lasting}${isEmpty ? '/' : ''}>`)
      if (!isEmpty) open.push(name)
    }
  }
  return open.length === 0 ? skeleton.join('') : undefined
}

/** Tokens of a property whose value is a text, or is empty. */
function lengthOfProperty(tokens: readonly Token[], at: number): number | undefined {
  const isEnd = (token: Token | undefined) =>
    token?.kind === 'close' && token.name === tokens[at].name
  if (isEnd(tokens[at + 1])) return 2
  return tokens[at + 1]?.kind === 'other' && isEnd(tokens[at + 2]) ? 3 : undefined
}

/** Whether two packets differ in nothing but dates, identifiers and the program. */
export function packetsAgree(old: Uint8Array, packet: Uint8Array): boolean {
  const skeleton = skeletonOf(old)
  return skeleton !== undefined && skeleton === skeletonOf(packet)
}
