/** The characters of the codes of simple fonts (ISO 32000-2, annex D). */

export type BaseEncoding = 'MacRomanEncoding' | 'WinAnsiEncoding'

const CODES = 256
const [NO_BREAK_SPACE, SOFT_HYPHEN, SPACE, HYPHEN, BULLET] = [0xa0, 0xad, 0x20, 0x2d, 0x2022]
const FIRST_PRINTED = 0x20

const decode = (label: string): readonly number[] =>
  Array.from(
    new TextDecoder(label).decode(Uint8Array.from({ length: CODES }, (_, code) => code)),
    (character) => character.charCodeAt(0),
  )

const MACINTOSH = decode('macintosh')
const WINDOWS = decode('windows-1252')
const MACINTOSH_CODES: ReadonlyMap<number, number> = new Map(
  MACINTOSH.map((character, code) => [character, code]),
)

/** The Macintosh code of a character, 0 for none. */
export const macintoshCode = (character: number): number => MACINTOSH_CODES.get(character) ?? 0

/** Characters that readers take for a code; more than one where they differ. */
export function charactersOf(base: BaseEncoding, code: number): readonly number[] {
  if (code < FIRST_PRINTED) return []
  if (base === 'MacRomanEncoding') {
    const character = MACINTOSH[code] ?? 0
    return character === NO_BREAK_SPACE ? [NO_BREAK_SPACE, SPACE] : [character]
  }
  if (code === NO_BREAK_SPACE) return [NO_BREAK_SPACE, SPACE]
  if (code === SOFT_HYPHEN) return [SOFT_HYPHEN, HYPHEN]
  const character = WINDOWS[code] ?? 0
  const isUnused = character >= 0x7f && character < NO_BREAK_SPACE
  return isUnused ? [character, BULLET] : [character]
}
