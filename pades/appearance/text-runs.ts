/**
 * Turns one row of text into runs of glyphs in the order in which they are seen (Unicode Standard
 * Annex 9; OpenType layout).
 */
import { type NotoFont, notoFontOf } from './noto-fonts.ts'
import { directionOf, hasKana, hasRightToLeft, isCommon } from './scripts.ts'
import type { ShapedGlyph, Shaper } from './shaper.ts'
import type { ComposedGlyph } from './true-type-outlines.ts'
import type { TrueTypeFace } from './true-type.ts'

/** U+FFFD is drawn where every font lacks the character: readers see that one is missing. */
export const REPLACEMENT = 0xfffd

/** What one code of a font shows. */
export interface RunGlyph {
  readonly glyph: number | ComposedGlyph
  /** In thousandths of an em. */
  readonly advance: number
  /** What a reader copies for it, in reading order. */
  readonly text: string
}

/** Glyphs of one font, from left to right. */
export interface GlyphRun {
  /** Absent for the primary font. */
  readonly font?: NotoFont
  readonly glyphs: readonly RunGlyph[]
}

export interface GlyphRow {
  readonly runs: readonly GlyphRun[]
  /** In thousandths of the font size. */
  readonly width: number
}

/** A part of the text with one font and one embedding level, before it is shaped. */
interface Part {
  readonly font?: NotoFont
  readonly start: number
  end: number
  readonly level: number
}

/** How a text is drawn where possible. */
export interface Fonts {
  readonly primary: TrueTypeFace
  /** Without it, letters that join, move or stack are lacking. */
  readonly shaper?: Shaper
}

/** What takes the font of the letter before it: marks, joiners and spaces. */
const FOLLOWER = /\p{M}|\p{Join_Control}|[\u0020\u00A0]/u

type Found = NotoFont | 'primary' | undefined

/** Finds the font of one character after another. */
function fontFinder({ primary }: Fonts, text: string): (character: string) => Found {
  const isJapanese = hasKana(text)
  let previous: Found
  return (character) => {
    const codePoint = character.codePointAt(0) ?? REPLACEMENT
    const isFollower = FOLLOWER.test(character)
    if (isFollower && typeof previous === 'object' && previous.face.glyphOf(codePoint) !== 0) {
      return previous
    }
    const isPrimary = primary.glyphOf(codePoint) !== 0 && !hasRightToLeft(character)
    if (isPrimary && isCommon(character)) return (previous = 'primary')
    previous = notoFontOf(codePoint, isJapanese) ?? (isPrimary ? 'primary' : undefined)
    return previous
  }
}

/**
 * Whether some character is in no font. Opens fonts, but does not need the shaper.
 *
 * @param canShape whether letters that join, move or stack can be drawn
 */
export function lacksLetters(primary: TrueTypeFace, cleaned: string, canShape: boolean): boolean {
  const find = fontFinder({ primary }, cleaned)
  return [...cleaned].some((character) => {
    const font = find(character)
    return font === undefined || (font !== 'primary' && font.script !== undefined && !canShape)
  })
}

/** Whether some letters join, move or stack, or are written from right to left. */
export function needsShaper(primary: TrueTypeFace, cleaned: string): boolean {
  if (isCommon(cleaned)) return false
  const find = fontFinder({ primary }, cleaned)
  return [...cleaned].some((character) => {
    const font = find(character)
    return typeof font === 'object' && font.script !== undefined
  })
}

/**
 * Lays out one row.
 *
 * @param cleaned as `cleanText` returns it; characters that no font has become U+FFFD
 */
export function layOutRow(fonts: Fonts, cleaned: string): GlyphRow {
  const runs = visualOrder(partsOf(fonts, cleaned)).map((part) => ({
    ...(part.font && { font: part.font }),
    glyphs: glyphsOf(fonts, cleaned, part),
  }))
  const width = runs.reduce(
    (sum, { glyphs }) => glyphs.reduce((within, { advance }) => within + advance, sum),
    0,
  )
  return { runs, width }
}

/** Parts of the text in reading order. */
function partsOf(fonts: Fonts, text: string): Part[] {
  const levels = hasRightToLeft(text) ? fonts.shaper?.levelsOf(text, directionOf(text)) : undefined
  const find = fontFinder(fonts, text)
  const parts: Part[] = []
  let at = 0
  for (const character of text) {
    const found = find(character)
    const isUsable = typeof found === 'object' && (!found.script || fonts.shaper)
    const font = isUsable ? found : undefined
    const level = levels?.[at] ?? 0
    const last = parts.at(-1)
    if (last && last.font === font && last.level === level) last.end += character.length
    else parts.push({ ...(font && { font }), start: at, end: at + character.length, level })
    at += character.length
  }
  return parts
}

