/**
 * Takes the strokes out of an SVG document as drawing pads write it (SVG 2, 9.3: path; 10.3:
 * circle).
 *
 * This is not an XML reader: a document with anything but plain shapes is refused, so that nothing
 * in it (scripts, entities, references, styles, transformations) can mean what we do not draw.
 */
import { PadesError } from '../errors.ts'

const MAX_ELEMENTS = 20_000

/** Attributes that say how a stroke looks; we draw all strokes alike. */
const HARMLESS = new Set([
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'fill-opacity',
  'fill-rule',
  'opacity',
  'id',
  'class',
])
/** Attributes that say where a stroke is. */
const GEOMETRY = { g: [], path: ['d'], circle: ['cx', 'cy', 'r'] } as const
const PREAMBLE = /^\uFEFF?\s*(?:<\?xml [^<>?]*\?>)?\s*/
const ELEMENT = /\s*<(\/?)([a-z]+)((?:\s+[a-zA-Z:-]+\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /([a-zA-Z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const TITLE_TEXT = /[^<&]*/y
const END = /\s*$/y
const LENGTH = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Says whether a text looks like an SVG document, not like path data. */
export function isSvgDocument(text: string): boolean {
  return /^\uFEFF?\s*</.test(text)
}

/**
 * Returns the path data of all strokes of the document, in their order.
 *
 * @throws PadesError `BAD_DRAWING` - the document holds more than `svg`, `g`, `path` and `circle`,
 *   and what is passed over: `title`, `desc`, and `rect` as a background
 */
export function pathDataOfDocument(text: string): string {
  let at = PREAMBLE.exec(text)?.[0].length ?? 0
  const strokes: string[] = []
  for (let count = 0; !isEnd(text, at); count += 1) {
    if (count > MAX_ELEMENTS) throw refused(`more than ${MAX_ELEMENTS} elements`)
    ELEMENT.lastIndex = at
    const [, closing, name, attributes, empty] = ELEMENT.exec(text) ?? []
    if (name === undefined) throw refused('something other than plain elements')
    // An inner drawing would have a scale of its own.
    if ((name === 'svg' && !closing) !== (count === 0)) throw refused('another drawing')
    at = ELEMENT.lastIndex
    if (closing) continue
    const stroke = strokeOf(name, attributesOf(attributes))
    // Every path begins at the origin, also where the one before it ended elsewhere.
    if (stroke) strokes.push(`M0,0${stroke}`)
    if (isText(name) && !empty) {
      TITLE_TEXT.lastIndex = at
      TITLE_TEXT.test(text)
      at = TITLE_TEXT.lastIndex
    }
  }
  if (!text.trimEnd().endsWith('</svg>')) throw refused('no end')
  return strokes.join(' ')
}

function isEnd(text: string, at: number): boolean {
  END.lastIndex = at
  return END.test(text)
}

function refused(what: string): PadesError {
  return new PadesError(
    'BAD_DRAWING',
    `the SVG holds ${what}; send path data, or a document of path elements alone`,
  )
}

function isText(name: string): boolean {
  return name === 'title' || name === 'desc'
}

function attributesOf(source: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name, double, single] of source.matchAll(ATTRIBUTE)) {
    attributes.set(name, double ?? single ?? '')
  }
  return attributes
}

/** Path data of one element; undefined when it draws nothing. */
function strokeOf(name: string, attributes: Map<string, string>): string | undefined {
  if (name === 'svg' || isText(name)) return undefined
  // Drawing pads lay a rectangle under the strokes as background.
  if (name === 'rect') return undefined
  if (name !== 'g' && name !== 'path' && name !== 'circle') throw refused(`an element <${name}>`)
  const geometry: readonly string[] = GEOMETRY[name]
  for (const attribute of attributes.keys()) {
    if (HARMLESS.has(attribute) || geometry.includes(attribute)) continue
    throw refused(`an attribute ${attribute}`)
  }
  if (name === 'g') return undefined
  if (name === 'path') return attributes.get('d') ?? ''
  const [x, y, radius] = ['cx', 'cy', 'r'].map((attribute) => {
    const value = attributes.get(attribute) ?? '0'
    if (!LENGTH.test(value)) throw refused('a circle without numbers')
    return Number(value)
  })
  return (
    `M${x - radius},${y}A${radius},${radius},0,1,0,${x + radius},${y}` +
    `A${radius},${radius},0,1,0,${x - radius},${y}Z`
  )
}
