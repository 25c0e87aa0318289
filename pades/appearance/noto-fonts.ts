/**
 * The Noto fonts of scripts that DejaVu lacks, or has letters of without the rules to set them
 * (decision 205). A font is read when a text first needs it.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { COMPLEX_SCRIPTS, EAST_ASIAN } from './scripts.ts'
import { faceOfTables, type TrueTypeFace } from './true-type.ts'
import { readWoff } from './woff.ts'

/** One font file. */
export interface NotoFont {
  /** PostScript name in the PDF, without the tag of the subset. */
  readonly name: string
  /** ISO 15924, for a script whose letters join, move or stack; absent for all other scripts. */
  readonly script?: string
  readonly face: TrueTypeFace
}

const require = createRequire(import.meta.url)
const open = new Map<string, NotoFont>()

/** Characters whose font was looked up, by whether their text is Japanese. */
const found = { chinese: new Map<number, NotoFont>(), japanese: new Map<number, NotoFont>() }

/**
 * Returns the font for a character, or undefined when none has it.
 *
 * @param isJapanese see `hasKana`; Han characters alone get their Chinese forms, as the text does
 *   not say its language
 */
export function notoFontOf(codePoint: number, isJapanese: boolean): NotoFont | undefined {
  const known = found[isJapanese ? 'japanese' : 'chinese']
  const font = known.get(codePoint) ?? findFont(codePoint, isJapanese)
  // Fonts have some 45,000 characters together, so the map stays small.
  if (font) known.set(codePoint, font)
  return font
}

function findFont(codePoint: number, isJapanese: boolean): NotoFont | undefined {
  const character = String.fromCodePoint(codePoint)
  for (const { id, script, letters } of COMPLEX_SCRIPTS) {
    if (!letters.test(character)) continue
    const font = openFont(id, id, script)
    if (font.face.glyphOf(codePoint) !== 0) return font
  }
  if (!EAST_ASIAN.test(character)) return undefined
  const candidates = isJapanese ? [japanese, chinese, korean] : [chinese, japanese, korean]
  for (const candidate of candidates) {
    const font = candidate(codePoint)
    if (font && font.face.glyphOf(codePoint) !== 0) return font
  }
  return undefined
}

const japanese = (): NotoFont => openFont('jp', 'japanese')
const korean = (): NotoFont => openFont('kr', 'korean')

/** The Chinese font comes in about a hundred files. */
function chinese(codePoint: number): NotoFont | undefined {
  const part = chineseParts().get(codePoint)
  return part === undefined ? undefined : openFont('sc', part)
}

let partsOfChinese: Map<number, string> | undefined

/** Which file of the Chinese font a code point is in, as its package lists them. */
function chineseParts(): ReadonlyMap<number, string> {
  if (partsOfChinese) return partsOfChinese
  partsOfChinese = new Map()
  const file = require.resolve('@fontsource/noto-sans-sc/unicode.json')
  const listed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  for (const [key, ranges] of Object.entries(listed)) {
    const [, part] = /^\[(\d+)\]$/.exec(key) ?? []
    if (part === undefined) continue
    for (const [, first, last = first] of ranges.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)) {
      const end = Number.parseInt(last, 16)
      for (let at = Number.parseInt(first, 16); at <= end; at += 1) partsOfChinese.set(at, part)
    }
  }
  return partsOfChinese
}

/** Inflated and parsed once per process; all fonts together take some 20 MB. */
function openFont(id: string, part: string, script?: string): NotoFont {
  const file = `@fontsource/noto-sans-${id}/files/noto-sans-${id}-${part}-400-normal.woff`
  const known = open.get(file)
  if (known) return known
  const face = faceOfTables(readWoff(readFileSync(require.resolve(file))))
  const name = `NotoSans-${id[0].toUpperCase()}${id.slice(1)}`
  const font = { name, face, ...(script !== undefined && { script }) }
  open.set(file, font)
  return font
}
