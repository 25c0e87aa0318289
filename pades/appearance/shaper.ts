/**
 * Shapes text of scripts whose letters join, move or stack (HarfBuzz), and finds the order in which
 * mixed directions are shown (Unicode Standard Annex 9).
 */
import type { Bidi } from 'bidi-js'
import type { Font } from 'harfbuzzjs'

import type { NotoFont } from './noto-fonts.ts'
import { assembleTrueType } from './true-type-file.ts'

/** A glyph where the font's rules put it; lengths in font units. */
export interface ShapedGlyph {
  readonly glyph: number
  readonly advance: number
  /** From the pen, to the right and upwards. */
  readonly dx: number
  readonly dy: number
  /** Index of the first UTF-16 unit that the glyph belongs to. */
  readonly cluster: number
}

export interface Shaper {
  /** Embedding levels of the UTF-16 units; an odd level is written from right to left. */
  levelsOf(text: string, base: 'ltr' | 'rtl'): Uint8Array
  /** The character that is drawn for a bracket or the like in text from right to left. */
  mirrorOf(character: string): string
  /** Glyphs of a part of a text from left to right, as they are seen. */
  shape(text: string, part: ShapedPart): ShapedGlyph[]
}

export interface ShapedPart {
  readonly font: NotoFont
  /** UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly isRightToLeft: boolean
}

/** HarfBuzz looks at this many characters on each side of a part, to join letters across it. */
const CONTEXT_UNITS = 10

let loading: Promise<Shaper> | undefined

/** Loads the shaper once per process (0.6 MB, some 20 ms): most names do not need it. */
export function loadShaper(): Promise<Shaper> {
  loading ??= makeShaper()
  return loading
}

async function makeShaper(): Promise<Shaper> {
  const [harfBuzz, bidiModule] = await Promise.all([import('harfbuzzjs'), import('bidi-js')])
  const { Blob, Buffer, BufferFlag, Direction, Face, Font, shape } = harfBuzz
  // The types of the package describe its other build.
  const bidi = (bidiModule.default as unknown as () => Bidi)()
  const fonts = new Map<NotoFont, Font>()
  const fontOf = (noto: NotoFont): Font => {
    const known = fonts.get(noto)
    if (known) return known
    const font = new Font(new Face(new Blob(assembleTrueType(noto.face.tables))))
    fonts.set(noto, font)
    return font
  }
  // One for all texts: HarfBuzz keeps a buffer until the collector of the engine finds it.
  const buffer = new Buffer()
  return {
    levelsOf: (text, base) => bidi.getEmbeddingLevels(text, base).levels,
    mirrorOf: (character) => bidi.getMirroredCharacter(character) ?? character,
    shape(text, { font, start, end, isRightToLeft }) {
      const first = Math.max(0, start - CONTEXT_UNITS)
      buffer.reset()
      buffer.addText(text.slice(first, end + CONTEXT_UNITS), start - first, end - start)
      buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
      buffer.setScript(font.script ?? 'Zyyy')
      // The default depends on the language of the process.
      buffer.setLanguage('und')
      buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES)
      shape(fontOf(font), buffer)
      const positions = buffer.getGlyphPositions()
      return buffer.getGlyphInfos().map(({ codepoint, cluster }, index) => ({
        glyph: codepoint,
        advance: positions[index].xAdvance,
        dx: positions[index].xOffset,
        dy: positions[index].yOffset,
        cluster: cluster + first,
      }))
    },
  }
}
