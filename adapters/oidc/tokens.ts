/** Verifies identity tokens (OpenID Connect Core 1.0, 3.1.3.7; RFC 8725). */
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { KeySets, type KeySetsOptions } from './key-sets.ts'

/** Asymmetric signatures only: neither shared secrets nor `none`. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** Longer than any token that fits into a header. */
const MAXIMUM_LENGTH = 16 * 1024
/** Tolerance between the issuer's clock and this one. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A verified token is cached for this time; a withdrawn key is still accepted within it. */
const REMEMBERED_MS = 60 * 1000
const MAXIMUM_REMEMBERED = 1_000

interface Verified {
  payload: JWTPayload
  untilMs: number
}

/** Returns the issuer that a token names, without verifying anything. */
export function issuerOf(token: string): string | undefined {
  if (token.length > MAXIMUM_LENGTH) return undefined
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Whether the token is intended for the audience. */
export function isFor({ aud }: JWTPayload, audience: string): boolean {
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience
}

/**
 * Whether the error says that the runtime cannot use the key that the issuer published. Such keys
 * are ignored (RFC 7517, 5), so the token has none. Errors of fetching keys are ServiceErrors.
 */
const isKeyUnusable = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof DOMException

export class IdentityTokens {
  readonly #keySets: KeySets
  readonly #now: () => Date
  readonly #verified = new Map<string, Verified>()

  constructor(options: KeySetsOptions) {
    this.#keySets = new KeySets(options)
    this.#now = options.now
  }

  /**
   * Verifies signature, issuer and times; the caller checks the audience.
   *
   * @param issuer a configured issuer
   * @returns the payload, or undefined when the token is not the issuer's or not valid now
   * @throws ServiceError TIMEOUT when the issuer's keys are not available
   */
  async verify(token: string, issuer: string): Promise<JWTPayload | undefined> {
    if (token.length > MAXIMUM_LENGTH) return undefined
    const known = this.#verified.get(token)
    if (known && this.#now().getTime() < known.untilMs) {
      return known.payload.iss === issuer ? known.payload : undefined
    }
    const payload = await this.#verify(token, issuer)
    if (!payload) return undefined
    if (this.#verified.size >= MAXIMUM_REMEMBERED) this.#verified.clear()
    const expiresAtMs = (payload.exp as number) * 1000
    const untilMs = Math.min(expiresAtMs, this.#now().getTime() + REMEMBERED_MS)
    this.#verified.set(token, { payload, untilMs })
    return payload
  }

  async #verify(token: string, issuer: string): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#keySets.keySource(issuer), {
        algorithms: ALGORITHMS,
        issuer,
        requiredClaims: ['exp', 'aud'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: this.#now(),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JOSEError || isKeyUnusable(error)) return undefined
      throw error
    }
  }
}
