/**
 * Keys of token issuers (OpenID Connect Discovery 1.0; RFC 7517), fetched through the egress guard,
 * kept, and fetched again when an issuer has new ones.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { ServiceError } from '../../domain/errors.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import { readRetryAfterMs } from '../retry-after.ts'

const TIMEOUT_MS = 5_000
const MAXIMUM_OCTETS = 256 * 1024
const OK = 200
/** Keys are looked for anew after this. */
const FRESH_MS = 10 * 60 * 1000
/** An issuer that is away does not lock everybody out at once; a withdrawn key ends by then. */
const USABLE_MS = 60 * 60 * 1000
/** A key that nobody knows is not looked for more often: anybody can name one. */
const COOL_DOWN_MS = 30 * 1000
const DISCOVERY_PATH = '/.well-known/openid-configuration'

interface KeySet {
  find: JWTVerifyGetKey
  fetchedAtMs: number
}

interface Issuer {
  keys?: KeySet
  /** When fetching was begun last. */
  triedAtMs: number
  /** Until then the issuer asked not to be asked again. */
  pausedUntilMs?: number
  fetching?: Promise<KeySet>
}

export interface KeySetsOptions {
  http: OutboundHttp
  now: () => Date
}

/** The issuer said something else than it must. */
class IssuerError extends Error {
  override readonly name = 'IssuerError'
  /** For how long the issuer asked to wait. */
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
   * The issuer's way to find the key of a token. Only issuers that somebody configured are asked.
   *
   * @returns a function that throws ServiceError TIMEOUT when there are no keys to be had, and
   *   JWKSNoMatchingKey when the newest have none for the token
   */
  keysOf(issuer: string): JWTVerifyGetKey {
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

  /** @returns undefined when it is too early to ask again, or asking did not help */
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

  /** Many that wait for one issuer ask it once. */
  async #fetch(name: string): Promise<KeySet> {
    const issuer = this.#issuer(name)
    issuer.triedAtMs = this.#now().getTime()
    issuer.fetching ??= this.#read(name).finally(() => delete issuer.fetching)
    try {
      issuer.keys = await issuer.fetching
      return issuer.keys
    } catch (error) {
      const { pauseMs = 0 } = error as IssuerError
      // No issuer locks its tenants out for longer than it takes to look for a new key.
      issuer.pausedUntilMs = this.#now().getTime() + Math.min(pauseMs, COOL_DOWN_MS)
      throw error
    }
  }

  async #read(issuer: string): Promise<KeySet> {
    const document = await this.#json(issuer.replace(/\/$/, '') + DISCOVERY_PATH)
    const { issuer: said, jwks_uri: address } = document
    if (said !== issuer) throw new IssuerError(`the issuer calls itself ${String(said)}`)
    if (typeof address !== 'string' || (/^https:/.test(issuer) && !/^https:/.test(address))) {
      throw new IssuerError('the issuer names no https address of its keys')
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
    if (typeof value !== 'object' || value === null) throw new IssuerError(`${url} has no object`)
    return value as Record<string, unknown>
  }
}
