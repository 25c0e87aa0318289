/**
 * Writes a subset of a font as a composite font of a PDF (ISO 32000-2, 9.7 and 9.10.3: Type 0,
 * ToUnicode).
 */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

import type { ObjectSink } from './object-sink.ts'
import type { RunGlyph } from './text-runs.ts'
import type { ComposedGlyph } from './true-type-outlines.ts'
import { subsetTrueType } from './true-type-subset.ts'
import type { TrueTypeFace } from './true-type.ts'

/** A bfchar block of a character map holds at most this many lines (Adobe Technical Note 5014). */
const BFCHAR_LINES = 100

/** Codes of one subset; later glyphs of a hostile text show as the missing glyph. */
const MAX_CODES = 4_000

/** What a font descriptor says of a font (ISO 32000-2, 9.8). */
export interface FontDescription {
  /** PostScript name, without the tag of the subset. */
  readonly name: string
  readonly face: TrueTypeFace
  /** ISO 32000-2, table 121. */
  readonly flags: number
  readonly stemWidth: number
}

/** A code of the subset, with its advance in thousandths of an em. */
export interface GlyphCode {
  /** Four hexadecimal digits. */
  readonly code: string
  readonly advance: number
}

const keyOf = ({ parts, advance }: ComposedGlyph): string =>
  parts.reduce((key, { glyph, x, y }) => `${key}/${glyph},${x},${y}`, `${advance}`)

/** Glyphs of one font that a document uses, each with the text that readers copy for it. */
export class GlyphSubset {
  readonly #font: FontDescription
  readonly #glyphs: (number | ComposedGlyph)[] = []
  readonly #texts: string[] = []
  readonly #advances: number[] = []
  readonly #codes = new Map<string, GlyphCode>()
  #isWritten = false

  /** @param missingText what is copied for the missing glyph, which is always the first */
  constructor(font: FontDescription, missingText: string) {
    this.#font = font
    this.#add({ glyph: 0, advance: font.face.advanceOf(0), text: missingText })
  }

  /** Returns the code of a glyph; undefined for a new one after the font was written or is full. */
  codeOf(one: RunGlyph): GlyphCode | undefined {
    const { glyph, text } = one
    const key = `${typeof glyph === 'number' ? glyph : keyOf(glyph)} ${text}`
    const known = this.#codes.get(key)
    if (known || this.#isWritten || this.#glyphs.length >= MAX_CODES) return known
    const entry = this.#add(one)
    this.#codes.set(key, entry)
    return entry
  }

  /** Writes the font program and its dictionaries; later glyphs have no code. */
  writeTo(sink: ObjectSink): number {
    this.#isWritten = true
    return writeFont(sink, this.#font, this.#glyphs, this.#advances, this.#texts)
  }

  #add({ glyph, advance, text }: RunGlyph): GlyphCode {
    const number = this.#glyphs.push(glyph) - 1
    this.#advances.push(advance)
    this.#texts.push(text)
    return { code: number.toString(16).padStart(4, '0'), advance }
  }
}

function writeFont(
  sink: ObjectSink,
  { name, face, flags, stemWidth }: FontDescription,
  glyphs: readonly (number | ComposedGlyph)[],
  advances: readonly number[],
  texts: readonly string[],
): number {
  const { tag, length, packed } = packProgram(name, face, glyphs)
  const baseFont = `/${tag}+${name}`
  const file = sink.add(`<< /Length1 ${length} /Filter /FlateDecode >>`, packed)
  const descriptor = sink.add(
    `<< /Type /FontDescriptor /FontName ${baseFont} /Flags ${flags}` +
      ` /FontBBox [${face.box.join(' ')}] /ItalicAngle 0 /Ascent ${face.ascent}` +
      ` /Descent ${face.descent} /CapHeight ${face.capHeight}` +
      ` /StemV ${stemWidth} /FontFile2 ${file} 0 R >>`,
  )
  const descendant = sink.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${baseFont}` +
      ' /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>' +
      ` /CIDToGIDMap /Identity /DW 600 /W [0 [${advances.join(' ')}]]` +
      ` /FontDescriptor ${descriptor} 0 R >>`,
  )
  const map = deflateSync(toUnicodeMap(texts))
  const toUnicode = sink.add('<< /Filter /FlateDecode >>', map)
  return sink.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont ${baseFont} /Encoding /Identity-H` +
      ` /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  )
}

/** The program of a subset, deflated. */
interface PackedProgram {
  readonly tag: string
  /** Octets before deflating. */
  readonly length: number
  readonly packed: Uint8Array
}

/** Each has about 10 KB. */
const MAX_KEPT_PROGRAMS = 16
const keptPrograms = new Map<string, PackedProgram>()

/** Subsets of many documents have the same glyphs, see `GlyphSubset`; making one takes 1 ms. */
function packProgram(
  name: string,
  face: TrueTypeFace,
  glyphs: readonly (number | ComposedGlyph)[],
): PackedProgram {
  const numbers = glyphs.map((glyph) => (typeof glyph === 'number' ? glyph : keyOf(glyph)))
  const key = `${name} ${numbers.join(' ')}`
  const known = keptPrograms.get(key)
  if (known) return known
  const program = subsetTrueType(face, glyphs)
  const made = {
    tag: subsetTag(program),
    length: program.length,
    packed: deflateSync(program),
  }
  if (keptPrograms.size >= MAX_KEPT_PROGRAMS) keptPrograms.clear()
  keptPrograms.set(key, made)
  return made
}

/** Six letters that name this very subset, equal for equal subsets (ISO 32000-2, 9.9.2). */
function subsetTag(program: Uint8Array): string {
  const digest = createHash('sha256').update(program).digest()
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

/** The UTF-16 units of a text. */
function hexUnits(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at += 1) {
    hex += text.charCodeAt(at).toString(16).padStart(4, '0')
  }
  return hex
}

function toUnicodeMap(texts: readonly string[]): string {
  const lines = texts.map((text, code) => {
    return `<${code.toString(16).padStart(4, '0')}> <${hexUnits(text)}>`
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
