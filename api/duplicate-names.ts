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

/**
 * @param text valid JSON
 * @returns JSON pointer of the first member whose name the same object had before, or undefined
 */
export function duplicateName(text: string): string | undefined {
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
      if (level.names.has(level.at)) return levels.map(({ at }) => `/${escaped(at)}`).join('')
      level.names.add(level.at)
    }
  }
  return undefined
}
