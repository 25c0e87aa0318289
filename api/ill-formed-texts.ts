/**
 * Finds texts that are not Unicode: halves of surrogate pairs, which JSON lets through and
 * canonical JSON does not.
 */

/** Who sends more of them knows what is wrong; a path can be as long as the body. */
const MAXIMUM_FOUND = 100

/** A value within another: a path is only put together for what is found. */
interface Place {
  value: unknown
  name: string
  parent?: Place
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Nearly all values: for them no path is put together. */
function isWellFormed(root: unknown): boolean {
  const waiting = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && !value.isWellFormed()) return false
    if (!isObject(value)) continue
    for (const name of Object.keys(value)) {
      if (!name.isWellFormed()) return false
      const member = (value as Record<string, unknown>)[name]
      if (isObject(member) || typeof member === 'string') waiting.push(member)
    }
  }
  return true
}

/** RFC 6901, 3. */
const escaped = (name: string) => name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

function pathOf(place: Place): string {
  const names: string[] = []
  for (let at = place; at.parent; at = at.parent) names.push(`/${escaped(at.name)}`)
  return names.reverse().join('')
}

/**
 * JSON pointers of the ill-formed texts in a JSON value, however deep it nests: of 100 at most.
 * A name of a member counts as its text.
 */
export function illFormedTexts(root: unknown): string[] {
  if (isWellFormed(root)) return []
  const found: string[] = []
  const waiting: Place[] = [{ value: root, name: '' }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    if (found.length >= MAXIMUM_FOUND) break
    const { value } = place
    if (typeof value === 'string' && !value.isWellFormed()) found.push(pathOf(place))
    if (!isObject(value)) continue
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name]
      const inner = () => ({ value: member, name, parent: place })
      if (!name.isWellFormed()) found.push(pathOf(inner()))
      if (isObject(member) || typeof member === 'string') waiting.push(inner())
    }
  }
  return found
}
