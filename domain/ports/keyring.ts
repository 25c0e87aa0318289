/** Keys of the service by purpose. Every value names its key by `kid`, so that keys can rotate. */

import type { KeyObject } from 'node:crypto'

/** Symmetric keys: a process that can check a value can make one as well. */
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
  // Result objects; workers make these values, workers and the controller check them.
  'worker-result',
] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

export interface SymmetricKey {
  kid: string
  /** At least 32 octets. */
  secret: KeyObject
}

/**
 * The symmetric keys of the purposes `P`. The keys are read at start; the functions answer without
 * I/O and throw when the process was not given the keys of a purpose.
 *
 * The members are functions and not methods: TypeScript then refuses a keyring of fewer purposes
 * where more are asked for.
 */
export interface Keyring<P extends KeyPurpose = KeyPurpose> {
  /** The key that new values are made with. */
  readonly current: (purpose: P) => SymmetricKey
  /** The key that made an old value, or undefined when it was never ours or has been retired. */
  readonly find: (purpose: P, kid: string) => SymmetricKey | undefined
}

/** A signature over a fact, and the key that made it. */
export interface FactSignature {
  kid: string
  /** Ed25519 (RFC 8032): 64 octets in lowercase hexadecimal. */
  value: string
}

/** Signs facts: only the API has this key. */
export interface FactSigner {
  readonly signFact: (message: Uint8Array) => FactSignature
}

/** Checks signatures of facts: every process has the public keys. */
export interface FactVerifier {
  /** @returns false for a signature of an unknown key, too */
  readonly isFactSignature: (message: Uint8Array, signature: FactSignature) => boolean
}
