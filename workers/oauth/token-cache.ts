/**
 * Access tokens shared by all workers: encrypted with AES-256-GCM, beside digests that reveal
 * nothing about the credentials.
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
/**
 * Tokens of one tenant that are cached at most: 22 MB of the longest ones. Among ten credentials of
 * a tenant, two share a place in 4 % of cases; then the last used of them is cached.
 */
const PLACES_OF_TENANT = 1024
const SEPARATOR = '.'

export interface TokenCacheDeps {
  ephemeral: ExpiringValues
  keyring: Keyring<'access-token'>
  log: WorkerLog
}

/** Where the token of credentials is cached. */
export interface TokenPlace {
  /** In the store; other credentials of the tenant may have the same. */
  key: string
  /** An HMAC over everything that the token depends on, so that secrets cannot be guessed. */
  digest: string
}

/**
 * A token that the cache cannot read counts as absent: a key rotation changes the digests, and the
 * store may lose data at any time.
 */
export class TokenCache {
  readonly #deps: TokenCacheDeps

  /** @throws Error when the process does not have the keys for access tokens */
  constructor(deps: TokenCacheDeps) {
    deps.keyring.current('access-token')
    this.#deps = deps
  }

  /** Returns the place of the token for these credentials. */
  placeOf(credentials: ClientCredentials): TokenPlace {
    const { tenant, tokenUrl, clientId, clientSecret, tokenAuthMethod } = credentials
    const { scope = '', audience = '' } = credentials
    const parts = [tenant, tokenUrl, tokenAuthMethod, clientId, clientSecret, scope, audience]
    const mac = createHmac('sha256', this.#key('name')).update(JSON.stringify(parts)).digest()
    const number = mac.readUInt32BE() % PLACES_OF_TENANT
    return { key: `access-token/${tenant}/${number}`, digest: mac.toString('hex') }
  }

  /** @returns undefined when there is no readable token; a failing store is logged, not thrown */
  async read({ key, digest }: TokenPlace): Promise<string | undefined> {
    try {
      const [owner, sealed] = (await this.#deps.ephemeral.get(key))?.split(SEPARATOR) ?? []
      return owner === digest ? this.#unseal(digest, sealed ?? '') : undefined
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be read')
      return undefined
    }
  }

  /**
   * @param lifeMs remaining lifetime in milliseconds; a token without remaining lifetime is not
   *   cached
   */
  async keep({ key, digest }: TokenPlace, token: string, lifeMs: number): Promise<void> {
    const ttlMs = Math.floor(Math.min(lifeMs, MAXIMUM_AGE_MS))
    if (ttlMs <= 0) return
    const value = `${digest}${SEPARATOR}${this.#seal(digest, token)}`
    try {
      await this.#deps.ephemeral.set(key, value, { ttlMs })
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be cached')
    }
  }

  /** Deletes a rejected token; a failing store is logged, not thrown. */
  async forget({ key }: TokenPlace): Promise<void> {
    try {
      await this.#deps.ephemeral.delete(key)
    } catch (err) {
      this.#deps.log.warn({ err }, 'an access token could not be deleted from the cache')
    }
  }

  #key(use: 'name' | 'seal'): Uint8Array {
    const { secret } = this.#deps.keyring.current('access-token')
    return new Uint8Array(hkdfSync('sha256', secret, '', `sigcase access-token ${use}`, KEY_OCTETS))
  }

  /**
   * Returns nonce, ciphertext and tag. The digest is authenticated, so a value is not taken for
   * that of other credentials.
   */
  #seal(digest: string, token: string): string {
    const nonce = randomBytes(NONCE_OCTETS)
    const cipher = createCipheriv(CIPHER, this.#key('seal'), nonce, { authTagLength: TAG_OCTETS })
    cipher.setAAD(Buffer.from(digest))
    const sealed = [nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** @throws Error when this service did not encrypt the value beside this digest */
  #unseal(digest: string, sealed: string): string {
    const octets = Buffer.from(sealed, 'base64url')
    const nonce = octets.subarray(0, NONCE_OCTETS)
    const decipher = createDecipheriv(CIPHER, this.#key('seal'), nonce, {
      authTagLength: TAG_OCTETS,
    })
    decipher.setAAD(Buffer.from(digest))
    decipher.setAuthTag(octets.subarray(-TAG_OCTETS))
    const text = decipher.update(octets.subarray(NONCE_OCTETS, -TAG_OCTETS))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }
}
