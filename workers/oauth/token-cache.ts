/**
 * Access tokens that all workers share: sealed with AES-256-GCM under names that tell nothing of
 * the credentials.
 */
import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Ephemeral } from '../../domain/ports/ephemeral.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { WorkerLog } from '../deps.ts'
import type { ClientCredentials } from './client-credentials.ts'

const CIPHER = 'aes-256-gcm'
const KEY_OCTETS = 32
const NONCE_OCTETS = 12
const TAG_OCTETS = 16
/** A token is asked for again after so long, however long it lives. */
const MAXIMUM_AGE_MS = 24 * 60 * 60 * 1000

export interface TokenCacheDeps {
  ephemeral: Ephemeral
  keyring: Keyring<'access-token'>
  log: WorkerLog
}

/**
 * What it cannot read is absent: after a rotation of the key the names are others, and the store
 * may be lost at any time.
 */
export class TokenCache {
  readonly #deps: TokenCacheDeps

  /** @throws Error when the process does not have the keys of access tokens */
  constructor(deps: TokenCacheDeps) {
    deps.keyring.current('access-token')
    this.#deps = deps
  }

  /**
   * The place of the credentials' token: an HMAC, so that a secret cannot be guessed from it, over
   * all that the token depends on.
   */
  nameOf(credentials: ClientCredentials): string {
    const { tenant, tokenUrl, clientId, clientSecret, tokenAuthMethod } = credentials
    const { scope = '', audience = '' } = credentials
    const parts = [tenant, tokenUrl, tokenAuthMethod, clientId, clientSecret, scope, audience]
    const mac = createHmac('sha256', this.#key('name')).update(JSON.stringify(parts))
    return `access-token:${mac.digest('hex')}`
  }

  /**
   * @returns undefined when there is none that can be read; a store that fails is logged, not
   * thrown
   */
  async read(name: string): Promise<string | undefined> {
    try {
      const sealed = await this.#deps.ephemeral.get(name)
      return sealed === undefined ? undefined : this.#unseal(name, sealed)
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be read')
      return undefined
    }
  }

  /** @param lifeMs so long the token may be used from now on; none or less: it is not kept */
  async keep(name: string, token: string, lifeMs: number): Promise<void> {
    const ttlMs = Math.floor(Math.min(lifeMs, MAXIMUM_AGE_MS))
    if (ttlMs <= 0) return
    try {
      await this.#deps.ephemeral.set(name, this.#seal(name, token), { ttlMs })
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be kept')
    }
  }

  /** For a token that did not work; a store that fails is logged, not thrown. */
  async forget(name: string): Promise<void> {
    try {
      await this.#deps.ephemeral.delete(name)
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be forgotten')
    }
  }

  #key(use: 'name' | 'seal'): Uint8Array {
    const { secret } = this.#deps.keyring.current('access-token')
    return new Uint8Array(hkdfSync('sha256', secret, '', `sigcase access-token ${use}`, KEY_OCTETS))
  }

  /** Nonce, ciphertext and tag; bound to the name, so that a value moved elsewhere is worthless. */
  #seal(name: string, token: string): string {
    const nonce = randomBytes(NONCE_OCTETS)
    const cipher = createCipheriv(CIPHER, this.#key('seal'), nonce, { authTagLength: TAG_OCTETS })
    cipher.setAAD(Buffer.from(name))
    const sealed = [nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** @throws Error when the value was not sealed by us under this name */
  #unseal(name: string, sealed: string): string {
    const octets = Buffer.from(sealed, 'base64url')
    const nonce = octets.subarray(0, NONCE_OCTETS)
    const decipher = createDecipheriv(CIPHER, this.#key('seal'), nonce, {
      authTagLength: TAG_OCTETS,
    })
    decipher.setAAD(Buffer.from(name))
    decipher.setAuthTag(octets.subarray(-TAG_OCTETS))
    const text = decipher.update(octets.subarray(NONCE_OCTETS, -TAG_OCTETS))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }
}
