/** Reads and writes result objects; an object that no worker wrote is replaced (decision 171). */
import type { IntegrityAlarm, IntegrityViolation } from '../../domain/integrity-alarm.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { Durability, ObjectStore } from '../../domain/ports/object-store.ts'
import { decodeResult, encodeResult } from '../../domain/worker-results.ts'

export interface ResultDeps {
  objects: Pick<ObjectStore, 'get' | 'putIfAbsent' | 'compareAndSwap'>
  keyring: Keyring<'worker-result'>
  alarm: Pick<IntegrityAlarm, 'raise'>
}

/** What reading results needs. */
export interface ReadResultDeps extends Omit<ResultDeps, 'objects'> {
  objects: Pick<ObjectStore, 'get'>
}

/**
 * There are fewer simultaneous writers of one object than this, so more lost races mean that
 * somebody plants it repeatedly.
 */
export const MAXIMUM_LOST_RACES = 5

/** Content of the key of a result. */
export interface StoredResult<T> {
  /** Absent when no worker wrote the object. */
  value?: T
  generation: string
}

/**
 * Reads the object; raises the alarm when no worker wrote it.
 *
 * @returns undefined when the object does not exist
 */
export async function readWorkerResult<T>(
  objectKey: string,
  violation: Omit<IntegrityViolation, 'fault'>,
  { objects, keyring, alarm }: ReadResultDeps,
): Promise<StoredResult<T> | undefined> {
  const stored = await objects.get(objectKey)
  if (!stored) return undefined
  const { generation } = stored
  const opened = decodeResult<T>(keyring, stored)
  if ('value' in opened) return { value: opened.value, generation }
  alarm.raise({ ...violation, fault: opened.fault })
  return { generation }
}

/** An object to be written. */
export interface Content {
  key: string
  bytes: Uint8Array
  contentType: string
  /** At a free key; see {@link ObjectStore.putIfAbsent}. */
  durability?: Durability
}

/**
 * Puts an object if its key is free, or replaces the given generation.
 *
 * @param generation of the object to replace; undefined when the key must be free
 * @returns the new generation, or undefined when another writer was first
 */
export function putOver(
  objects: Pick<ObjectStore, 'putIfAbsent' | 'compareAndSwap'>,
  { key, bytes, contentType, durability }: Content,
  generation: string | undefined,
): Promise<string | undefined> {
  if (generation === undefined) return objects.putIfAbsent(key, bytes, contentType, durability)
  return objects.compareAndSwap(key, bytes, { contentType, generation })
}

/** How a result is written. */
type Writing = Pick<ResultDeps, 'objects' | 'keyring'> & Pick<Content, 'durability'>

/**
 * Writes a result with its MAC, if the key is free or has an object that no worker wrote.
 *
 * @param before result of {@link readWorkerResult}
 * @returns the new generation, or undefined when another writer was first
 */
export function writeWorkerResult(
  objectKey: string,
  value: object,
  before: StoredResult<unknown> | undefined,
  { objects, keyring, durability }: Writing,
): Promise<string | undefined> {
  const bytes = encodeResult(keyring, objectKey, value)
  const object = { key: objectKey, bytes, contentType: JSON_TYPE, durability }
  return putOver(objects, object, before?.generation)
}

/**
 * Writes a result unless one exists. An object that no worker wrote is replaced, after the alarm.
 *
 * @throws Error when the object keeps changing
 */
export async function putWorkerResult(
  objectKey: string,
  value: object,
  violation: Omit<IntegrityViolation, 'fault'>,
  deps: ResultDeps & Pick<Content, 'durability'>,
): Promise<void> {
  let stored: StoredResult<unknown> | undefined
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    if (await writeWorkerResult(objectKey, value, stored, deps)) return
    stored = await readWorkerResult(objectKey, violation, deps)
    if (stored?.value) return
  }
  throw new Error(`the object ${objectKey} kept changing`)
}
