/** Retention times of tenants, from their `Tenant` resources. */
import type { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import type { RetentionRules } from '../../domain/ports/retention.ts'

/** Longest time until a changed rule takes effect. */
const RULES_LIFE_MS = 60_000

/** Caches the rules for a short time; outdated rules are never used. */
export class TenantRetention implements RetentionRules {
  readonly #tenants: Pick<KubernetesTenantStore, 'readySpecs'>
  readonly #now: () => Date
  #days: Promise<ReadonlyMap<string, number | undefined>> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(tenants: Pick<KubernetesTenantStore, 'readySpecs'>, now: () => Date) {
    this.#tenants = tenants
    this.#now = now
  }

  async daysOf(tenant: string): Promise<number | undefined> {
    const nowMs = this.#now().getTime()
    if (!this.#days || nowMs - this.#readAtMs >= RULES_LIFE_MS) {
      this.#readAtMs = nowMs
      this.#days = this.#read()
      this.#days.catch(() => {
        this.#days = undefined
      })
    }
    return (await this.#days).get(tenant)
  }

  async #read() {
    const specs = await this.#tenants.readySpecs()
    return new Map(specs.map(({ namespace, retentionDays }) => [namespace, retentionDays]))
  }
}
