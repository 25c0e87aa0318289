/** The sender and the look of tenants, from their `Tenant` resources. */
import { lookOf } from '../../adapters/branding/look.ts'
import type { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import type { TenantBranding, TenantLook } from '../../domain/ports/branding.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'

/** Longest time until a change is noticed, while the API server answers. */
const SPECS_LIFE_MS = 5_000

type SpecsByNamespace = ReadonlyMap<string, TenantSpec>

/** Caches the specs for a short time, and uses old ones while the API server does not answer. */
export class ClusterBranding implements TenantBranding {
  readonly #tenants: Pick<KubernetesTenantStore, 'readySpecs'>
  readonly #now: () => Date
  #specs: Promise<SpecsByNamespace> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(tenants: Pick<KubernetesTenantStore, 'readySpecs'>, now: () => Date) {
    this.#tenants = tenants
    this.#now = now
  }

  async read(tenant: string): Promise<TenantLook> {
    const spec = (await this.#current()).get(tenant)
    return spec ? lookOf(spec) : {}
  }

  /** Concurrent callers share one read. */
  #current(): Promise<SpecsByNamespace> {
    const before = this.#specs
    const nowMs = this.#now().getTime()
    if (before && nowMs - this.#readAtMs < SPECS_LIFE_MS) return before
    this.#readAtMs = nowMs
    const fresh = this.#read().catch((error: unknown) => {
      if (before) return before
      this.#specs = undefined
      throw error
    })
    this.#specs = fresh
    return fresh
  }

  async #read(): Promise<SpecsByNamespace> {
    const specs = await this.#tenants.readySpecs()
    return new Map(specs.map((spec) => [spec.namespace, spec]))
  }
}
