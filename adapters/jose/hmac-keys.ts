/** Keys of the keyring in the form of WebCrypto, imported once instead of for every token. */
import { errors } from 'jose'
import type { webcrypto } from 'node:crypto'
import type { Keyring, KeyPurpose } from '../../domain/ports/keyring.ts'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
type CryptoKey = webcrypto.CryptoKey

export class HmacKeys<P extends KeyPurpose> {
  readonly #keyring: Keyring<P>
  readonly #purpose: P
  readonly #imported = new Map<string, CryptoKey>()

  /** @throws Error when the process does not have the keys of the purpose */
  constructor(keyring: Keyring<P>, purpose: P) {
    keyring.current(purpose)
    this.#keyring = keyring
    this.#purpose = purpose
  }

  /**
   * Returns the key of a token, for `jwtVerify`.
   *
   * @throws errors.JWKSNoMatchingKey when it is unknown or has been retired
   */
  find(kid = ''): CryptoKey {
    const key = this.#keyring.find(this.#purpose, kid)
    if (!key) throw new errors.JWKSNoMatchingKey()
    const imported = this.#imported.get(kid) ?? key.secret.toCryptoKey(ALGORITHM, false, ['verify'])
    this.#imported.set(kid, imported)
    return imported
  }
}
