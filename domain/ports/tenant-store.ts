/** Where tenants are registered: `Tenant` resources on a cluster. */
import type { Tenant } from '../tenants/schema.ts'
import type { Page } from './stores.ts'

/** Values read are copies that the caller may keep. */
export interface TenantStore {
  /** @returns undefined when there is none */
  get(name: string): Promise<Tenant | undefined>
  /** All tenants in a stable order, by pages of at most `limit`. */
  list(options: { limit: number; continue?: string }): Promise<Page<Tenant>>
  /**
   * Writes `status` alone.
   * @throws ConflictError when `resourceVersion` is not the newest, or the tenant is gone
   */
  replaceStatus(tenant: Tenant): Promise<Tenant>
  /**
   * Calls `onChange` with the name of every tenant that changes from now on; it may miss some.
   * @returns ends the watch
   */
  watch(onChange: (name: string) => void): () => void
}

/** The API server refused to bind the service's roles in the namespace; the message says why. */
export class PlaceRefusedError extends Error {
  override readonly name = 'PlaceRefusedError'
}

/** The namespace is being deleted; it can be made again once it is gone. */
export class PlaceEndingError extends Error {
  override readonly name = 'PlaceEndingError'
}

/** Makes the place where a tenant's cases live. */
export interface TenantPlaces {
  /**
   * Makes the namespace, and gives the components of the service their rights in it; what is there
   * already stays.
   *
   * @throws PlaceRefusedError when the platform team has to allow it first
   * @throws PlaceEndingError while the namespace is being deleted
   */
  ensure(namespace: string): Promise<void>
  /**
   * Calls `onChange` with the name of every namespace that is created, changed or removed from now
   * on; it may miss some.
   * @returns ends the watch
   */
  watch(onChange: (namespace: string) => void): () => void
}
