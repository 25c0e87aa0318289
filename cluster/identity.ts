/** Whose token it is, as the registered tenants say. */
import { LocalTenantIdentity, LOCAL_ISSUER } from '../adapters/jose/local-identity.ts'
import { OidcTenantIdentity, type TenantRule } from '../adapters/oidc/tenant-identity.ts'
import { issuerOf, type IdentityTokens } from '../adapters/oidc/tokens.ts'
import type { KubernetesTenantStore } from '../adapters/kubernetes/tenant-store.ts'
import type { TenantAuthentication, TenantIdentity } from '../domain/ports/identity.ts'
import type { Keyring } from '../domain/ports/keyring.ts'

/** A tenant that is registered or removed is noticed within this time. */
const RULES_LIFE_MS = 5_000

export interface ClusterIdentityOptions {
  tenants: KubernetesTenantStore
  tokens: IdentityTokens
  keyring: Keyring<'tenant-token'>
  now: () => Date
}

/** Rules of all tenants, read anew when they are old; old ones serve while the store is away. */
class TenantRules {
  readonly #tenants: KubernetesTenantStore
  readonly #now: () => Date
  #rules: Promise<readonly TenantRule[]> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(tenants: KubernetesTenantStore, now: () => Date) {
    this.#tenants = tenants
    this.#now = now
  }

  /** @throws ServiceError TIMEOUT when they have never been read and cannot be */
  current = async (): Promise<readonly TenantRule[]> => {
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

  async #read(): Promise<readonly TenantRule[]> {
    const specs = await this.#tenants.readySpecs()
    return specs.map(({ namespace, identity }) => ({ ...identity, tenant: namespace }))
  }
}

/** A tenant may name the local issuer, whose tokens are made with the service's own keyring. */
export class ClusterIdentity implements TenantIdentity {
  readonly #rules: TenantRules
  readonly #oidc: OidcTenantIdentity
  readonly #local: LocalTenantIdentity

  constructor({ tenants, tokens, keyring, now }: ClusterIdentityOptions) {
    this.#rules = new TenantRules(tenants, now)
    this.#oidc = new OidcTenantIdentity({ tokens, rules: this.#rules.current })
    this.#local = new LocalTenantIdentity(keyring, now)
  }

  async authenticate(bearerToken: string): Promise<TenantAuthentication> {
    if (issuerOf(bearerToken) !== LOCAL_ISSUER) return this.#oidc.authenticate(bearerToken)
    const local = await this.#local.authenticate(bearerToken)
    if (local.outcome !== 'tenant') return local
    const rules = await this.#rules.current()
    const [rule, another] = rules.filter(
      ({ issuer, value }) => issuer === LOCAL_ISSUER && value === local.tenant,
    )
    // As everywhere: a token of two tenants is nobody's.
    if (!rule || another) return { outcome: 'no-tenant' }
    return { outcome: 'tenant', tenant: rule.tenant }
  }
}
