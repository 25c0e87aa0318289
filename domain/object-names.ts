/** The form of object keys in every object store. */

const KEY_PATTERN = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/
const MAXIMUM_KEY_LENGTH = 512

/** Whether stores accept the key (see the port `ObjectStore`). */
export function isObjectKey(key: string): boolean {
  const isKey = KEY_PATTERN.test(key) && key.length <= MAXIMUM_KEY_LENGTH
  return isKey && !key.split('/').some((segment) => segment.startsWith('.'))
}

/** @throws RangeError for an invalid key */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new RangeError('not an object key')
}
