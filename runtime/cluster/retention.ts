/** Retention times of tenants, from their `Tenant` resources. */
import type { RetentionRules } from '../../domain/ports/retention.ts'
import { deriveOnce, TenantSpecs, type SpecsByReadiness, type SpecsStore } from './tenant-specs.ts'

/** Longest time until a changed rule takes effect. */
const RULES_LIFE_MS = 60_000

const daysByNamespace = deriveOnce(
  ({ ready }: SpecsByReadiness) =>
    new Map(ready.map(({ namespace, retentionDays }) => [namespace, retentionDays])),
)

/** Reads the rules from the specs of tenants; outdated rules are never used. */
export class TenantRetention implements RetentionRules {
  readonly #specs: TenantSpecs

  constructor(tenants: SpecsStore, now: () => Date) {
    this.#specs = new TenantSpecs({ tenants, now, lifeMs: RULES_LIFE_MS })
  }

  async readDays(tenant: string): Promise<number | undefined> {
    return daysByNamespace(await this.#specs.readCurrent()).get(tenant)
  }
}
