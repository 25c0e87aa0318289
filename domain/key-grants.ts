/** The key sets of each process: only those that it uses (decision 174). */
import type { FactSigner, FactVerifier, Keyring, KeyPurpose } from './ports/keyring.ts'

/** The private key that signs facts (Ed25519). */
export const FACT_KEY = 'signature-fact'
/** The public keys that verify facts. */
export const FACT_PUBLIC_KEYS = 'signature-fact-public'
/** A set of keys: one file of the keyring, one Secret on a cluster. */
export type KeySet = KeyPurpose | typeof FACT_KEY | typeof FACT_PUBLIC_KEYS

export const KEY_GRANTS = {
  api: [
    'signing-link',
    'object-url',
    'tenant-token',
    'request-mac',
    'one-time-code',
    'code-session',
    'audit-trail',
    FACT_KEY,
    FACT_PUBLIC_KEYS,
  ],
  controller: ['object-url', 'audit-trail', 'worker-result', FACT_PUBLIC_KEYS],
  worker: [
    'signing-link',
    'object-url',
    'access-token',
    'audit-trail',
    'worker-result',
    FACT_PUBLIC_KEYS,
  ],
} as const satisfies Record<string, readonly KeySet[]>
export type KeyHolder = keyof typeof KEY_GRANTS

/** Purposes that are only used when the service stores the objects itself, in a folder. */
export const FOLDER_ONLY: ReadonlySet<KeySet> = new Set(['object-url'])

type SymmetricGrants<H extends KeyHolder> = Extract<(typeof KEY_GRANTS)[H][number], KeyPurpose>

/**
 * The keyring of one process; the compiler refuses a purpose that the table above does not grant.
 */
export type KeyringOf<H extends KeyHolder> = Keyring<SymmetricGrants<H>> &
  FactVerifier &
  (typeof FACT_KEY extends (typeof KEY_GRANTS)[H][number] ? FactSigner : unknown)
