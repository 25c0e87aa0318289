/** Reads JSON values from the object store. */
import { decodeJson } from '../../domain/json-object.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'

/**
 * Reads the value at a key; undefined when the object does not exist.
 *
 * @throws SyntaxError
 */
export async function readJson<T>(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<T | undefined> {
  const object = await objects.get(key)
  return object && decodeJson<T>(object)
}
