/** Verifies identity tokens (OpenID Connect Core 1.0, 3.1.3.7; RFC 8725). */
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { KeySets, type KeySetsOptions } from './key-sets.ts'

/** Signatures by keys that the issuer alone has; no secret, and not `none`. */
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
/** Longer than any that fits into a header. */
const MAXIMUM_LENGTH = 16 * 1024
/** Between the issuer's clock and ours. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A verified token is not verified again so long; within it, a withdrawn key still counts. */
const REMEMBERED_MS = 60 * 1000
const MAXIMUM_REMEMBERED = 1_000

interface Verified {
  payload: JWTPayload
  untilMs: number
}

/** The issuer that a token names; nothing is verified yet. */
export function issuerOf(token: string): string | undefined {
  if (token.length > MAXIMUM_LENGTH) return undefined
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Whether the token is made out to the audience. */
export function isFor({ aud }: JWTPayload, audience: string): boolean {
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience
}

export class IdentityTokens {
  readonly #keySets: KeySets
  readonly #now: () => Date
  readonly #verified = new Map<string, Verified>()

  constructor(options: KeySetsOptions) {
    this.#keySets = new KeySets(options)
    this.#now = options.now
  }

  /**
   * Verifies signature, issuer and times; for whom the token is, the caller asks.
   *
   * @param issuer one that was configured
   * @returns what the token says, or undefined when it is not the issuer's or not good now
   * @throws ServiceError TIMEOUT when the issuer's keys cannot be had
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
      const { payload } = await jwtVerify(token, this.#keySets.keysOf(issuer), {
        algorithms: ALGORITHMS,
        issuer,
        requiredClaims: ['exp', 'aud'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: this.#now(),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}
