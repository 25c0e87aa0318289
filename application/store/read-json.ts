/** Reads JSON objects from the object store. */
import { decodeObject } from '../../domain/json-object.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'

/**
 * Reads the value at a key; undefined when there is none, or only content that this service did not
 * write.
 */
export async function readJson<T extends object>(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<T | undefined> {
  const object = await objects.get(key)
  return object && decodeObject<T>(object)
}
