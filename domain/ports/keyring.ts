/**
 * Symmetric keys by purpose; every value made with one names its `kid`, so that keys can rotate.
 */

import type { KeyObject } from 'node:crypto'

export const KEY_PURPOSES = [
  'signing-link',
  'fact-mac',
  'object-url',
  'tenant-token',
  'access-token',
  'request-mac',
  'one-time-code',
  'code-session',
  // Entries, openings and heads of audit trails; every process that appends entries needs it.
  'audit-trail',
  // Result objects; workers make these values, workers and the controller check them.
  'worker-result',
] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

export interface SymmetricKey {
  kid: string
  /** At least 32 octets. */
  secret: KeyObject
}

/** Keys are read at start; the ring answers without I/O. */
export interface Keyring {
  /** The key that new values are made with. */
  current(purpose: KeyPurpose): SymmetricKey
  /** The key that made an old value, or undefined when it was never ours or has been retired. */
  find(purpose: KeyPurpose, kid: string): SymmetricKey | undefined
}
