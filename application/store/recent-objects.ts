/** Keeps objects that all cases need, and that rarely change, in memory for a few seconds. */
import type { ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'

/** The newest content of some keys of one store, with the time of its reading. */
const kept = new WeakMap<object, Map<string, { readAtMs: number; object: StoredObject }>>()
/** Only a few keys of the whole service are read this way. */
const MAXIMUM_KEPT = 100

/** How old an object in memory may be. */
export interface Freshness {
  nowMs: number
  /** Time since the object was read. */
  maximumAgeMs: number
  /** Whether an object may be kept; absent: every object. */
  mayKeep?: (object: StoredObject) => boolean
}

/**
 * Reads an object, or returns what this process read a moment ago. An absent object is looked for
 * each time.
 *
 * @throws Error when the store fails
 */
export async function readRecent(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  { nowMs, maximumAgeMs, mayKeep = () => true }: Freshness,
): Promise<StoredObject | undefined> {
  const ofStore = kept.get(objects) ?? new Map<string, { readAtMs: number; object: StoredObject }>()
  kept.set(objects, ofStore)
  const known = ofStore.get(key)
  const ageMs = nowMs - (known?.readAtMs ?? 0)
  // A clock that was set back must not prolong the time.
  if (known && ageMs >= 0 && ageMs < maximumAgeMs) return known.object
  const object = await objects.get(key)
  ofStore.delete(key)
  if (object && mayKeep(object) && ofStore.size < MAXIMUM_KEPT) {
    ofStore.set(key, { readAtMs: nowMs, object })
  }
  return object
}

/** Forgets an object of which a newer version is known to exist. */
export function forgetRecent(objects: object, key: string): void {
  kept.get(objects)?.delete(key)
}
