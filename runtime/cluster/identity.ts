/** Identifies the tenant of a token by the registered tenants. */
import { LocalTenantIdentity, LOCAL_ISSUER } from '../../adapters/jose/local-identity.ts'
import { OidcTenantIdentity, type TenantRule } from '../../adapters/oidc/tenant-identity.ts'
import { issuerOf, type IdentityTokens } from '../../adapters/oidc/tokens.ts'
import type { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { TenantAuthentication, TenantIdentity } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'

/** Longest time until a registered or removed tenant is noticed. */
const RULES_LIFE_MS = 5_000
/** A namespace is created within seconds, or recreated once the old one is deleted. */
const RETRY_SECONDS = 5

export interface ClusterIdentityOptions {
  tenants: KubernetesTenantStore
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

/**
 * Cached rules of all tenants. They are refreshed when they are old; old rules are used while the
 * store is not reachable.
 */
class TenantRules {
  readonly #tenants: KubernetesTenantStore
  readonly #now: () => Date
  #rules: Promise<Rules> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(tenants: KubernetesTenantStore, now: () => Date) {
    this.#tenants = tenants
    this.#now = now
  }

  /** @throws ServiceError TIMEOUT when the rules cannot be read and none are cached */
  current = async (): Promise<Rules> => {
    const before = this.#rules
    if (before && this.#now().getTime() - this.#readAtMs < RULES_LIFE_MS) return before
    this.#readAtMs = this.#now().getTime()
    const fresh = this.#read().catch((error: unknown) => {
      if (before) return before
      this.#rules = undefined
      throw error
    })
    this.#rules = fresh
    return fresh
  }

  async #read(): Promise<Rules> {
    const { ready, awaited } = await this.#tenants.specsByReadiness()
    return { ready: ready.map(ruleOf), awaited: awaited.map(ruleOf) }
  }
}

/**
 * Authenticates by the tenants' OIDC issuers. A tenant may also name the local issuer, whose tokens
 * are made with the service's own keyring.
 */
export class ClusterIdentity implements TenantIdentity {
  readonly #rules: TenantRules
  readonly #oidc: Record<keyof Rules, OidcTenantIdentity>
  readonly #local: LocalTenantIdentity

  constructor({ tenants, tokens, keyring, now }: ClusterIdentityOptions) {
    this.#rules = new TenantRules(tenants, now)
    const oidcOf = (kind: keyof Rules) =>
      new OidcTenantIdentity({ tokens, rules: async () => (await this.#rules.current())[kind] })
    this.#oidc = { ready: oidcOf('ready'), awaited: oidcOf('awaited') }
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

  /** @param kind the group of tenants to search */
  async #find(bearerToken: string, kind: keyof Rules): Promise<TenantAuthentication> {
    if (issuerOf(bearerToken) !== LOCAL_ISSUER) return this.#oidc[kind].authenticate(bearerToken)
    const local = await this.#local.authenticate(bearerToken)
    if (local.outcome !== 'tenant') return local
    const rules = await this.#rules.current()
    const [rule, another] = rules[kind].filter(
      ({ issuer, value }) => issuer === LOCAL_ISSUER && value === local.tenant,
    )
    // As with OIDC issuers, a token that matches two tenants is refused.
    if (!rule || another) return { outcome: 'no-tenant' }
    return { outcome: 'tenant', tenant: rule.tenant }
  }
}
