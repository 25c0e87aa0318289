/**
 * Judges which glyphs of an embedded TrueType program the codes of a simple font show (ISO 32000-2,
 * 9.6.5.4): a program has several maps from characters to glyphs, and readers choose differently.
 */
import type { CharacterMaps } from './character-maps.ts'
import { type BaseEncoding, charactersOf, macintoshCode } from './code-characters.ts'
import { characterOf, nameOf } from './glyph-names.ts'
import type { CodeSet } from './shown-codes.ts'
import type { TrueTypeGlyphs } from './sfnt.ts'

/** What a font says about its codes. */
export interface SimpleEncoding {
  /** Absent: the encoding of the program, or one that not all readers apply. */
  readonly base?: BaseEncoding
  readonly names: ReadonlyMap<number, string>
  readonly isSymbolic: boolean
  /** Whether the font names the standard encoding. */
  readonly isStandard: boolean
  /** Whether the name of the font is that of a standard font of symbols. */
  readonly isOfSymbols: boolean
}

/** Offsets of codes in a map of symbols; not all readers know the last ones. */
const SYMBOLS = [0xf000, 0]
const SELDOM_SYMBOLS = [0xf100, 0xf200]
const NOT_DEFINED = '.notdef'

/** Glyphs, one of which a reader shows. */
type Glyphs = readonly number[]

/** @returns whether every reader shows the same glyph for each code that a text shows */
export function showsAlike(
  program: TrueTypeGlyphs,
  encoding: SimpleEncoding,
  codes: CodeSet,
): boolean {
  const { maps } = program
  if (!maps) return codes.every((isShown) => isShown === 0)
  const reading = new CodeReading(program, maps, encoding)
  return codes.every((isShown, code) => {
    const glyphs = isShown === 0 ? [] : reading.glyphsOf(code)
    return glyphs !== undefined && areSame(program, glyphs)
  })
}

function areSame({ outlineOf }: TrueTypeGlyphs, [first = 0, ...others]: Glyphs): boolean {
  return others.every((glyph) => {
    const [one, other] = [outlineOf(first), outlineOf(glyph)]
    return first === glyph || (one !== undefined && other !== undefined && one.equals(other))
  })
}

/** The glyphs that readers may show for a code. */
class CodeReading {
  readonly #program: TrueTypeGlyphs
  readonly #maps: CharacterMaps
  readonly #encoding: SimpleEncoding

  constructor(program: TrueTypeGlyphs, maps: CharacterMaps, encoding: SimpleEncoding) {
    this.#program = program
    this.#maps = maps
    this.#encoding = encoding
  }

  /** @returns undefined when only some readers know a glyph */
  glyphsOf(code: number): Glyphs | undefined {
    const glyphs = this.#ofEncoding(code)
    return glyphs && this.#encoding.isOfSymbols
      ? [...glyphs, ...(this.#ofCode(code) ?? [])]
      : glyphs
  }

  #ofEncoding(code: number): Glyphs | undefined {
    const { names, base } = this.#encoding
    const name = names.get(code)
    if (name !== undefined) return this.#ofName(name, code)
    if (base === undefined) return this.#ofCode(code)
    return this.#ofCharacters(charactersOf(base, code), code)
  }

  #ofName(name: string, code: number): Glyphs | undefined {
    const { symbols } = this.#maps
    const { isSymbolic } = this.#encoding
    if (isSymbolic && symbols) return this.#ofCode(code)
    if (name === NOT_DEFINED) {
      const glyphs = this.#ofCode(code)
      return glyphs && [0, ...glyphs]
    }
    const character = characterOf(name)
    const named = this.#program.glyphNamed(name)
    if (character === undefined && named === 0) return undefined
    const own = this.#ofCharacter(character, code, named)
    return isSymbolic ? [...own, ...(this.#ofCode(code) ?? [])] : own
  }

  /** By the map of Windows; else by that of the Macintosh, or the name of the glyph. */
  #ofCharacter(character: number | undefined, code: number, named: number): Glyphs {
    const { unicode, isWindows, symbols, macintosh } = this.#maps
    if (character === undefined) return [named]
    const [windows, ...others] = unicode.map((map) => map(character))
    if (isWindows && windows) return [windows]
    const macintoshGlyph = macintosh?.(macintoshCode(character))
    if (windows !== undefined) {
      const found = [windows, ...others, macintoshGlyph ?? windows].map((glyph) => glyph || named)
      return found
    }
    if (symbols) return this.#ofSymbol(code)
    return [macintoshGlyph || named]
  }

  #ofCharacters(characters: readonly number[], code: number): Glyphs {
    const { unicode, isWindows, macintosh } = this.#maps
    const isByCode = this.#encoding.isSymbolic && unicode.length === 0 && macintosh
    const glyphs = characters.flatMap((character) => {
      const named = this.#program.glyphNamed(nameOf(character))
      return this.#ofCharacter(character, code, named)
    })
    const found =
      characters.length > 1 && isWindows ? glyphs.filter((glyph) => glyph !== 0) : glyphs
    return isByCode && !this.#maps.symbols ? [...found, macintosh(code)] : found
  }

  #ofSymbol(code: number): Glyphs {
    const { symbols = () => 0 } = this.#maps
    const usual = SYMBOLS.map((first) => symbols(first + code)).filter((glyph) => glyph !== 0)
    const seldom = SELDOM_SYMBOLS.map((first) => symbols(first + code)).filter(
      (glyph) => glyph !== 0,
    )
    return usual.length > 0 ? usual : [0, ...seldom]
  }

  /** Without an encoding that all readers apply. */
  #ofCode(code: number): Glyphs | undefined {
    const { unicode, symbols, macintosh } = this.#maps
    if (this.#encoding.isSymbolic && symbols) return this.#ofSymbol(code)
    const glyphs = [
      ...unicode.map((map) => map(code)),
      ...(symbols ? this.#ofSymbol(code) : []),
      ...(macintosh ? [macintosh(code)] : []),
    ]
    return glyphs.length > 0 ? glyphs : undefined
  }
}
