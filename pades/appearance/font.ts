/**
 * Fonts of drawn text: a subset of DejaVu, and of Noto fonts for the scripts that DejaVu lacks
 * (ISO 32000-2, 9.7).
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { FallbackFonts, type NamedFont, type TextState } from './fallback-fonts.ts'
import { type GlyphCode, GlyphSubset } from './font-program.ts'
import type { ObjectSink } from './object-sink.ts'
import { hasRightToLeft, isCommon } from './scripts.ts'
import { loadShaper, type Shaper } from './shaper.ts'
import { cleanText } from './text.ts'
import {
  type Fonts,
  type GlyphRow,
  lacksLetters,
  layOutRow,
  needsShaper,
  REPLACEMENT,
  type RunGlyph,
} from './text-runs.ts'
import { readTrueType, type TrueTypeFace } from './true-type.ts'

const FACES = {
  sans: 'DejaVuSans',
  bold: 'DejaVuSans-Bold',
  mono: 'DejaVuSansMono',
} as const

/** Rows that were laid out; layout measures the same words again for each font size. */
const MAX_KEPT_ROWS = 2_000
const MAX_KEPT_WIDTHS = 20_000

export type FaceName = keyof typeof FACES

/** Text of one font and its fallbacks; texts are cleaned before they are measured or shown. */
export interface TextFont {
  /** Width in thousandths of the font size. */
  widthOf(text: string): number
  /** The operand of `Tj` in the primary font alone: a hexadecimal string with its brackets. */
  encode(text: string): string
  /** Operators that show the text; the primary font must be set, and is set afterwards. */
  show(text: string, state: TextState): string
  /**
   * The text as the fonts can show it: as it is, or with its letters in their plain form (Unicode
   * NFKC), or empty when even so no font has one of them.
   */
  shown(text: string): string
}

/** Fonts that were written; they show what was announced. */
export interface FontResource extends TextFont {
  readonly objectNumber: number
  /** Fonts that the texts use beside the primary one. */
  readonly fallbacks: readonly NamedFont[]
}

/** A font whose glyphs are still being collected: encoding or showing a text keeps its glyphs. */
export interface FontSubset extends TextFont {
  /** Writes the font program and its dictionaries; nothing may be encoded afterwards. */
  writeTo(sink: ObjectSink): number
}

const openFaces = new Map<FaceName, TrueTypeFace>()

/**
 * Loads the shaper when one of the texts needs it: letters that join, move or stack, or are written
 * from right to left.
 */
export function shaperFor(texts: readonly string[]): Promise<Shaper> | undefined {
  const isNeeded = texts.some((text) => {
    const cleaned = cleanText(text)
    return !isCommon(cleaned) && needsShaper(openFace('sans'), cleaned)
  })
  return isNeeded ? loadShaper() : undefined
}

/**
 * Embeds subsets of fonts that show the given texts.
 *
 * ISO 32000-2, 9.7.4 (CIDFontType2), 9.7.5.2 (Identity-H), 9.10.3 (ToUnicode).
 *
 * @param texts what will be shown, as far as the fonts can; other characters encode as the
 *   replacement character
 * @param options.shaper of `shaperFor` with the same texts
 * @param options.rowsOf the rows in which the texts are going to be shown: letters that join have
 *   other glyphs where a row ends within a word
 */
export function prepareFont(
  sink: ObjectSink,
  texts: readonly string[],
  options: { shaper?: Shaper; rowsOf?: (font: TextFont) => readonly string[] } = {},
): FontResource {
  const fallbacks = new FallbackFonts(options.shaper)
  const subset = startSubset('sans', fallbacks)
  // What fitting a long text may add.
  subset.encode('…')
  const keep = (text: string) => subset.show(text, { fontName: 'Text', sizePt: 1 })
  const shownTexts = texts.map((text) => subset.shown(text))
  shownTexts.forEach(keep)
  if (!shownTexts.every(isCommon)) options.rowsOf?.(subset).forEach(keep)
  const { widthOf, encode, show, shown } = subset
  const objectNumber = subset.writeTo(sink)
  return { objectNumber, fallbacks: fallbacks.writeTo(sink), widthOf, encode, show, shown }
}

/** For appearances without a line of text: no font is embedded. */
export const NO_TEXT: FontResource = {
  objectNumber: 0,
  fallbacks: [],
  widthOf: () => 0,
  encode: () => '<>',
  show: () => '',
  shown: () => '',
}

const descriptionOf = (name: FaceName, face: TrueTypeFace) => ({
  name: FACES[name],
  face,
  // Fixed pitch (1), nonsymbolic (6); ISO 32000-2, table 121.
  flags: name === 'mono' ? 33 : 32,
  stemWidth: name === 'bold' ? 140 : 80,
})

/**
 * Starts an empty subset of a face; encode texts, then write it.
 *
 * @param fallbacks shared by the subsets of a document; the caller that creates it writes it
 */
