/** The keys of one process, read at start from a folder with one file per key set. */
import { Buffer } from 'node:buffer'
import { createSecretKey } from 'node:crypto'
import {
  FACT_KEY,
  FACT_PUBLIC_KEYS,
  FOLDER_ONLY,
  KEY_GRANTS,
  type KeyHolder,
  type KeyringOf,
  type KeySet,
} from '../../domain/key-grants.ts'
import {
  KEY_PURPOSES,
  type FactSignature,
  type FactSigner,
  type FactVerifier,
  type Keyring,
  type KeyPurpose,
  type SymmetricKey,
} from '../../domain/ports/keyring.ts'
import { buildFactSigner, FactKeys, type NamedJwk } from './fact-keys.ts'
import { KEY_SETS, makeMissingKeySets, readKeySet, SECRET_BYTES } from './key-sets.ts'

function readSecret({ kid, kty, k = '' }: NamedJwk): SymmetricKey {
  if (kty !== 'oct') throw new Error('it is not a symmetric key')
  const secret = createSecretKey(Buffer.from(k, 'base64url'))
  if ((secret.symmetricKeySize ?? 0) < SECRET_BYTES) {
    throw new Error(`it has less than ${SECRET_BYTES} octets`)
  }
  return { kid, secret }
}

/** @throws Error that names the set, never a key */
function readUsable<T>(
  folder: string,
  set: KeySet,
  read: (keys: [NamedJwk, ...NamedJwk[]]) => T,
): T {
  try {
    return read(readKeySet(folder, set))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the keyring has no usable key for ${set}: ${reason}`, { cause: error })
  }
}

export class FileKeyring implements Keyring, FactSigner, FactVerifier {
  readonly #keys = new Map<KeyPurpose, SymmetricKey[]>()
  readonly #signer: FactSigner | undefined
  readonly #verifier: FactKeys | undefined

  /**
   * Reads only the named sets.
   *
   * @param folder with a file `<set>.json` for each set
   * @throws Error when one of the sets is missing or invalid
   */
  constructor(folder: string, sets: readonly KeySet[]) {
    for (const purpose of KEY_PURPOSES.filter((each) => sets.includes(each))) {
      this.#keys.set(
        purpose,
        readUsable(folder, purpose, (keys) => keys.map(readSecret)),
      )
    }
    if (sets.includes(FACT_PUBLIC_KEYS)) {
      this.#verifier = readUsable(folder, FACT_PUBLIC_KEYS, (keys) => new FactKeys(keys))
    }
    if (!sets.includes(FACT_KEY)) return
    const [first, signer] = readUsable(
      folder,
      FACT_KEY,
      ([key]) => [key, buildFactSigner(key)] as const,
    )
    // Other processes would silently ignore facts that they cannot verify.
    if (this.#verifier?.has(first.kid) === false) {
      throw new Error(`${FACT_PUBLIC_KEYS}.json lacks the first key of ${FACT_KEY}.json`)
    }
    this.#signer = signer
  }

  readonly current = (purpose: KeyPurpose): SymmetricKey => this.#all(purpose)[0] as SymmetricKey

  readonly find = (purpose: KeyPurpose, kid: string): SymmetricKey | undefined =>
    this.#all(purpose).find((key) => key.kid === kid)

  readonly signFact = (message: Uint8Array): FactSignature =>
    given(this.#signer, FACT_KEY).signFact(message)

  readonly isFactSignature = (message: Uint8Array, signature: FactSignature): boolean =>
    given(this.#verifier, FACT_PUBLIC_KEYS).isFactSignature(message, signature)

  #all(purpose: KeyPurpose): SymmetricKey[] {
    return given(this.#keys.get(purpose), purpose)
  }
}

/** @throws Error when `KEY_GRANTS` does not grant the set to the process */
function given<T>(keys: T | undefined, set: KeySet): T {
  if (keys === undefined) throw new Error(`this process does not have the keys of ${set}`)
  return keys
}

/**
 * Opens the keyring of one process.
 *
 * @param keepsObjects whether the service stores the objects in a folder and signs their URLs
 *   itself
 * @throws Error when a required key is missing or invalid
 */
export function openKeyring<H extends KeyHolder>(
  folder: string,
  holder: H,
  { keepsObjects }: { keepsObjects: boolean },
): KeyringOf<H> {
  const sets: readonly KeySet[] = KEY_GRANTS[holder]
  const needed = sets.filter((set) => keepsObjects || !FOLDER_ONLY.has(set))
  return new FileKeyring(folder, needed) as KeyringOf<H>
}

/**
 * Opens all keys of a folder and creates missing ones, for commands on one machine and for tests.
 */
export function openWholeKeyring(folder: string): FileKeyring {
  makeMissingKeySets(folder)
  return new FileKeyring(folder, KEY_SETS)
}
