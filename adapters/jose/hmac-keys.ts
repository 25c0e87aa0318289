/** Keys of the ring as WebCrypto takes them, imported once instead of with every token. */
import { errors } from 'jose'
import { Buffer } from 'node:buffer'
import { webcrypto } from 'node:crypto'
import type { Keyring, KeyPurpose, SymmetricKey } from '../../domain/ports/keyring.ts'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
type CryptoKey = webcrypto.CryptoKey

export class HmacKeys {
  readonly #keyring: Keyring
  readonly #purpose: KeyPurpose
  readonly #imported = new Map<string, Promise<CryptoKey>>()

  constructor(keyring: Keyring, purpose: KeyPurpose) {
    this.#keyring = keyring
    this.#purpose = purpose
  }

  /** The key that new tokens are signed with. */
  async current(): Promise<{ kid: string; key: CryptoKey }> {
    const key = this.#keyring.current(this.#purpose)
    return { kid: key.kid, key: await this.#import(key) }
  }

  /**
   * The key that signed a token, as `jwtVerify` asks for it.
   * @throws errors.JWKSNoMatchingKey when it was never ours or has been retired
   */
  async find(kid = ''): Promise<CryptoKey> {
    const key = this.#keyring.find(this.#purpose, kid)
    if (!key) throw new errors.JWKSNoMatchingKey()
    return this.#import(key)
  }

  #import({ kid, secret }: SymmetricKey): Promise<CryptoKey> {
    const imported =
      this.#imported.get(kid) ??
      webcrypto.subtle.importKey('raw', Buffer.from(secret), ALGORITHM, false, ['sign', 'verify'])
    this.#imported.set(kid, imported)
    return imported
  }
}
