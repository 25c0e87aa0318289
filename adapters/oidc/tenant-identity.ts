/** Identifies tenants by identity token: by issuer, audience and a claim (specification 5.1). */
import type { JWTPayload } from 'jose'
import type { TenantAuthentication, TenantIdentity } from '../../domain/ports/identity.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'
import { type IdentityTokens, isFor, issuerOf } from './tokens.ts'

/** The rule for a tenant's tokens, from its `Tenant` resource. */
export type TenantRule = TenantSpec['identity'] & { tenant: string }

export interface OidcTenantIdentityOptions {
  tokens: IdentityTokens
  /** Returns the current rules of all tenants. */
  rules: () => readonly TenantRule[] | Promise<readonly TenantRule[]>
}

/** A claim with several values matches when one of them does. */
function hasValue(payload: JWTPayload, { claim, value }: TenantRule): boolean {
  if (!Object.hasOwn(payload, claim)) return false
  const said = payload[claim]
  return Array.isArray(said) ? said.includes(value) : said === value
}

export class OidcTenantIdentity implements TenantIdentity {
  readonly #tokens: IdentityTokens
  readonly #rules: OidcTenantIdentityOptions['rules']

  constructor({ tokens, rules }: OidcTenantIdentityOptions) {
    this.#tokens = tokens
    this.#rules = rules
  }

  /**
   * Authenticates a token; a token that matches two tenants is refused.
   *
   * @throws ServiceError TIMEOUT when the issuer's keys are not available
   */
  async authenticate(bearerToken: string): Promise<TenantAuthentication> {
    const issuer = issuerOf(bearerToken)
    const ofIssuer = (await this.#rules()).filter((rule) => rule.issuer === issuer)
    if (issuer === undefined || ofIssuer.length === 0) return { outcome: 'invalid' }
    const payload = await this.#tokens.verify(bearerToken, issuer)
    const forUs = ofIssuer.filter(({ audience }) => payload && isFor(payload, audience))
    if (!payload || forUs.length === 0) return { outcome: 'invalid' }
    const tenants = new Set(
      forUs.filter((rule) => hasValue(payload, rule)).map(({ tenant }) => tenant),
    )
    const [tenant, another] = tenants
    if (tenant === undefined || another !== undefined) return { outcome: 'no-tenant' }
    return { outcome: 'tenant', tenant }
  }
}
