/**
 * Finds texts that are no Unicode: halves of surrogate pairs, which JSON lets through and canonical
 * JSON does not.
 */

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** RFC 6901, 3. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * JSON pointers of every ill-formed text in a JSON value, however deep it nests.
 * A name of a member counts as its text.
 */
export function illFormedTexts(value: unknown): string[] {
  const found: string[] = []
  const waiting: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && !value.isWellFormed()) found.push(path)
    if (!isObject(value)) continue
    for (const [name, member] of Object.entries(value)) {
      const memberPath = `${path}/${escaped(name.toWellFormed())}`
      if (!name.isWellFormed()) found.push(memberPath)
      waiting.push({ value: member, path: memberPath })
    }
  }
  return found
}
