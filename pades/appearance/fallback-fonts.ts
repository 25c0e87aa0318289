/** The fonts that a document uses beside its primary ones, and operators that show their glyphs. */
import { GlyphSubset } from './font-program.ts'
import type { NotoFont } from './noto-fonts.ts'
import { pdfNumbers } from './numbers.ts'
import type { ObjectSink } from './object-sink.ts'
import type { Shaper } from './shaper.ts'
import type { GlyphRow, RunGlyph } from './text-runs.ts'

/** A font as the contents of a page know it. */
export interface NamedFont {
  /** Name in the resources, without its slash. */
  readonly name: string
  readonly objectNumber: number
}

/** How the primary font of a row is set. */
export interface TextState {
  /** Name of the primary font in the resources. */
  readonly fontName: string
  readonly sizePt: number
}

/** Flags of a font with other letters than Latin ones: symbolic (ISO 32000-2, table 121). */
const SYMBOLIC = 4
const STEM_WIDTH = 80
/** The first glyph of each subset: a box. */
const MISSING_CODE = '0000'

/** Subsets of fallback fonts, shared by all primary fonts of a document. */
export class FallbackFonts {
  /** Absent as long as no text needs it. */
  readonly shaper: Shaper | undefined
  readonly #subsets = new Map<NotoFont, { name: string; subset: GlyphSubset }>()

  constructor(shaper?: Shaper) {
    this.shaper = shaper
  }

  /**
   * Returns operators that show a row of glyphs and leave the primary font set (ISO 32000-2,
   * 9.4.3).
   *
   * @param primaryCode the code of a glyph in the primary font
   */
  show(
    { runs }: GlyphRow,
    { fontName, sizePt }: TextState,
    primaryCode: (glyph: RunGlyph) => string,
  ): string {
    const operators: string[] = []
    const select = (name: string) => operators.push(`/${name} ${pdfNumbers(sizePt)} Tf`)
    let selected = fontName
    for (const { font, glyphs } of runs) {
      const known = font && this.#subsetOf(font)
      const name = known?.name ?? fontName
      if (name !== selected) select(name)
      selected = name
      const codes = glyphs.map((glyph) => {
        return known ? (known.subset.codeOf(glyph)?.code ?? MISSING_CODE) : primaryCode(glyph)
      })
      operators.push(`<${codes.join('')}> Tj`)
    }
    if (selected !== fontName) select(fontName)
    return operators.join('\n')
  }

  /** Writes the fonts; nothing new may be shown afterwards. */
  writeTo(sink: ObjectSink): NamedFont[] {
    return Array.from(this.#subsets.values(), ({ name, subset }) => {
      return { name, objectNumber: subset.writeTo(sink) }
    })
  }

  #subsetOf(font: NotoFont): { name: string; subset: GlyphSubset } {
    const known = this.#subsets.get(font)
    if (known) return known
    const { name, face } = font
    const description = { name, face, flags: SYMBOLIC, stemWidth: STEM_WIDTH }
    const entry = {
      name: `Other${this.#subsets.size + 1}`,
      subset: new GlyphSubset(description, '\uFFFD'),
    }
    this.#subsets.set(font, entry)
    return entry
  }
}
