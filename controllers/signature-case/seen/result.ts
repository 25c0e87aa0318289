/** Reads a result object and checks that a worker wrote it. */
import type { IntegrityAlarm, IntegrityObject } from '../../../domain/integrity-alarm.ts'
import type { Keyring } from '../../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import { decodeResult } from '../../../domain/worker-results.ts'

export interface ResultDeps {
  objects: Pick<ObjectStore, 'get' | 'stat'>
  keyring: Keyring<'worker-result'>
  alarm: Pick<IntegrityAlarm, 'raise'>
}

/**
 * @returns undefined when there is none; an object without value, after the alarm, when no worker
 *   wrote it
 */
export async function readResult<T>(
  key: CaseKey,
  object: IntegrityObject,
  objectKey: string,
  { objects, keyring, alarm }: ResultDeps,
): Promise<{ value?: T } | undefined> {
  const stored = await objects.get(objectKey)
  if (!stored) return undefined
  const opened = decodeResult<T>(keyring, stored)
  if ('value' in opened) return opened
  alarm.raise({ object, fault: opened.fault, key })
  return {}
}
