/**
 * Access tokens for tenants' endpoints: from the cache while valid, otherwise from the token
 * endpoint.
 */
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import {
  readGrant,
  tokenRequest,
  type ClientCredentials,
  type Grant,
} from './client-credentials.ts'
import { TokenCache, type TokenCacheDeps, type TokenPlace } from './token-cache.ts'

/** A token is not used in its last minute (specification 5.6). */
const EARLY_MS = 60_000

export type TokenResult =
  | { outcome: 'token'; accessToken: string }
  /** The delivery is retried. */
  | { outcome: 'unavailable'; error: string }
  /** The delivery fails. */
  | { outcome: 'refused'; error: string }

export interface AccessTokensDeps extends TokenCacheDeps {
  outboundHttp: OutboundHttp
  now(): Date
}

/** Access tokens for the tenants' endpoints, from the cache or by an exchange (RFC 6749, 4.4). */
export class AccessTokens {
  readonly #deps: AccessTokensDeps
  readonly #cache: TokenCache
  /** Exchanges in progress; concurrent requests for a token share one. */
  readonly #flights = new Map<string, Promise<TokenResult>>()

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps
    this.#cache = new TokenCache(deps)
  }

  /**
   * Returns a token for the endpoint, shared between workers until 60 s before it expires.
   *
   * @param rejected a token that the endpoint just answered with 401: it is deleted from the cache,
   *   and a new one is fetched unless another worker has already done so
   */
  get(credentials: ClientCredentials, rejected?: string): Promise<TokenResult> {
    const place = this.#cache.placeOf(credentials)
    const flight = rejected === undefined ? place.digest : `${place.digest} ${rejected}`
    const running = this.#flights.get(flight)
    if (running) return running
    const started = this.#obtain(place, credentials, rejected).finally(() =>
      this.#flights.delete(flight),
    )
    this.#flights.set(flight, started)
    return started
  }

  async #obtain(
    place: TokenPlace,
    credentials: ClientCredentials,
    rejected: string | undefined,
  ): Promise<TokenResult> {
    const cached = await this.#cache.read(place)
    if (cached !== undefined) {
      if (cached !== rejected) return { outcome: 'token', accessToken: cached }
      await this.#cache.forget(place)
    }
    const request = tokenRequest(credentials)
    if (!request) return { outcome: 'refused', error: 'token endpoint: tokenUrl is not https' }
    const askedMs = this.#deps.now().getTime()
    const grant: Grant = readGrant(await this.#deps.outboundHttp.send(request))
    if (grant.outcome !== 'granted') return grant
    const { accessToken, lifeMs } = grant
    const elapsedMs = this.#deps.now().getTime() - askedMs
    await this.#cache.keep(place, accessToken, lifeMs - EARLY_MS - elapsedMs)
    return { outcome: 'token', accessToken }
  }
}
