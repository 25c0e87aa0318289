/** Checks of `sigcase doctor` about object stores. */
import { randomUUID } from 'node:crypto'
import { VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { ClusterConfig } from '../../runtime/config/processes.ts'
import { failed, ok, type Check, type ProcessName } from './finding.ts'
import { clockCheck } from './network.ts'

const TEXT = 'text/plain'

/** Returns what to do when the store does not answer, or refuses. */
export const objectRemedy = (objects: ClusterConfig['objects']): string =>
  'region' in objects
    ? 'check S3_BUCKET, S3_ENDPOINT, S3_REGION and the credentials, and grant the rights of ' +
      'docs/how-to/install-on-any-kubernetes.md'
    : 'check GCS_BUCKET and GCS_ENDPOINT, and grant the roles of docs/how-to/set-up-google-cloud.md'

/** The key of an object that a check writes; the API may delete uploads for verification alone. */
function newKey(component: ProcessName): string {
  const folder = component === 'api' ? VERIFICATIONS_FOLDER : 'doctor/'
  return `${folder}doctor-${randomUUID()}`
}

/**
 * Writes an object, reads it and deletes it. The rights of each process are those of
 * docs/how-to/set-up-google-cloud.md: the API may delete uploads for verification alone, and the
 * controller is asked only to read.
 */
export function objectsCheck(objects: ObjectStore, remedy: string, component: ProcessName): Check {
  return {
    name: 'object store',
    remedy,
    async ask() {
      const key = newKey(component)
      if (component === 'controller') {
        await objects.get(key)
        return ok('answers')
      }
      await objects.putIfAbsent(key, new TextEncoder().encode(key), TEXT)
      const read = await objects.get(key)
      if (read === undefined) return failed('what was written cannot be read', remedy)
      await objects.delete(key)
      return ok('wrote, read and deleted an object')
    },
  }
}

/**
 * Checks that the store obeys the conditions of writes. Stores that ignore them would let two
 * workers do the same work, or lose an entry of a trail.
 */
function conditionsCheck(objects: ObjectStore, component: ProcessName): Check {
  const remedy = 'use a store that supports If-None-Match and If-Match of PutObject'
  return {
    name: 'conditional writes',
    remedy,
    async ask() {
      const key = newKey(component)
      const bytes = (text: string) => new TextEncoder().encode(text)
      const swap = (text: string, generation: string) =>
        objects.compareAndSwap(key, bytes(text), { contentType: TEXT, generation })
      try {
        await objects.putIfAbsent(key, bytes('first'), TEXT)
        const isReplaced = await objects.putIfAbsent(key, bytes('second'), TEXT)
        const { generation = '' } = (await objects.stat(key)) ?? {}
        const isSwapped = await swap('third', generation)
        const isSwappedAgain = await swap('fourth', generation)
        if (isReplaced) return failed('a write with If-None-Match replaced an object', remedy)
        if (isSwappedAgain) return failed('a write with If-Match replaced another object', remedy)
        if (!isSwapped) return failed('a write with a correct If-Match was refused', remedy)
        return ok('the store obeys If-None-Match and If-Match')
      } finally {
        await objects.delete(key)
      }
    },
  }
}

/** Lists the checks of an S3-compatible store; the controller may not delete any object. */
export function objectStoreChecks(
  config: ClusterConfig['objects'],
  objects: ObjectStore,
  component: ProcessName,
): Check[] {
  if (!('region' in config)) return []
  const clock = clockCheck(config.endpoint, () => Date.now())
  if (component === 'controller') return [clock]
  return [conditionsCheck(objects, component), clock]
}
