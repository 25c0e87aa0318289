/** The sender and the look of tenants, from their `Tenant` resources. */
import { lookOf } from '../../adapters/branding/look.ts'
import type { TenantBranding, TenantLook } from '../../domain/ports/branding.ts'
import { deriveOnce, type SpecsByReadiness, type TenantSpecs } from './tenant-specs.ts'

const byNamespace = deriveOnce(
  ({ ready }: SpecsByReadiness) => new Map(ready.map((spec) => [spec.namespace, spec])),
)

/** Reads looks from the specs of tenants, also from old ones while the API server is away. */
export class ClusterBranding implements TenantBranding {
  readonly #specs: TenantSpecs

  constructor(specs: TenantSpecs) {
    this.#specs = specs
  }

  async read(tenant: string): Promise<TenantLook> {
    const spec = byNamespace(await this.#specs.readKnown()).get(tenant)
    return spec ? lookOf(spec) : {}
  }
}
