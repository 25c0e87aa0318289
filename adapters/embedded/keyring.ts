/** Symmetric keys in one file, made at first start; the first key of a purpose makes new values. */
import { Buffer } from 'node:buffer'
import { createSecretKey, randomBytes } from 'node:crypto'
import type { Keyring, KeyPurpose, SymmetricKey } from '../../domain/ports/keyring.ts'
import { readOrMake } from './data-directory.ts'

const PURPOSES = ['signing-link', 'fact-mac', 'object-url', 'tenant-token', 'access-token'] as const
const SECRET_BYTES = 32
const KID_BYTES = 6

type KeyFile = Record<KeyPurpose, { kid: string; secret: string }[]>

const newKey = () => ({
  kid: randomBytes(KID_BYTES).toString('base64url'),
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
})

/** To rotate, put a new key first in the purpose's list and keep the old one behind it. */
export class FileKeyring implements Keyring {
  readonly #keys = new Map<KeyPurpose, SymmetricKey[]>()

  /** @throws Error when the file holds no key of at least 256 bits for a purpose */
  constructor(path: string) {
    const bytes = readOrMake(path, () => {
      const keys = Object.fromEntries(PURPOSES.map((purpose) => [purpose, [newKey()]]))
      return Buffer.from(JSON.stringify(keys, null, 2))
    })
    const file = JSON.parse(Buffer.from(bytes).toString()) as KeyFile
    for (const purpose of PURPOSES) {
      const keys = (file[purpose] ?? []).map(({ kid, secret }) => ({
        kid,
        secret: createSecretKey(secret, 'base64url'),
      }))
      if (
        keys.length === 0 ||
        keys.some(({ secret }) => (secret.symmetricKeySize ?? 0) < SECRET_BYTES)
      ) {
        throw new Error(`the keyring has no usable key for ${purpose}`)
      }
      this.#keys.set(purpose, keys)
    }
  }

  current(purpose: KeyPurpose): SymmetricKey {
    return this.#all(purpose)[0] as SymmetricKey
  }

  find(purpose: KeyPurpose, kid: string): SymmetricKey | undefined {
    return this.#all(purpose).find((key) => key.kid === kid)
  }

  #all(purpose: KeyPurpose): SymmetricKey[] {
    return this.#keys.get(purpose) ?? []
  }
}
