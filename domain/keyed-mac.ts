/** Makes and verifies MACs over JSON values: HMAC-SHA-256 over canonical JSON (RFC 8785). */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Keyring, KeyPurpose } from './ports/keyring.ts'
import { isSameSecret } from './same-secret.ts'

/** A MAC with the id of its key. */
export interface KeyedMac {
  kid: string
  /** Lower-case hex. */
  mac: string
}

/** The fault of a MAC. */
export type MacFault = 'unknownKey' | 'wrongMac'

const digest = (secret: KeyObject, value: unknown) =>
  createHmac('sha256', secret).update(canonicalJson(value)).digest()

/** @returns undefined for a value without canonical form, for which this service makes no MAC */
function digestOf(secret: KeyObject, value: unknown): Uint8Array | undefined {
  try {
    return digest(secret, value)
  } catch {
    return undefined
  }
}

/**
 * Makes a MAC with the current key of a purpose.
 *
 * @param value begins with the name of its domain, so that a MAC is never valid for another kind of
 *   value
 */
export function makeMac<P extends KeyPurpose>(
  keyring: Pick<Keyring<P>, 'current'>,
  purpose: P,
  value: readonly [domain: string, ...unknown[]],
): KeyedMac {
  const { kid, secret } = keyring.current(purpose)
  return { kid, mac: digest(secret, value).toString('hex') }
}

/**
 * Verifies a MAC in constant time.
 *
 * @param value as for {@link makeMac}
 * @param given untrusted; its members are checked
 * @returns undefined when the MAC is valid
 */
export function findMacFault<P extends KeyPurpose>(
  keyring: Pick<Keyring<P>, 'find'>,
  purpose: P,
  value: readonly [domain: string, ...unknown[]],
  given: { kid?: unknown; mac?: unknown },
): MacFault | undefined {
  const { kid, mac } = given
  if (typeof kid !== 'string' || typeof mac !== 'string') return 'wrongMac'
  const key = keyring.find(purpose, kid)
  if (!key) return 'unknownKey'
  const expected = digestOf(key.secret, value)
  return expected && isSameSecret(Buffer.from(mac, 'hex'), expected) ? undefined : 'wrongMac'
}
