/** What all tenants claim, so that a reconcile of one tenant seldom lists all of them. */
import { isDeepStrictEqual } from 'node:util'
import type { TenantStore } from '../domain/ports/tenant-store.ts'
import type { TenantClaim } from '../domain/tenants/namespace.ts'
import type { Tenant } from '../domain/tenants/schema.ts'

const LIST_PAGE = 500
const MAXIMUM_PAGES = 1_000

/** Without the rest: the logos of many tenants are large. */
const claimOf = ({ metadata, spec }: Tenant): TenantClaim => {
  const { name, creationTimestamp } = metadata
  const { namespace, identity } = spec
  return { metadata: { name, creationTimestamp }, spec: { namespace, identity } }
}

export class TenantClaims {
  readonly #tenants: Pick<TenantStore, 'list'>
  #listed: ReadonlyMap<string, TenantClaim> = new Map()

  constructor(tenants: Pick<TenantStore, 'list'>) {
    this.#tenants = tenants
  }

  /** Lists all tenants. @returns their names */
  async list(): Promise<string[]> {
    return [...(await this.#list()).keys()]
  }

  /**
   * Returns the claims of all tenants, at least as new as the claim of this one: every tenant that
   * claimed the same before it is among them.
   */
  async all(tenant: Tenant): Promise<TenantClaim[]> {
    const isListed = isDeepStrictEqual(this.#listed.get(tenant.metadata.name), claimOf(tenant))
    return [...(isListed ? this.#listed : await this.#list()).values()]
  }

  async #list(): Promise<ReadonlyMap<string, TenantClaim>> {
    const listed = new Map<string, TenantClaim>()
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const from = next === undefined ? {} : { continue: next }
      const { items, continue: more } = await this.#tenants.list({ limit: LIST_PAGE, ...from })
      for (const item of items) listed.set(item.metadata.name, claimOf(item))
      next = more
      if (next === undefined) break
    }
    this.#listed = listed
    return listed
  }
}
