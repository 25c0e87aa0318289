/**
 * The port for the service's keys, by purpose. Every value contains the `kid` of its key, so that
 * keys can rotate.
 */

import type { KeyObject } from 'node:crypto'

/** Purposes of symmetric keys: a process that can verify a value can also make one. */
export const KEY_PURPOSES = [
  'signing-link',
  'object-url',
  'tenant-token',
  'access-token',
  'request-mac',
  'one-time-code',
  'code-session',
  // Entries, openings and heads of audit trails; every process that appends entries needs it.
  'audit-trail',
  // Result objects; workers make these values, workers and the controller verify them.
  'worker-result',
] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

export interface SymmetricKey {
  kid: string
  /** At least 32 octets. */
  secret: KeyObject
}

/**
 * The symmetric keys of the purposes `P`. The keys are read at start; the functions need no I/O and
 * throw when the process was not granted a purpose.
 *
 * The members are function properties, not methods, so that TypeScript refuses a keyring with fewer
 * purposes than required.
 */
export interface Keyring<P extends KeyPurpose = KeyPurpose> {
  /** Returns the key for new values. */
  readonly current: (purpose: P) => SymmetricKey
  /** Returns the key of an old value, or undefined when it is unknown or has been retired. */
  readonly find: (purpose: P, kid: string) => SymmetricKey | undefined
}

/** A signature over a fact, and the id of its key. */
export interface FactSignature {
  kid: string
  /** Ed25519 (RFC 8032): 64 octets in lowercase hexadecimal. */
  value: string
}

/** Signs facts; only the API has this key. */
export interface FactSigner {
  readonly signFact: (message: Uint8Array) => FactSignature
}

/** Verifies signatures of facts; every process has the public keys. */
export interface FactVerifier {
  /** @returns false also for a signature of an unknown key */
  readonly isFactSignature: (message: Uint8Array, signature: FactSignature) => boolean
}
