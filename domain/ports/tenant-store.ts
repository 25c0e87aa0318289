/** The port for tenants: `Tenant` resources on a cluster. */
import type { Tenant } from '../tenants/schema.ts'
import type { Page } from './stores.ts'

/** Returned values are copies that the caller may keep. */
export interface TenantStore {
  /** @returns undefined when it does not exist */
  get(name: string): Promise<Tenant | undefined>
  /** Lists all tenants in a stable order, in pages of at most `limit`. */
  list(options: { limit: number; continue?: string }): Promise<Page<Tenant>>
  /**
   * Writes only `status`.
   *
   * @throws ConflictError when `resourceVersion` is not the newest, or the tenant is gone
   */
  replaceStatus(tenant: Tenant): Promise<Tenant>
  /**
   * Calls `onChange` with the name of every tenant that changes from now on; it may miss changes.
   *
   * @returns a function that ends the watch
   */
  watch(onChange: (name: string) => void): () => void
}

/** The API server refused to bind the service's roles in the namespace; the message says why. */
export class NamespaceRefusedError extends Error {
  override readonly name = 'NamespaceRefusedError'
}

/** The namespace is being deleted; it can be created again once it is gone. */
export class NamespaceEndingError extends Error {
  override readonly name = 'NamespaceEndingError'
}

/** Creates the namespaces in which tenants' cases live. */
export interface TenantNamespaces {
  /**
   * Creates the namespace and gives the service's components their rights in it; existing resources
   * are kept.
   *
   * @throws NamespaceRefusedError when the platform team has to allow it first
   * @throws NamespaceEndingError while the namespace is being deleted
   */
  ensure(namespace: string): Promise<void>
  /**
   * Calls `onChange` with the name of every namespace that is created, changed or removed from now
   * on; it may miss changes.
   *
   * @returns a function that ends the watch
   */
  watch(onChange: (namespace: string) => void): () => void
}
