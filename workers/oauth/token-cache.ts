/**
 * Access tokens shared by all workers: encrypted with AES-256-GCM, under names that reveal nothing
 * about the credentials.
 */
import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { WorkerLog } from '../deps.ts'
import type { ClientCredentials } from './client-credentials.ts'

const CIPHER = 'aes-256-gcm'
const KEY_OCTETS = 32
const NONCE_OCTETS = 12
const TAG_OCTETS = 16
/** Longest time that a token is cached, regardless of its lifetime. */
const MAXIMUM_AGE_MS = 24 * 60 * 60 * 1000

export interface TokenCacheDeps {
  ephemeral: ExpiringValues
  keyring: Keyring<'access-token'>
  log: WorkerLog
}

/**
 * A token that the cache cannot read counts as absent: a key rotation changes the names, and the
 * store may lose data at any time.
 */
export class TokenCache {
  readonly #deps: TokenCacheDeps

  /** @throws Error when the process does not have the keys for access tokens */
  constructor(deps: TokenCacheDeps) {
    deps.keyring.current('access-token')
    this.#deps = deps
  }

  /**
   * Cache key for the credentials: an HMAC over everything that the token depends on, so that
   * secrets cannot be guessed from it.
   */
  nameOf(credentials: ClientCredentials): string {
    const { tenant, tokenUrl, clientId, clientSecret, tokenAuthMethod } = credentials
    const { scope = '', audience = '' } = credentials
    const parts = [tenant, tokenUrl, tokenAuthMethod, clientId, clientSecret, scope, audience]
    const mac = createHmac('sha256', this.#key('name')).update(JSON.stringify(parts))
    return `access-token:${mac.digest('hex')}`
  }

  /** @returns undefined when there is no readable token; a failing store is logged, not thrown */
  async read(name: string): Promise<string | undefined> {
    try {
      const sealed = await this.#deps.ephemeral.get(name)
      return sealed === undefined ? undefined : this.#unseal(name, sealed)
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be read')
      return undefined
    }
  }

  /**
   * @param lifeMs remaining lifetime in milliseconds; a token without remaining lifetime is not
   *   cached
   */
  async keep(name: string, token: string, lifeMs: number): Promise<void> {
    const ttlMs = Math.floor(Math.min(lifeMs, MAXIMUM_AGE_MS))
    if (ttlMs <= 0) return
    try {
      await this.#deps.ephemeral.set(name, this.#seal(name, token), { ttlMs })
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be cached')
    }
  }

  /** Deletes a rejected token; a failing store is logged, not thrown. */
  async forget(name: string): Promise<void> {
    try {
      await this.#deps.ephemeral.delete(name)
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be deleted from the cache')
    }
  }

  #key(use: 'name' | 'seal'): Uint8Array {
    const { secret } = this.#deps.keyring.current('access-token')
    return new Uint8Array(hkdfSync('sha256', secret, '', `sigcase access-token ${use}`, KEY_OCTETS))
  }

  /**
   * Returns nonce, ciphertext and tag. The name is authenticated, so a value cannot be moved to
   * another name.
   */
  #seal(name: string, token: string): string {
    const nonce = randomBytes(NONCE_OCTETS)
    const cipher = createCipheriv(CIPHER, this.#key('seal'), nonce, { authTagLength: TAG_OCTETS })
    cipher.setAAD(Buffer.from(name))
    const sealed = [nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** @throws Error when this service did not encrypt the value under this name */
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
