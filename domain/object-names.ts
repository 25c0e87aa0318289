/** What every object store holds objects and downloads to: the form of their names. */

const KEY_PATTERN = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/
const MAXIMUM_KEY_LENGTH = 512

/** @throws RangeError for what is no key of an object (see the port `ObjectStore`) */
export function assertObjectKey(key: string): void {
  const isKey = KEY_PATTERN.test(key) && key.length <= MAXIMUM_KEY_LENGTH
  if (!isKey || key.split('/').some((segment) => segment.startsWith('.'))) {
    throw new RangeError('not an object key')
  }
}

/** RFC 6266: a plain name for old clients, the true one in UTF-8. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
