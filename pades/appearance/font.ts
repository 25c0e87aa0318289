/**
 * Subsets of the DejaVu fonts as composite fonts of a PDF (ISO 32000-2, 9.7 and 9.10.3: Type 0,
 * ToUnicode).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'

import type { ObjectSink } from './object-sink.ts'
import { cleanText } from './text.ts'
import { readTrueType, subsetTrueType, type TrueTypeFace } from './true-type.ts'

const FACES = {
  sans: 'DejaVuSans',
  bold: 'DejaVuSans-Bold',
  mono: 'DejaVuSansMono',
} as const

/** A bfchar block of a character map holds at most this many lines (Adobe Technical Note 5014). */
const BFCHAR_LINES = 100
/** U+FFFD replaces a character that the font lacks, so that readers see that one is missing. */
const REPLACEMENT = 0xfffd
/**
 * Blocks of scripts that are written from right to left (Unicode Standard Annex 9, 3.2, R and AL).
 * Glyphs are set from left to right and do not join, which would make another name of theirs.
 */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

export type FaceName = keyof typeof FACES

/** Text of one font: measures at any time; `encode` knows what the texts of the subset held. */
export interface FontResource {
  readonly objectNumber: number
  /** Width of the cleaned text in thousandths of the font size. */
  widthOf(text: string): number
  /** The operand of `Tj` for the cleaned text: a hexadecimal string with its brackets. */
  encode(text: string): string
  /**
   * The cleaned text as the font can show it: as it is, or with its letters in their plain form
   * (Unicode NFKC), or empty when even so the font lacks one of them.
   */
  shown(text: string): string
}

/** A font whose glyphs are still being collected. */
export interface FontSubset {
  widthOf(text: string): number
  /** Encodes a text and keeps its glyphs for the subset. */
  encode(text: string): string
  /** See {@link FontResource}. */
  shown(text: string): string
  /** Writes the font program and its dictionaries; nothing may be encoded afterwards. */
  writeTo(sink: ObjectSink): number
}

interface Glyph {
  readonly code: string
  readonly advance: number
}

const openFaces = new Map<FaceName, TrueTypeFace>()

/**
 * Embeds a subset of DejaVu Sans that shows the given texts.
 *
 * ISO 32000-2, 9.7.4 (CIDFontType2), 9.7.5.2 (Identity-H), 9.10.3 (ToUnicode).
 *
 * @param texts what will be shown, as far as the font can; other characters encode as the
 *   replacement character
 */
export function prepareFont(sink: ObjectSink, texts: readonly string[]): FontResource {
  const subset = startSubset('sans')
  // What fitting a long text may add.
  subset.encode('…')
  for (const text of texts) subset.encode(subset.shown(text))
  const { widthOf, encode, shown } = subset
  return { objectNumber: subset.writeTo(sink), widthOf, encode, shown }
}

/** For appearances without a line of text: no font is embedded. */
export const NO_TEXT: FontResource = {
  objectNumber: 0,
  widthOf: () => 0,
  encode: () => '<>',
  shown: () => '',
}

/** Starts an empty subset of a face; encode texts, then write it. */
export function startSubset(name: FaceName): FontSubset {
  const face = openFace(name)
  const glyphs: number[] = [0]
  const characters = new Map<number, Glyph>()
  const codePoints: number[] = [REPLACEMENT]
  let written = false

  const glyphFor = (codePoint: number): Glyph => {
    const known = characters.get(codePoint)
    if (known) return known
    const glyph = glyphOf(face, codePoint)
    if (glyph === 0 && codePoint !== REPLACEMENT) return glyphFor(REPLACEMENT)
    if (written) return characters.get(REPLACEMENT) ?? { code: '0000', advance: 0 }
    codePoints.push(codePoint)
    const number = glyphs.push(glyph) - 1
    const entry = { code: number.toString(16).padStart(4, '0'), advance: face.advanceOf(glyph) }
    characters.set(codePoint, entry)
    return entry
  }
  glyphFor(REPLACEMENT)

  return {
    widthOf: (text) => measure(face, cleanText(text)),
    shown(text) {
      const forms = [cleanText(text), cleanText(text.normalize('NFKC'))]
      return forms.find((form) => hasAll(face, form)) ?? ''
    },
    encode(text) {
      let codes = ''
      for (const character of cleanText(text)) {
        codes += glyphFor(character.codePointAt(0) ?? REPLACEMENT).code
      }
      return `<${codes}>`
    },
    writeTo(sink) {
      written = true
      return writeFont(sink, name, face, glyphs, codePoints)
    },
  }
}

/**
 * The glyph that shows the character, or 0: there is none, or only one that combines with others.
 */
function glyphOf(face: TrueTypeFace, codePoint: number): number {
  return RIGHT_TO_LEFT.test(String.fromCodePoint(codePoint)) ? 0 : face.glyphOf(codePoint)
}

function hasAll(face: TrueTypeFace, cleaned: string): boolean {
  return [...cleaned].every((one) => glyphOf(face, one.codePointAt(0) ?? REPLACEMENT) !== 0)
}

/** Whether a page can show every letter of the text; one that it cannot becomes U+FFFD. */
export function isShownWhole(text: string): boolean {
  return hasAll(openFace('sans'), cleanText(text))
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

function writeFont(
  sink: ObjectSink,
  name: FaceName,
  face: TrueTypeFace,
  glyphs: readonly number[],
  codePoints: readonly number[],
): number {
  const program = subsetTrueType(face, glyphs)
  const baseFont = `/${subsetTag(program)}+${FACES[name]}`
  const packed = deflateSync(program)
  const file = sink.add(`<< /Length1 ${program.length} /Filter /FlateDecode >>`, packed)
  // Flags: fixed pitch (1), nonsymbolic (6); ISO 32000-2, table 121.
  const flags = name === 'mono' ? 33 : 32
  const descriptor = sink.add(
    `<< /Type /FontDescriptor /FontName ${baseFont} /Flags ${flags}` +
      ` /FontBBox [${face.box.join(' ')}] /ItalicAngle 0 /Ascent ${face.ascent}` +
      ` /Descent ${face.descent} /CapHeight ${face.capHeight}` +
      ` /StemV ${name === 'bold' ? 140 : 80} /FontFile2 ${file} 0 R >>`,
  )
  const widths = glyphs.map((glyph) => face.advanceOf(glyph)).join(' ')
  const descendant = sink.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${baseFont}` +
      ' /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>' +
      ` /CIDToGIDMap /Identity /DW 600 /W [0 [${widths}]] /FontDescriptor ${descriptor} 0 R >>`,
  )
  const map = deflateSync(toUnicodeMap(codePoints))
  const toUnicode = sink.add('<< /Filter /FlateDecode >>', map)
  return sink.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont ${baseFont} /Encoding /Identity-H` +
      ` /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  )
}

/** Six letters that name this very subset, equal for equal subsets (ISO 32000-2, 9.9.2). */
function subsetTag(program: Uint8Array): string {
  const digest = createHash('sha256').update(program).digest()
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

function toUnicodeMap(codePoints: readonly number[]): string {
  const lines = codePoints.map((codePoint, code) => {
    const units = String.fromCodePoint(codePoint)
    let hex = ''
    for (let at = 0; at < units.length; at += 1) {
      hex += units.charCodeAt(at).toString(16).padStart(4, '0')
    }
    return `<${code.toString(16).padStart(4, '0')}> <${hex}>`
  })
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += BFCHAR_LINES) {
    const block = lines.slice(at, at + BFCHAR_LINES)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}
