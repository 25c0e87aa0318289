/** Tenants as `Tenant` resources of a Kubernetes API server. */
import { API_VERSION } from '../../domain/resources.ts'
import type { Page } from '../../domain/ports/stores.ts'
import type { TenantStore } from '../../domain/ports/tenant-store.ts'
import { isNamespaceAwaited } from '../../domain/tenants/namespace.ts'
import type { Tenant, TenantSpec } from '../../domain/tenants/schema.ts'
import type { ApiServer } from './api-server.ts'
import { MAXIMUM_PAGE, Resources } from './resources.ts'
import { watchKeys, type WatchLog } from './watch.ts'

const MAXIMUM_PAGES = 1_000

export class KubernetesTenantStore implements TenantStore {
  readonly #api: ApiServer
  readonly #tenants: Resources<Tenant>
  readonly #log: WatchLog

  constructor(api: ApiServer, log: WatchLog) {
    this.#api = api
    this.#tenants = new Resources(api, `/apis/${API_VERSION}`, 'tenants')
    this.#log = log
  }

  async get(name: string): Promise<Tenant | undefined> {
    return this.#tenants.get(name)
  }

  async list(options: { limit: number; continue?: string }): Promise<Page<Tenant>> {
    return this.#tenants.list(options)
  }

  async replaceStatus(tenant: Tenant): Promise<Tenant> {
    return this.#tenants.replace(tenant, 'status')
  }

  watch(onChange: (name: string) => void): () => void {
    return watchKeys(this.#api, this.#tenants, this.#log, ({ name }) => onChange(name))
  }

  /** Returns the specs of all tenants whose namespace is ready. */
  async readySpecs(): Promise<TenantSpec[]> {
    return (await this.#all()).filter(isReady).map(({ spec }) => spec)
  }

  /** Returns the specs of all tenants whose namespace is ready, and of those that wait for it. */
  async specsByReadiness(): Promise<{ ready: TenantSpec[]; awaited: TenantSpec[] }> {
    const all = await this.#all()
    const specsOf = (tenants: readonly Tenant[]) => tenants.map(({ spec }) => spec)
    return { ready: specsOf(all.filter(isReady)), awaited: specsOf(all.filter(isNamespaceAwaited)) }
  }

  async #all(): Promise<Tenant[]> {
    const found: Tenant[] = []
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const { items, continue: more } = await this.list({
        limit: MAXIMUM_PAGE,
        ...(next === undefined ? {} : { continue: next }),
      })
      found.push(...items)
      next = more
      if (next === undefined) break
    }
    return found
  }

  /** Returns the namespaces of all tenants that are ready. */
  async namespaces(): Promise<string[]> {
    return (await this.readySpecs()).map(({ namespace }) => namespace)
  }
}

const isReady = ({ status }: Tenant) =>
  status?.conditions.some(({ type, status: truth }) => type === 'Ready' && truth === 'True') ??
  false
