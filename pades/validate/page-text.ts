/**
 * Finds text of a page that lies in given rectangles (ISO 32000-2, 7.8, 8.3 and 9.4). It estimates
 * the extent of text from its size and length, because a hint needs no exact widths.
 */
import type { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { Rectangle } from '../pdf/page-tree.ts'
import { type PdfDictionary, PdfStream, type PdfValue } from '../pdf/values.ts'
import { concatenate, IDENTITY, type Matrix } from '../syntax/matrices.ts'

/** Honest pages have some thousands; more is not read. */
const MAX_OPERATORS = 100_000
const MAX_CONTENT_BYTES = 1_048_576
const MAX_ENCODED_BYTES = 262_144
const MAX_CONTENT_STREAMS = 100
const MAX_FORM_DEPTH = 4
const MAX_GRAPHICS_STATES = 100
/** Mean width of a glyph in font sizes; codes of composite fonts have two bytes. */
const GLYPH_WIDTH = 0.5
const DESCENT = -0.2
const ASCENT = 0.7

/** White space of the grammar (7.2.3): `\s` is another set, and a no-break space is regular. */
const WHITE = '\\0\\t\\n\\f\\r '
const REGULAR = `[^${WHITE}()<>[\\]{}/%]`
const TOKEN = new RegExp(
  `[${WHITE}]+|%[^\\r\\n]*|/${REGULAR}*|<<|>>|<[0-9A-Fa-f${WHITE}]*>|[[\\]{}]|${REGULAR}+|[^]`,
  'y',
)
const IMAGE_END = new RegExp(`[${WHITE}]EI(?=[${WHITE}]|$)`, 'g')
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/**
 * Says of each rectangle whether text of the page lies in it. What cannot be read counts as empty.
 *
 * @param rectangles in default user space, normalised
 */
export function textUnder(
  document: PdfDocument,
  page: PdfDictionary,
  rectangles: readonly Rectangle[],
): boolean[] {
  const scan = new TextScan(document, rectangles)
  try {
    const resources = inherited(document, page, 'Resources')
    scan.run(contentOf(document, page.get('Contents')), resources, IDENTITY, 0)
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
  }
  return scan.isHit
}

/** The resources of a page may be those of a node above it. */
function inherited(document: PdfDocument, page: PdfDictionary, key: string) {
  let node: PdfDictionary | undefined = page
  for (let depth = 0; node && depth < 50; depth += 1) {
    const value = document.dictionary(node.get(key))
    if (value) return value
    node = document.dictionary(node.get('Parent'))
  }
  return undefined
}

function contentOf(document: PdfDocument, value: PdfValue | undefined): string {
  const parts = (document.array(value) ?? [value]).slice(0, MAX_CONTENT_STREAMS)
  return parts.map((part) => streamText(document, document.resolve(part))).join('\n')
}

function streamText(document: PdfDocument, stream: PdfValue): string {
  if (!(stream instanceof PdfStream)) return ''
  if (document.encoded(stream).length > MAX_ENCODED_BYTES) return ''
  const bytes: Buffer = document.decode(stream)
  return bytes.length > MAX_CONTENT_BYTES ? '' : bytes.toString('latin1')
}

/** Follows the operators that place text; everything else is passed over. */
class TextScan {
  readonly isHit: boolean[]
  readonly #document: PdfDocument
  readonly #rectangles: readonly Rectangle[]
  #operators = 0

  constructor(document: PdfDocument, rectangles: readonly Rectangle[]) {
    this.#document = document
    this.#rectangles = rectangles
    this.isHit = rectangles.map(() => false)
  }

  run(content: string, resources: PdfDictionary | undefined, base: Matrix, depth: number): void {
    const saved: Matrix[] = []
    const state = { ctm: base, line: IDENTITY, size: 0, leading: 0, perByte: GLYPH_WIDTH }
    let numbers: number[] = []
    let name = ''
    let shownBytes = 0
    for (let at = 0; at < content.length;) {
      if (content[at] === '(') {
        const end = stringEnd(content, at)
        shownBytes += end - at - 2
        at = end
        continue
      }
      TOKEN.lastIndex = at
      const [token] = TOKEN.exec(content) ?? ['']
      at += Math.max(1, token.length)
      if (NUMBER.test(token)) numbers.push(Number(token))
      else if (token.startsWith('/')) name = token.slice(1)
      else if (/^<[^<]/.test(token)) shownBytes += (token.length - 2) / 2
      else if (/^[A-Za-z'"*]/.test(token)) {
        this.#operators += 1
        if (this.#operators > MAX_OPERATORS || this.isHit.every(Boolean)) return
        if (token === 'BI') at = inlineImageEnd(content, at)
        else if (token === 'q' && saved.length < MAX_GRAPHICS_STATES) saved.push(state.ctm)
        else if (token === 'Q') state.ctm = saved.pop() ?? state.ctm
        else if (token === 'Do') this.#runForm(name, resources, state.ctm, depth)
        else if (token === 'Tf') state.perByte = this.#glyphWidth(name, resources)
        place(state, token, numbers)
        if (shownBytes > 0 && ['Tj', 'TJ', "'", '"'].includes(token)) this.#show(state, shownBytes)
        numbers = []
        shownBytes = 0
      }
    }
  }

  #runForm(name: string, resources: PdfDictionary | undefined, ctm: Matrix, depth: number): void {
    const objects = this.#document.dictionary(resources?.get('XObject'))
    const form = this.#document.resolve(objects?.get(name))
    if (!(form instanceof PdfStream) || depth >= MAX_FORM_DEPTH) return
    if (this.#document.name(form.dictionary.get('Subtype')) !== 'Form') return
    const numbers = (this.#document.array(form.dictionary.get('Matrix')) ?? []).map(Number)
    const matrix = numbers.length === 6 ? (numbers as unknown as Matrix) : IDENTITY
    const own = this.#document.dictionary(form.dictionary.get('Resources')) ?? resources
    this.run(streamText(this.#document, form), own, concatenate(matrix, ctm), depth + 1)
  }

  #glyphWidth(name: string, resources: PdfDictionary | undefined): number {
    const fonts = this.#document.dictionary(resources?.get('Font'))
    const font = this.#document.dictionary(fonts?.get(name))
    const isComposite = this.#document.name(font?.get('Subtype')) === 'Type0'
    return isComposite ? GLYPH_WIDTH / 2 : GLYPH_WIDTH
  }

  #show({ ctm, line, size, perByte }: TextState, bytes: number): void {
    const matrix = concatenate(line, ctm)
    const right = bytes * perByte * size
    const corners = [
      [0, DESCENT * size],
      [right, DESCENT * size],
      [0, ASCENT * size],
      [right, ASCENT * size],
    ].map(([x, y]) => [
      matrix[0] * x + matrix[2] * y + matrix[4],
      matrix[1] * x + matrix[3] * y + matrix[5],
    ])
    const xs = corners.map(([x]) => x)
    const ys = corners.map(([, y]) => y)
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const
    for (const [index, rectangle] of this.#rectangles.entries()) {
      if (doMeet(rectangle, box)) this.isHit[index] = true
    }
  }
}

interface TextState {
  ctm: Matrix
  /** From text space of the current line to that of the page's content. */
  line: Matrix
  size: number
  leading: number
  /** Advance of text for each byte, in font sizes. */
  perByte: number
}

/** What an operator does to the place of the next text (9.4.2). */
function place(state: TextState, operator: string, numbers: readonly number[]): void {
  const [a = 0, b = 0] = numbers
  switch (operator) {
    case 'cm':
      if (numbers.length === 6) state.ctm = concatenate(numbers, state.ctm)
      return
    case 'BT':
      state.line = IDENTITY
      return
    case 'Tm':
      if (numbers.length === 6) state.line = numbers as unknown as Matrix
      return
    case 'Tf':
      state.size = numbers.at(-1) ?? 0
      return
    case 'TL':
      state.leading = a
      return
    case 'TD':
      state.leading = -b
      state.line = concatenate([1, 0, 0, 1, a, b], state.line)
      return
    case 'Td':
      state.line = concatenate([1, 0, 0, 1, a, b], state.line)
      return
    case 'T*':
    case "'":
    case '"':
      state.line = concatenate([1, 0, 0, 1, 0, -state.leading], state.line)
  }
}

/** Whether two rectangles share more than their edges. */
export function doMeet(one: Rectangle, other: Rectangle): boolean {
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0])
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1])
  return width > 0 && height > 0
}

/** Offset behind the parenthesis that ends a literal string (7.3.4.2). */
function stringEnd(content: string, start: number): number {
  let depth = 0
  for (let at = start; at < content.length; at += 1) {
    const character = content[at]
    if (character === '\\') at += 1
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return content.length
}

/** Offset behind the data of an inline image (8.9.7). */
function inlineImageEnd(content: string, start: number): number {
  IMAGE_END.lastIndex = start
  return IMAGE_END.exec(content) ? IMAGE_END.lastIndex : content.length
}
