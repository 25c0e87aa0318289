/** The form of object keys in every object store. */

const KEY_PATTERN = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/
const MAXIMUM_KEY_LENGTH = 512

/** @throws RangeError for an invalid key (see the port `ObjectStore`) */
export function assertObjectKey(key: string): void {
  const isKey = KEY_PATTERN.test(key) && key.length <= MAXIMUM_KEY_LENGTH
  if (!isKey || key.split('/').some((segment) => segment.startsWith('.'))) {
    throw new RangeError('not an object key')
  }
}
