/** Identity tokens of tenants from a local issuer, for a service on one machine. */
import { errors, jwtVerify } from 'jose'
import type { TenantAuthentication, TenantIdentity } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import { ALGORITHM, compactJws } from './compact-jws.ts'
import { HmacKeys } from './hmac-keys.ts'

const PURPOSE = 'tenant-token'
const TYPE = 'JWT'
/** A tenant on a cluster may name this issuer. */
export const LOCAL_ISSUER = 'sigcase-local'
const AUDIENCE = 'sigcase'
const TOKEN_LIFE_SECONDS = 30 * 24 * 60 * 60
/** A tenant is a namespace, so its name is a DNS label (RFC 1123). */
const TENANT_PATTERN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether the text is a valid tenant name. */
export function isTenantName(text: string): boolean {
  return TENANT_PATTERN.test(text)
}

/**
 * Makes a bearer token for the tenant.
 *
 * @param lifeSeconds 30 days unless given
 * @throws RangeError for an invalid tenant name
 */
export async function mintTenantToken(
  keyring: Keyring<'tenant-token'>,
  tenant: string,
  now: Date,
  lifeSeconds = TOKEN_LIFE_SECONDS,
): Promise<string> {
  if (!isTenantName(tenant)) throw new RangeError(`"${tenant}" is not a tenant's name`)
  const iat = Math.floor(now.getTime() / 1000)
  return compactJws(keyring.current(PURPOSE), TYPE, {
    tenant,
    iss: LOCAL_ISSUER,
    aud: AUDIENCE,
    sub: tenant,
    iat,
    exp: iat + lifeSeconds,
  })
}

/** Maximum number of verified tokens that are cached until they expire. */
const MAXIMUM_REMEMBERED = 1_000

interface Verified {
  authentication: TenantAuthentication
  expiresAtMs: number
}

export class LocalTenantIdentity implements TenantIdentity {
  readonly #keys: HmacKeys<'tenant-token'>
  readonly #now: () => Date
  readonly #verified = new Map<string, Verified>()

  constructor(keyring: Keyring<'tenant-token'>, now: () => Date) {
    this.#keys = new HmacKeys(keyring, PURPOSE)
    this.#now = now
  }

  async authenticate(bearerToken: string): Promise<TenantAuthentication> {
    const known = this.#verified.get(bearerToken)
    if (known && this.#now().getTime() < known.expiresAtMs) return known.authentication
    const verified = await this.#verify(bearerToken)
    if (!verified) return { outcome: 'invalid' }
    if (this.#verified.size >= MAXIMUM_REMEMBERED) this.#verified.clear()
    this.#verified.set(bearerToken, verified)
    return verified.authentication
  }

  async #verify(bearerToken: string): Promise<Verified | undefined> {
    try {
      const { payload } = await jwtVerify(bearerToken, ({ kid }) => this.#keys.find(kid), {
        algorithms: [ALGORITHM],
        issuer: LOCAL_ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        currentDate: this.#now(),
      })
      const { tenant, exp = 0 } = payload
      const authentication: TenantAuthentication =
        typeof tenant === 'string' && isTenantName(tenant)
          ? { outcome: 'tenant', tenant }
          : { outcome: 'no-tenant' }
      return { authentication, expiresAtMs: exp * 1000 }
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}
