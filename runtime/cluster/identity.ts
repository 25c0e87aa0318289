/** Identifies the tenant of a token by the registered tenants. */
import { LocalTenantIdentity, LOCAL_ISSUER } from '../../adapters/jose/local-identity.ts'
import { OidcTenantIdentity, type TenantRule } from '../../adapters/oidc/tenant-identity.ts'
import { issuerOf, type IdentityTokens } from '../../adapters/oidc/tokens.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { TenantAuthentication, TenantIdentity } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'
import { deriveOnce, type SpecsByReadiness, type TenantSpecs } from './tenant-specs.ts'

/** A namespace is created within seconds, or recreated once the old one is deleted. */
const RETRY_SECONDS = 5

export interface ClusterIdentityOptions {
  /** Outdated specs are used while the API server does not answer. */
  specs: TenantSpecs
  tokens: IdentityTokens
  keyring: Keyring<'tenant-token'>
  now: () => Date
}

/** Rules of tenants whose namespace is ready, and of tenants that wait for theirs. */
type Rules = Record<'ready' | 'awaited', readonly TenantRule[]>

const ruleOf = ({ namespace, identity }: TenantSpec): TenantRule => ({
  ...identity,
  tenant: namespace,
})

const rulesOf = deriveOnce(({ ready, awaited }: SpecsByReadiness): Rules => ({
  ready: ready.map(ruleOf),
  awaited: awaited.map(ruleOf),
}))

/**
 * Authenticates by the tenants' OIDC issuers. A tenant may also name the local issuer, whose tokens
 * are made with the service's own keyring.
 */
export class ClusterIdentity implements TenantIdentity {
  readonly #specs: TenantSpecs
  readonly #oidc: Record<keyof Rules, OidcTenantIdentity>
  readonly #local: LocalTenantIdentity

  constructor({ specs, tokens, keyring, now }: ClusterIdentityOptions) {
    this.#specs = specs
    const buildOidc = (kind: keyof Rules) =>
      new OidcTenantIdentity({ tokens, rules: async () => (await this.#rules())[kind] })
    this.#oidc = { ready: buildOidc('ready'), awaited: buildOidc('awaited') }
    this.#local = new LocalTenantIdentity(keyring, now)
  }

  /** @throws ServiceError TIMEOUT while the tenant's namespace is being created */
  async authenticate(bearerToken: string): Promise<TenantAuthentication> {
    const found = await this.#find(bearerToken, 'ready')
    if (found.outcome === 'tenant') return found
    const awaited = await this.#find(bearerToken, 'awaited')
    if (awaited.outcome !== 'tenant') return found
    const cause = new Error(`the namespace of tenant ${awaited.tenant} is not ready`)
    throw new ServiceError('TIMEOUT', { retryAfterSeconds: RETRY_SECONDS }, { cause })
  }

  /** @throws ServiceError TIMEOUT when the specs cannot be read and none are cached */
  async #rules(): Promise<Rules> {
    return rulesOf(await this.#specs.readKnown())
  }

  /** @param kind the group of tenants to search */
  async #find(bearerToken: string, kind: keyof Rules): Promise<TenantAuthentication> {
    if (issuerOf(bearerToken) !== LOCAL_ISSUER) return this.#oidc[kind].authenticate(bearerToken)
    const local = await this.#local.authenticate(bearerToken)
    if (local.outcome !== 'tenant') return local
    const rules = await this.#rules()
    const [rule, another] = rules[kind].filter(
      ({ issuer, value }) => issuer === LOCAL_ISSUER && value === local.tenant,
    )
    // As with OIDC issuers, a token that matches two tenants is refused.
    if (!rule || another) return { outcome: 'no-tenant' }
    return { outcome: 'tenant', tenant: rule.tenant }
  }
}
