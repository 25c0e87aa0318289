/**
 * Finds a name that an object of a JSON text has twice: readers differ in which of the two counts
 * (RFC 8259, 4), so that what one checks another need not act on.
 */

/** A text, or a character of structure; no two parts share an octet. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/** An object with the names that it had so far, or an array with the position within it. */
interface Level {
  names?: Set<string>
  at: string | number
}

/** RFC 6901, 3. */
const escaped = (name: string | number) =>
  String(name).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

/** @returns the JSON pointer to the value that these names and positions lead to */
export const pointerTo = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${escaped(part)}`).join('')

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Counts the names in a JSON text: outside of strings, only names are followed by a colon. */
function countNames(text: string): number {
  let count = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) isInText = !isInText
    else if (character === BACKSLASH) at++
    else if (character === COLON && !isInText) count++
  }
  return count
}

/** How many members the objects in a value have together. */
function countMembers(value: unknown): number {
  const waiting = [value]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (members !== next) count += members.length
    for (const member of members) if (typeof member === 'object') waiting.push(member)
  }
  return count
}

/**
 * A value keeps one of two members with the same name. Where it has as many members as its text has
 * names, a search for duplicates is unnecessary.
 *
 * @param text valid JSON
 * @param value of the text, as `JSON.parse` gives it
 * @returns JSON pointer of the first member whose name the same object had before, or undefined
 */
export const duplicateName = (text: string, value: unknown): string | undefined =>
  countNames(text) === countMembers(value) ? undefined : firstDuplicate(text)

function firstDuplicate(text: string): string | undefined {
  const levels: Level[] = []
  let lastText = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ names: new Set(), at: '' })
    else if (token === '[') levels.push({ at: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (typeof level?.at === 'number') level.at += 1
    } else if (token !== ':') lastText = token
    else if (level?.names) {
      level.at = JSON.parse(lastText) as string
      if (level.names.has(level.at)) return pointerTo(levels.map(({ at }) => at))
      level.names.add(level.at)
    }
  }
  return undefined
}
