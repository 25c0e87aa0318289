/** Origins that tenants registered for embedding, from their `Tenant` resources. */
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'
import { deriveOnce, type SpecsByReadiness, type TenantSpecs } from './tenant-specs.ts'

/** Namespaces of the tenants that registered each origin. */
type TenantsByOrigin = ReadonlyMap<string, ReadonlySet<string>>

const byOrigin = deriveOnce(({ ready }: SpecsByReadiness): TenantsByOrigin => {
  const tenantsByOrigin = new Map<string, Set<string>>()
  for (const { namespace, embedding } of ready) {
    for (const origin of embedding?.origins ?? []) {
      const tenants = tenantsByOrigin.get(origin) ?? new Set()
      tenantsByOrigin.set(origin, tenants.add(namespace))
    }
  }
  return tenantsByOrigin
})

/** Reads the origins from the specs of tenants; outdated ones are never used. */
export class TenantEmbedding implements EmbeddingOrigins {
  readonly #specs: TenantSpecs

  constructor(specs: TenantSpecs) {
    this.#specs = specs
  }

  async isRegistered(origin: string): Promise<boolean> {
    return byOrigin(await this.#specs.readCurrent()).has(origin)
  }

  async isRegisteredBy(tenant: string, origin: string): Promise<boolean> {
    return (
      byOrigin(await this.#specs.readCurrent())
        .get(origin)
        ?.has(tenant) ?? false
    )
  }
}
