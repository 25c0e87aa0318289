/**
 * Keys of token issuers (OpenID Connect Discovery 1.0; RFC 7517): fetched through the egress guard,
 * cached, and refreshed.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { ServiceError } from '../../domain/errors.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import { readRetryAfterMs } from '../shared/retry-after.ts'

const TIMEOUT_MS = 5_000
const MAXIMUM_OCTETS = 256 * 1024
const OK = 200
/** Keys are refreshed after this time. */
const FRESH_MS = 10 * 60 * 1000
/**
 * Cached keys stay usable for this long while the issuer is not reachable; a withdrawn key is
 * refused after it.
 */
const USABLE_MS = 60 * 60 * 1000
/**
 * Minimum interval of refreshes for unknown keys, because anybody can send a token with any key id.
 */
const COOL_DOWN_MS = 30 * 1000
const DISCOVERY_PATH = '/.well-known/openid-configuration'

interface KeySet {
  find: JWTVerifyGetKey
  fetchedAtMs: number
}

interface Issuer {
  keys?: KeySet
  /** Start of the last fetch. */
  triedAtMs: number
  /** The issuer asked not to be contacted before this time. */
  pausedUntilMs?: number
  fetching?: Promise<KeySet>
}

export interface KeySetsOptions {
  http: OutboundHttp
  now: () => Date
}

/** The response of an issuer is invalid. */
class IssuerError extends Error {
  override readonly name = 'IssuerError'
  /** Delay that the issuer requested, in milliseconds. */
  pauseMs?: number
}

export class KeySets {
  readonly #http: OutboundHttp
  readonly #now: () => Date
  readonly #issuers = new Map<string, Issuer>()

  constructor({ http, now }: KeySetsOptions) {
    this.#http = http
    this.#now = now
  }

  /**
   * Returns a function that finds the key of a token. Only configured issuers are contacted.
   *
   * @returns a function that throws ServiceError TIMEOUT when the keys are not available, and
   *   JWKSNoMatchingKey when the newest keys contain none for the token
   */
  keySource(issuer: string): JWTVerifyGetKey {
    return async (header, token) => {
      const keys = await this.#usableKeys(issuer)
      try {
        return await keys.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        const newer = await this.#newerKeys(issuer, keys)
        if (!newer) throw error
        return newer.find(header, token)
      }
    }
  }

  async #usableKeys(name: string): Promise<KeySet> {
    const { keys, triedAtMs, pausedUntilMs = 0 } = this.#issuer(name)
    const nowMs = this.#now().getTime()
    if (keys && nowMs < keys.fetchedAtMs + FRESH_MS) return keys
    const isUsable = keys && nowMs < keys.fetchedAtMs + USABLE_MS
    if (isUsable && nowMs < triedAtMs + COOL_DOWN_MS) return keys
    if (nowMs < pausedUntilMs) {
      const retryAfterSeconds = Math.ceil((pausedUntilMs - nowMs) / 1000)
      throw new ServiceError('TIMEOUT', { retryAfterSeconds })
    }
    try {
      return await this.#fetch(name)
    } catch (cause) {
      if (isUsable) return keys
      throw new ServiceError('TIMEOUT', {}, { cause })
    }
  }

  /** @returns undefined when it is too early to fetch again, or fetching failed */
  async #newerKeys(name: string, known: KeySet): Promise<KeySet | undefined> {
    const { keys, triedAtMs, fetching } = this.#issuer(name)
    if (keys && keys !== known) return keys
    if (!fetching && this.#now().getTime() < triedAtMs + COOL_DOWN_MS) return undefined
    return this.#fetch(name).catch(() => undefined)
  }

  #issuer(name: string): Issuer {
    const known = this.#issuers.get(name)
    if (known) return known
    const issuer = { triedAtMs: Number.NEGATIVE_INFINITY }
    this.#issuers.set(name, issuer)
    return issuer
  }

  /** Concurrent callers share one fetch. */
  async #fetch(name: string): Promise<KeySet> {
    const issuer = this.#issuer(name)
    issuer.triedAtMs = this.#now().getTime()
    issuer.fetching ??= this.#read(name).finally(() => delete issuer.fetching)
    try {
      issuer.keys = await issuer.fetching
      return issuer.keys
    } catch (error) {
      const { pauseMs = 0 } = error as IssuerError
      // Limits the pause that an issuer requests, so that its tenants are not locked out for long.
      issuer.pausedUntilMs = this.#now().getTime() + Math.min(pauseMs, COOL_DOWN_MS)
      throw error
    }
  }

  async #read(issuer: string): Promise<KeySet> {
    const document = await this.#json(issuer.replace(/\/$/, '') + DISCOVERY_PATH)
    const { issuer: said, jwks_uri: address } = document
    if (said !== issuer) throw new IssuerError(`discovery names another issuer: ${String(said)}`)
    if (typeof address !== 'string' || (/^https:/.test(issuer) && !/^https:/.test(address))) {
      throw new IssuerError('the issuer does not publish an https address of its keys')
    }
    const set = (await this.#json(address)) as unknown as JSONWebKeySet
    return { find: createLocalJWKSet(set), fetchedAtMs: this.#now().getTime() }
  }

  async #json(url: string): Promise<Record<string, unknown>> {
    const answer = await this.#http.send({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maximumResponseOctets: MAXIMUM_OCTETS,
    })
    if (answer.outcome !== 'answered') throw new IssuerError(`${url}: ${answer.reason}`)
    if (answer.status !== OK || answer.truncated) {
      const error = new IssuerError(`${url} answered ${answer.status}`)
      const pauseMs = readRetryAfterMs(answer.headers['retry-after'], this.#now().getTime())
      throw pauseMs === undefined ? error : Object.assign(error, { pauseMs })
    }
    const value: unknown = JSON.parse(new TextDecoder().decode(answer.body))
    if (typeof value !== 'object' || value === null)
      throw new IssuerError(`${url} is not a JSON object`)
    return value as Record<string, unknown>
  }
}
