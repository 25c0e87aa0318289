/** Reads objects within the bounds of their kinds. */
import { maximumObjectBytes } from '../../domain/object-bounds.ts'
import type { ObjectStat, StoredObject } from '../../domain/ports/object-store.ts'

/** A store, as this function needs it. */
interface BoundedReads {
  /** @throws RangeError when the object is longer than `maximumBytes` */
  read(maximumBytes: number): Promise<StoredObject | undefined>
  stat(): Promise<ObjectStat | undefined>
}

/**
 * Reads an object as `get` of the port `ObjectStore` requires it.
 *
 * @param maximumBytes absent: the bound of the kind of the object
 */
export async function readBounded(
  key: string,
  maximumBytes: number | undefined,
  { read, stat }: BoundedReads,
): Promise<StoredObject | undefined> {
  if (maximumBytes !== undefined) return read(maximumBytes)
  const bound = maximumObjectBytes(key)
  try {
    return await read(bound)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const found = await stat()
    // It was replaced in the meantime: the caller has to read again.
    if (found && found.size <= bound) throw error
    return found && { ...found, bytes: new Uint8Array() }
  }
}
