/** Origins that tenants registered for embedding, from their `Tenant` resources. */
import type { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'

/** Longest time until a registered or removed origin is noticed. */
const ORIGINS_LIFE_MS = 5_000

/** Namespaces of the tenants that registered each origin. */
type TenantsByOrigin = ReadonlyMap<string, ReadonlySet<string>>

/** Caches the origins for a short time; outdated ones are never used. */
export class TenantEmbedding implements EmbeddingOrigins {
  readonly #tenants: Pick<KubernetesTenantStore, 'readySpecs'>
  readonly #now: () => Date
  #origins: Promise<TenantsByOrigin> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(tenants: Pick<KubernetesTenantStore, 'readySpecs'>, now: () => Date) {
    this.#tenants = tenants
    this.#now = now
  }

  async isRegistered(origin: string): Promise<boolean> {
    return (await this.#current()).has(origin)
  }

  async isRegisteredBy(tenant: string, origin: string): Promise<boolean> {
    return (await this.#current()).get(origin)?.has(tenant) ?? false
  }

  /** Concurrent callers share one read; a failed read is repeated at the next call. */
  #current(): Promise<TenantsByOrigin> {
    const nowMs = this.#now().getTime()
    if (this.#origins && nowMs - this.#readAtMs < ORIGINS_LIFE_MS) return this.#origins
    this.#readAtMs = nowMs
    const read = this.#read()
    this.#origins = read
    read.catch(() => {
      if (this.#origins === read) this.#origins = undefined
    })
    return read
  }

  async #read(): Promise<TenantsByOrigin> {
    const tenantsByOrigin = new Map<string, Set<string>>()
    for (const { namespace, embedding } of await this.#tenants.readySpecs()) {
      for (const origin of embedding?.origins ?? []) {
        const tenants = tenantsByOrigin.get(origin) ?? new Set()
        tenantsByOrigin.set(origin, tenants.add(namespace))
      }
    }
    return tenantsByOrigin
  }
}
