/** The specs of all tenants, which the parts of a process read together. */
import type { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'

/** Longest time until a changed, registered or removed tenant is noticed. */
const SPECS_LIFE_MS = 5_000

/** Specs of tenants whose namespace is ready, and of tenants that wait for theirs. */
export interface SpecsByReadiness {
  ready: readonly TenantSpec[]
  awaited: readonly TenantSpec[]
}

export type SpecsStore = Pick<KubernetesTenantStore, 'specsByReadiness'>

interface TenantSpecsOptions {
  tenants: SpecsStore
  now: () => Date
  /** Longest age of specs that are used while the API server answers. */
  lifeMs?: number
}

/** Caches the specs for a short time. Concurrent callers share one read. */
export class TenantSpecs {
  readonly #options: Required<TenantSpecsOptions>
  #reading: Promise<SpecsByReadiness> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  #hasFailed = false
  /** Result of the last successful read. */
  #last: SpecsByReadiness | undefined

  constructor(options: TenantSpecsOptions) {
    this.#options = { lifeMs: SPECS_LIFE_MS, ...options }
  }

  /**
   * Returns specs that are not outdated; a failed read is repeated at the next call.
   *
   * @throws ServiceError TIMEOUT when the API server does not answer
   */
  async readCurrent(): Promise<SpecsByReadiness> {
    return this.#reading && this.#isRecent() && !this.#hasFailed ? this.#reading : this.#read()
  }

  /**
   * Returns current specs, or outdated ones while the API server does not answer.
   *
   * @throws ServiceError TIMEOUT when the API server has never answered
   */
  async readKnown(): Promise<SpecsByReadiness> {
    if (this.#last && this.#hasFailed && this.#isRecent()) return this.#last
    try {
      return await this.readCurrent()
    } catch (error) {
      if (this.#last) return this.#last
      throw error
    }
  }

  #isRecent(): boolean {
    const { now, lifeMs } = this.#options
    return now().getTime() - this.#readAtMs < lifeMs
  }

  #read(): Promise<SpecsByReadiness> {
    const { tenants, now } = this.#options
    this.#readAtMs = now().getTime()
    this.#hasFailed = false
    const reading = tenants.specsByReadiness()
    this.#reading = reading
    reading.then(
      (specs) => (this.#last = specs),
      () => (this.#hasFailed ||= this.#reading === reading),
    )
    return reading
  }
}

/** Derives a value from an object only once while the object is in use. */
export function deriveOnce<K extends object, V>(derive: (from: K) => V): (from: K) => V {
  const known = new WeakMap<K, V>()
  return (from) => {
    const value = known.get(from) ?? derive(from)
    known.set(from, value)
    return value
  }
}
