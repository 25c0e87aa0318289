/**
 * Encodes and decodes result objects with a MAC under a key of the workers, so that another writer
 * of the object store cannot forge a result (decision 171).
 */
import { encodeJson } from './json-object.ts'
import { findMacFault, makeMac, type KeyedMac, type MacFault } from './keyed-mac.ts'
import type { Keyring } from './ports/keyring.ts'

const DOMAIN = 'sigcase/worker-result/v1'
const PURPOSE = 'worker-result'

/** Why a stored object is not a result of a worker. */
export type ResultFault = 'unreadable' | MacFault

/** The decoded object at the key of a result. */
export type OpenedResult<T> = { value: T } | { fault: ResultFault }

/**
 * Encodes a result as JSON with `kid` and `mac` beside its members.
 *
 * @param objectKey where it will be stored; the MAC covers it, so that a result is not valid under
 *   another key
 */
export function encodeResult(
  keyring: Keyring<'worker-result'>,
  objectKey: string,
  value: object,
): Uint8Array {
  const plain = JSON.parse(JSON.stringify(value)) as object
  return encodeJson({ ...plain, ...makeMac(keyring, PURPOSE, [DOMAIN, objectKey, plain]) })
}

/** Decodes the result that a worker stored under this key, or returns its fault. */
export function decodeResult<T>(
  keyring: Keyring<'worker-result'>,
  { key, bytes }: { key: string; bytes: Uint8Array },
): OpenedResult<T> {
  let stored: unknown
  try {
    stored = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { fault: 'unreadable' }
  }
  if (typeof stored !== 'object' || stored === null) return { fault: 'unreadable' }
  const { kid, mac, ...value } = stored as Record<string, unknown>
  const fault = findMacFault(keyring, PURPOSE, [DOMAIN, key, value], { kid, mac } as KeyedMac)
  return fault ? { fault } : { value: value as T }
}