/** Reverses what is written from right to left (rule L2). */
function visualOrder(parts: readonly Part[]): Part[] {
  const ordered = [...parts]
  const highest = Math.max(0, ...new Set(parts.map(({ level }) => level)))
  for (let level = highest; level > 0; level -= 1) {
    let start = 0
    while (start < ordered.length) {
      let end = start
      while (end < ordered.length && ordered[end].level >= level) end += 1
      reverseWithin(ordered, start, end)
      start = end + 1
    }
  }
  return ordered
}

function reverseWithin(parts: Part[], start: number, end: number): void {
  for (let low = start, high = end - 1; low < high; low += 1, high -= 1) {
    const swapped = parts[low]
    parts[low] = parts[high]
    parts[high] = swapped
  }
}

function glyphsOf(fonts: Fonts, text: string, part: Part): RunGlyph[] {
  const { font, start, end, level } = part
  const isReversed = level % 2 === 1
  if (font?.script && fonts.shaper) {
    const shaped = fonts.shaper.shape(text, { font, start, end, isRightToLeft: isReversed })
    return clustersOf(shaped, text, { ...part, font })
  }
  const face = font?.face ?? fonts.primary
  const glyphs = Array.from(text.slice(start, end), (character) => {
    const drawn = isReversed ? (fonts.shaper?.mirrorOf(character) ?? character) : character
    return glyphAlone(face, drawn, character, font === undefined)
  })
  return isReversed ? glyphs.reverse() : glyphs
}

function glyphAlone(
  face: TrueTypeFace,
  drawn: string,
  character: string,
  isPrimary: boolean,
): RunGlyph {
  const codePoint = drawn.codePointAt(0) ?? REPLACEMENT
  const isLacking = isPrimary && hasRightToLeft(drawn)
  const glyph = isLacking ? 0 : face.glyphOf(codePoint)
  if (glyph !== 0) return { glyph, advance: face.advanceOf(glyph), text: character }
  const replacement = face.glyphOf(REPLACEMENT)
  const text = String.fromCodePoint(REPLACEMENT)
  return { glyph: replacement, advance: face.advanceOf(replacement), text }
}

/**
 * Makes one glyph of each cluster: what the rules of a font take together, such as a letter with
 * its marks. Readers then copy its characters in reading order, and find nothing to take apart.
 */
function clustersOf(
  shaped: readonly ShapedGlyph[],
  text: string,
  { font, start, end, level }: Part & { readonly font: NotoFont },
): RunGlyph[] {
  const clusters = new Map<number, ShapedGlyph[]>()
  for (const glyph of shaped) {
    const known = clusters.get(glyph.cluster)
    if (known) known.push(glyph)
    else clusters.set(glyph.cluster, [glyph])
  }
  const starts = [...clusters.keys()].sort((one, two) => one - two)
  const ends = new Map(starts.map((first, index) => [first, starts[index + 1] ?? end]))
  const earliest = starts[0]
  return Array.from(clusters).flatMap(([first, glyphs]) => {
    // What was removed before the first cluster, a joiner for instance, is copied with it.
    const copied = text.slice(first === earliest ? start : first, ends.get(first))
    const cluster = composed(font.face, glyphs)
    if (level % 2 === 0) return { ...cluster, text: copied }
    return apart(copied).map((one, index, { length }) =>
      index === length - 1 ? { ...cluster, text: one } : { ...NOTHING, text: one },
    )
  })
}

/** A glyph without an outline. */
const NOTHING = { glyph: { parts: [], advance: 0 }, advance: 0 } as const
const LETTERS_AND_MARKS = /^([^\p{M}\u200C\u200D]*)(.*)$/u

/**
 * Readers reverse what is written from right to left, and copy marks within one code in the wrong
 * order: marks and joiners get codes of their own, to the left of their letter.
 */
function apart(text: string): string[] {
  const [, letters = '', marks = ''] = LETTERS_AND_MARKS.exec(text) ?? []
  return [letters, ...marks].filter((one) => one !== '').reverse()
}

function composed(face: TrueTypeFace, glyphs: readonly ShapedGlyph[]): Omit<RunGlyph, 'text'> {
  let advance = 0
  const parts = glyphs.map(({ glyph, dx, dy, advance: own }) => {
    const part = { glyph, x: advance + dx, y: dy }
    advance += own
    return part
  })
  const perMille = Math.round((advance * 1_000) / face.unitsPerEm)
  const [{ glyph, x, y }] = parts
  const isAsInFont = parts.length === 1 && x === 0 && y === 0 && face.advanceOf(glyph) === perMille
  return { glyph: isAsInFont ? glyph : { parts, advance }, advance: perMille }
}
