/** Symmetric keys in one file, made at first start; the first key of a purpose makes new values. */
import { Buffer } from 'node:buffer'
import { createSecretKey, randomBytes } from 'node:crypto'
import {
  KEY_PURPOSES,
  type Keyring,
  type KeyPurpose,
  type SymmetricKey,
} from '../../domain/ports/keyring.ts'
import { readOrMake, replaceFileNow } from './data-directory.ts'

const SECRET_BYTES = 32
const KID_BYTES = 6

type KeyFile = Partial<Record<KeyPurpose, { kid: string; secret: string }[]>>

const newKey = () => ({
  kid: randomBytes(KID_BYTES).toString('base64url'),
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
})

const newKeys = (purposes: readonly KeyPurpose[]): KeyFile =>
  Object.fromEntries(purposes.map((purpose) => [purpose, [newKey()]]))
const encode = (keys: KeyFile) => Buffer.from(JSON.stringify(keys, null, 2))

/** The file's keys; purposes that came with a newer version get theirs at its first start. */
function readKeys(path: string): KeyFile {
  const bytes = readOrMake(path, () => encode(newKeys(KEY_PURPOSES)))
  const file = JSON.parse(Buffer.from(bytes).toString()) as KeyFile
  const missing = KEY_PURPOSES.filter((purpose) => file[purpose] === undefined)
  if (missing.length === 0) return file
  const whole = { ...file, ...newKeys(missing) }
  replaceFileNow(path, encode(whole))
  return whole
}

/** To rotate, put a new key first in the purpose's list and keep the old one behind it. */
export class FileKeyring implements Keyring {
  readonly #keys = new Map<KeyPurpose, SymmetricKey[]>()

  /** @throws Error when the file holds no key of at least 256 bits for a purpose */
  constructor(path: string) {
    const file = readKeys(path)
    for (const purpose of KEY_PURPOSES) {
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
