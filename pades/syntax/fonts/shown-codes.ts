/** Collects what texts show with each font (ISO 32000-2, 9.4.3). */
import type { PdfDocument } from '../../pdf/document.ts'
import { type PdfDictionary, PdfReference, type PdfValue } from '../../pdf/values.ts'
import type { ShownText } from '../content-kind.ts'
import type { GraphicsContext } from '../graphics/context.ts'
import { readEncodingOf } from './composite-fonts.ts'

/**
 * One octet for each code, or each CID of a composite font: 0 when no text shows it,
 * {@link ENDING} when it only is where texts end, 1 when it is elsewhere.
 */
export type CodeSet = Uint8Array
/** A control character of a simple font behind which the next text has a place of its own. */
export const ENDING = 2

/** Whether no text shows a code. */
export const isNothingShown = (codes: CodeSet): boolean => codes.every((shown) => shown === 0)

const CODES = 256
const CIDS = 65_536
const FIRST_PRINTED = 0x20
const SIMPLE: ReadonlySet<string | undefined> = new Set(['MMType1', 'TrueType', 'Type1'])

/** A font with what texts show of it. */
export interface ShownFont {
  readonly font: PdfDictionary
  readonly kind: 'simple' | 'composite' | 'glyphs'
  readonly codes: CodeSet
  /** Whether a text holds a code that not all readers know. */
  isOdd: boolean
  /** Takes a text. @returns how many control characters it ends with, for a simple font */
  readonly add: (text: Uint8Array) => number
}

/** The fonts of a document with the codes that its texts show. */
export class ShownCodes {
  readonly #context: GraphicsContext
  readonly #document: PdfDocument
  /** By the object of the font or by its value; null for what is not a font. */
  readonly #fonts = new Map<unknown, ShownFont | null>()

  constructor(context: GraphicsContext) {
    this.#context = context
    this.#document = context.document
  }

  /**
   * Begins a content.
   *
   * @param resources that name its fonts
   * @returns a function that takes a text
   */
  begin(resources: PdfValue | undefined): (shown: ShownText) => void {
    const document = this.#document
    const fonts = document.dictionary(document.dictionary(resources)?.get('Font'))
    let last: string | undefined
    let shown: ShownFont | null = null
    /** Control characters with which the text before ends. */
    let ending: Uint8Array = new Uint8Array(0)
    return ({ font, text, isFilled, isPlaced }) => {
      if (!isPlaced) for (const code of ending) shown?.codes.fill(1, code, code + 1)
      if (font !== last) shown = this.#fontOf(fonts?.get(font))
      last = font
      ending = text.subarray(text.length - (shown?.add(text) ?? 0))
      // MuPDF shows invisible glyphs of these, and strokes others.
      if (shown && !isFilled && shown.kind === 'glyphs') shown.isOdd = true
    }
  }

  /** Fonts of which a text shows something. */
  get fonts(): readonly ShownFont[] {
    return [...this.#fonts.values()].filter((shown) => shown !== null)
  }

  #fontOf(value: PdfValue | undefined): ShownFont | null {
    const identity = value instanceof PdfReference ? value.number : value
    const known = this.#fonts.get(identity)
    if (known !== undefined) return known
    const document = this.#document
    const font = document.dictionary(value)
    const kind = document.name(font?.get('Subtype'))
    let shown: ShownFont | null = null
    if (font && SIMPLE.has(kind)) shown = simpleFont(font)
    if (font && kind === 'Type3') shown = glyphFont(font)
    if (font && kind === 'Type0') shown = compositeFont(this.#context, font)
    this.#fonts.set(identity, shown)
    return shown
  }
}

function simpleFont(font: PdfDictionary): ShownFont {
  const codes = new Uint8Array(CODES)
  const add = (text: Uint8Array) => {
    let end = text.length
    while (end > 0 && text[end - 1] < FIRST_PRINTED) end -= 1
    for (const code of text.subarray(0, end)) codes[code] = 1
    for (const code of text.subarray(end)) codes[code] ||= ENDING
    return text.length - end
  }
  return { font, kind: 'simple', codes, isOdd: false, add }
}

/** A Type 3 font, whose glyphs are judged as contents. */
const glyphFont = (font: PdfDictionary): ShownFont => ({
  font,
  kind: 'glyphs',
  codes: new Uint8Array(0),
  isOdd: false,
  add: () => 0,
})

function compositeFont(context: GraphicsContext, font: PdfDictionary): ShownFont {
  const codes = new Uint8Array(CIDS)
  const map = readEncodingOf(context, font)
  const shown: ShownFont = {
    font,
    kind: 'composite',
    codes,
    isOdd: map === undefined,
    add,
  }
  return shown
  function add(text: Uint8Array) {
    if (!map || !('read' in map)) return 0
    const cids = map.read(text)
    if (!cids) shown.isOdd = true
    for (const cid of cids ?? []) codes[cid] = 1
    return 0
  }
}