export function startSubset(name: FaceName, fallbacks = new FallbackFonts()): FontSubset {
  const face = openFace(name)
  const { shaper } = fallbacks
  const missing = String.fromCodePoint(REPLACEMENT)
  const subset = new GlyphSubset(descriptionOf(name, face), missing)
  const characters = new Map<number, GlyphCode>()
  /** Widths of texts that are not common, before they are cleaned. */
  const widths = new Map<string, number>()

  const codeOf = (codePoint: number): GlyphCode => {
    const known = characters.get(codePoint)
    if (known) return known
    const glyph = glyphOf(face, codePoint)
    if (glyph === 0 && codePoint !== REPLACEMENT) return codeOf(REPLACEMENT)
    const entry = subset.codeOf({
      glyph,
      advance: face.advanceOf(glyph),
      text: String.fromCodePoint(codePoint),
    })
    if (!entry) return characters.get(REPLACEMENT) ?? { code: '0000', advance: 0 }
    characters.set(codePoint, entry)
    return entry
  }
  codeOf(REPLACEMENT)
  const rowOf = rowKeeper({ primary: face, ...(shaper && { shaper }) })
  const encodeCleaned = (cleaned: string): string => {
    let codes = ''
    for (const character of cleaned) codes += codeOf(character.codePointAt(0) ?? REPLACEMENT).code
    return `<${codes}>`
  }
  const primaryCode = (glyph: RunGlyph): string =>
    (subset.codeOf(glyph) ?? codeOf(REPLACEMENT)).code

  return {
    widthOf(text) {
      const known = widths.get(text)
      if (known !== undefined) return known
      const cleaned = cleanText(text)
      if (isCommon(cleaned)) return measure(face, cleaned)
      if (widths.size >= MAX_KEPT_WIDTHS) widths.clear()
      const { width } = rowOf(cleaned)
      widths.set(text, width)
      return width
    },
    shown(text) {
      const forms = [cleanText(text), cleanText(text.normalize('NFKC'))]
      return forms.find((form) => !lacks(face, form, shaper !== undefined)) ?? ''
    },
    encode: (text) => encodeCleaned(cleanText(text)),
    show(text, state) {
      const cleaned = cleanText(text)
      const row = isCommon(cleaned) ? undefined : rowOf(cleaned)
      if (!row?.runs.some(({ font }) => font)) return `${encodeCleaned(cleaned)} Tj`
      return fallbacks.show(row, state, primaryCode)
    },
    writeTo: (sink) => subset.writeTo(sink),
  }
}

/** Lays out rows and keeps them. */
function rowKeeper(fonts: Fonts): (cleaned: string) => GlyphRow {
  const rows = new Map<string, GlyphRow>()
  return (cleaned) => {
    const known = rows.get(cleaned)
    if (known) return known
    if (rows.size >= MAX_KEPT_ROWS) rows.clear()
    const row = layOutRow(fonts, cleaned)
    rows.set(cleaned, row)
    return row
  }
}

/** The glyph of the character in the primary font, or 0 where its letters need other rules. */
function glyphOf(face: TrueTypeFace, codePoint: number): number {
  return hasRightToLeft(String.fromCodePoint(codePoint)) ? 0 : face.glyphOf(codePoint)
}

function lacks(face: TrueTypeFace, cleaned: string, canShape: boolean): boolean {
  if (!isCommon(cleaned)) return lacksLetters(face, cleaned, canShape)
  return [...cleaned].some((one) => face.glyphOf(one.codePointAt(0) ?? REPLACEMENT) === 0)
}

/** Whether a page can show every letter of the text; one that it cannot becomes U+FFFD. */
export function isShownWhole(text: string): boolean {
  return !lacks(openFace('sans'), cleanText(text), true)
}

/** Parsed once per process: the file is 700 KB and read on first use. */
function openFace(name: FaceName): TrueTypeFace {
  const open = openFaces.get(name)
  if (open) return open
  const require = createRequire(import.meta.url)
  const file = require.resolve(`dejavu-fonts-ttf/ttf/${FACES[name]}.ttf`)
  const face = readTrueType(readFileSync(file))
  openFaces.set(name, face)
  return face
}

const advances = new WeakMap<TrueTypeFace, Map<number, number>>()
/** Distinct characters are few; a hostile text must not fill the memory. */
const MAX_CACHED_ADVANCES = 20_000

function measure(face: TrueTypeFace, text: string): number {
  let cache = advances.get(face)
  if (!cache || cache.size > MAX_CACHED_ADVANCES) advances.set(face, (cache = new Map()))
  let width = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? REPLACEMENT
    let advance = cache.get(codePoint)
    if (advance === undefined) {
      const glyph = glyphOf(face, codePoint) || face.glyphOf(REPLACEMENT)
      cache.set(codePoint, (advance = face.advanceOf(glyph)))
    }
    width += advance
  }
  return width
}
