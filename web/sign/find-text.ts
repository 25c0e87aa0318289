/** Finds a text in another one, whatever their case, accents and line breaks. */

const MARK = /\p{M}/u
const SPACE = /\s/u
const SOFT_HYPHEN = '\u00ad'

interface Folded {
  text: string
  /** For each unit of `text`, the offset in the original. */
  offsets: readonly number[]
}

/** @param before the folded text before the character: a space after a space adds nothing */
function foldCharacter(character: string, before: string): string {
  if (SPACE.test(character)) return before.endsWith(' ') ? '' : ' '
  return [...character.normalize('NFKD').toLowerCase()]
    .filter((part) => !MARK.test(part) && part !== SOFT_HYPHEN)
    .join('')
}

/** Small letters without accents; spaces and line breaks become one space. */
function fold(original: string): Folded {
  let text = ''
  const offsets: number[] = []
  let offset = 0
  for (const character of original) {
    const plain = foldCharacter(character, text)
    for (let unit = 0; unit < plain.length; unit++) offsets.push(offset)
    text += plain
    offset += character.length
  }
  return { text, offsets }
}

export interface Match {
  begin: number
  end: number
}

/** @returns where the text is, as offsets of the original, without overlaps */
export function findText(original: string, query: string): Match[] {
  const { text, offsets } = fold(original)
  const needle = fold(query).text.trim()
  if (needle === '') return []
  const matches: Match[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const end = offsets[at + needle.length] ?? original.length
    matches.push({ begin: offsets[at] ?? 0, end })
  }
  return matches
}
