/** The service's keys in memory, read from files that are created at the first start. */
import { statSync } from 'node:fs'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
import { hasFormer, KEY_NAMES, makeKeys, readHeld, type Held } from './key-files.ts'

const FORMER: SigningKeyName = 'former-issuing-ca'

type Keys = ReadonlyMap<SigningKeyName, Held>

async function readKeys(folder: string): Promise<Keys> {
  const names = hasFormer(folder) ? [...KEY_NAMES, FORMER] : KEY_NAMES
  const held = names.map(async (name) => [name, await readHeld(folder, name)] as const)
  return new Map(await Promise.all(held))
}

/**
 * Distinguishes a folder from its replacement. Each signature asks; the synchronous call takes
 * microseconds, and another thread would only be woken for it.
 */
function readIdentity(folder: string): string {
  const { ino, ctimeMs } = statSync(folder)
  return `${ino} ${ctimeMs}`
}

/** Keys that are replaced while the service runs are used from the next signature on. */
export class SoftwareKeys implements SigningDevice {
  readonly #folder: string
  #identity: string
  #keys: Keys

  private constructor(folder: string, identity: string, keys: Keys) {
    this.#folder = folder
    this.#identity = identity
    this.#keys = keys
  }

  /**
   * Opens the keys of a folder and creates it if necessary. Its `root.pem` is the trust anchor for
   * PDF readers.
   *
   * @param baseUrl base URL of the published lists, for new certificates
   */
  static async open(folder: string, now: Date, baseUrl: string): Promise<SoftwareKeys> {
    await makeKeys(folder, { now, baseUrl })
    return new SoftwareKeys(folder, readIdentity(folder), await readKeys(folder))
  }

  async describe(name: SigningKeyName): Promise<SigningKeyInfo> {
    await this.#readAgain()
    const { key, certificates, revocationLists = [] } = this.#held(name)
    const info = { algorithm: key.algorithm, certificates, revocationLists }
    const isFollowed = name === 'issuing-ca' && this.#keys.has(FORMER)
    return isFollowed ? { ...info, predecessor: FORMER } : info
  }

  async sign(name: SigningKeyName, data: Uint8Array): Promise<Uint8Array> {
    return this.#held(name).key.sign(data)
  }

  /**
   * Reloads replaced keys. While a replacement is in progress, the folder is missing and the loaded
   * keys are used.
   */
  async #readAgain(): Promise<void> {
    const identity = this.#currentIdentity()
    if (identity === this.#identity) return
    this.#keys = await readKeys(this.#folder)
    this.#identity = identity
  }

  #currentIdentity(): string {
    try {
      return readIdentity(this.#folder)
    } catch {
      return this.#identity
    }
  }

  #held(name: SigningKeyName): Held {
    const held = this.#keys.get(name)
    if (!held) throw new Error(`the key ${name} does not exist`)
    return held
  }
}
