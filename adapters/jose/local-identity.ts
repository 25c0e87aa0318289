/** Tenants' identity tokens of a local issuer, for a service on one machine. */
import { errors, jwtVerify, SignJWT } from 'jose'
import type { TenantAuthentication, TenantIdentity } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'sigcase-local'
const AUDIENCE = 'sigcase'
const TOKEN_LIFE_MS = 30 * 24 * 60 * 60 * 1000
/** A tenant is a namespace: a DNS label (RFC 1123). */
const TENANT_PATTERN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether the text can name a tenant. */
export function isTenantName(text: string): boolean {
  return TENANT_PATTERN.test(text)
}

/**
 * A bearer token for the tenant, good for 30 days. @throws RangeError for what is no tenant's name
 */
export async function mintTenantToken(
  keyring: Keyring,
  tenant: string,
  now: Date,
): Promise<string> {
  if (!isTenantName(tenant)) throw new RangeError(`"${tenant}" is not a tenant's name`)
  const { kid, secret } = keyring.current('tenant-token')
  return new SignJWT({ tenant })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(tenant)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + TOKEN_LIFE_MS))
    .sign(secret)
}

export class LocalTenantIdentity implements TenantIdentity {
  readonly #keyring: Keyring
  readonly #now: () => Date

  constructor(keyring: Keyring, now: () => Date) {
    this.#keyring = keyring
    this.#now = now
  }

  async authenticate(bearerToken: string): Promise<TenantAuthentication> {
    try {
      const { payload } = await jwtVerify(
        bearerToken,
        ({ kid = '' }) => {
          const key = this.#keyring.find('tenant-token', kid)
          if (!key) throw new errors.JWKSNoMatchingKey()
          return key.secret
        },
        {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['exp'],
          currentDate: this.#now(),
        },
      )
      const { tenant } = payload
      if (typeof tenant !== 'string' || !isTenantName(tenant)) return { outcome: 'no-tenant' }
      return { outcome: 'tenant', tenant }
    } catch (error) {
      if (error instanceof errors.JOSEError) return { outcome: 'invalid' }
      throw error
    }
  }
}
