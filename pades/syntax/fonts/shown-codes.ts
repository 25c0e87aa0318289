/** Collects what texts show with each font (ISO 32000-2, 9.4.3). */
import type { PdfDocument } from '../../pdf/document.ts'
import { type PdfDictionary, PdfReference, type PdfValue } from '../../pdf/values.ts'
import type { ShownText } from '../content-kind.ts'
import type { GraphicsContext } from '../graphics/context.ts'
import { readEncodingOf } from './composite-fonts.ts'

/** One octet for each code, or each CID of a composite font: 1 when a text shows it. */
export type CodeSet = Uint8Array

const CODES = 256
const CIDS = 65_536
const SIMPLE: ReadonlySet<string | undefined> = new Set(['MMType1', 'TrueType', 'Type1'])

/** A font with what texts show of it. */
export interface ShownFont {
  readonly font: PdfDictionary
  readonly kind: 'simple' | 'composite' | 'glyphs'
  readonly codes: CodeSet
  /** Whether a text holds a code that not all readers know. */
  isOdd: boolean
  /** Takes a text. */
  readonly add: (text: Uint8Array) => void
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
    return ({ font, text, isFilled }) => {
      if (font !== last) shown = this.#fontOf(fonts?.get(font))
      last = font
      shown?.add(text)
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
    for (const code of text) codes[code] = 1
  }
  return { font, kind: 'simple', codes, isOdd: false, add }
}

/** A Type 3 font, whose glyphs are judged as contents. */
const glyphFont = (font: PdfDictionary): ShownFont => ({
  font,
  kind: 'glyphs',
  codes: new Uint8Array(0),
  isOdd: false,
  add: () => undefined,
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
    if (!map || !('read' in map)) return
    const cids = map.read(text)
    if (!cids) shown.isOdd = true
    for (const cid of cids ?? []) codes[cid] = 1
  }
}
