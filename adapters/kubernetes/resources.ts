/**
 * Common part of the stores: objects of one kind, written by compare-and-swap and listed in pages.
 */
import { ServiceError } from '../../domain/errors.ts'
import { AlreadyExistsError, ConflictError, type Page } from '../../domain/ports/stores.ts'
import { ApiRefusal, pathOf, type ApiRequest, type ApiServer, type Query } from './api-server.ts'

/** The controller creates a tenant's namespace within a few seconds. */
const RETRY_SECONDS = 5
/** The server builds a whole page in memory. */
export const MAXIMUM_PAGE = 500

const FORBIDDEN = 403
const NOT_FOUND = 404
const CONFLICT = 409
/** The snapshot of a listing was compacted. */
export const GONE = 410

/** The parts of an object that the stores read. */
export interface KubernetesObject {
  metadata: {
    name: string
    namespace?: string
    resourceVersion?: string
    creationTimestamp?: string
    labels?: Record<string, string>
    managedFields?: unknown
  }
}

export interface ObjectList<T> {
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items: T[]
}

/**
 * Removes the field ownership, which the service does not use and which makes up a third of an
 * object.
 */
export function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

const isRefusal = (error: unknown, status: number): error is ApiRefusal =>
  error instanceof ApiRefusal && error.status === status

/** Whether a request failed because the namespace of a tenant is not ready. */
export const isNotReady = (error: unknown): boolean =>
  error instanceof ServiceError && isRefusal(error.cause, FORBIDDEN)

/** @throws ConflictError when another writer was first, or the object is gone */
async function orConflict<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent
  } catch (error) {
    if (isRefusal(error, CONFLICT) || isRefusal(error, NOT_FOUND)) {
      throw new ConflictError(error.message, { cause: error })
    }
    throw error
  }
}

/** Objects of one kind. Callers own the returned values. */
export class Resources<T extends KubernetesObject> {
  readonly #api: Pick<ApiServer, 'send'>
  readonly #root: string
  readonly #plural: string
  readonly #isOfTenants: boolean
  readonly #labelSelector: string | undefined

  /**
   * @param root `/api/v1` or `/apis/<group>/<version>`
   * @param plural name of the kind in paths
   * @param isOfTenants whether the objects are in namespaces of tenants. The service has its rights
   *   there through role bindings that are deleted with the namespace, so 403 means that the
   *   namespace is not ready
   * @param labelSelector selects the listed and watched objects
   */
  constructor(
    api: Pick<ApiServer, 'send'>,
    root: string,
    plural: string,
    { isOfTenants = false, labelSelector }: { isOfTenants?: boolean; labelSelector?: string } = {},
  ) {
    this.#api = api
    this.#root = root
    this.#plural = plural
    this.#isOfTenants = isOfTenants
    this.#labelSelector = labelSelector
  }

  /** Returns the same kind; its listings and watches have only the objects with these labels. */
  selected(labelSelector: string): Resources<T> {
    const options = { isOfTenants: this.#isOfTenants, labelSelector }
    return new Resources(this.#api, this.#root, this.#plural, options)
  }

  /** What selects the objects, as parameters of a request. */
  get selection(): { labelSelector?: string } {
    return this.#labelSelector === undefined ? {} : { labelSelector: this.#labelSelector }
  }

  /** @throws ServiceError TIMEOUT also when the namespace of a tenant is not ready */
  async #send<R>(request: ApiRequest, namespace: string | undefined): Promise<R> {
    try {
      return await this.#api.send<R>(request)
    } catch (error) {
      const isNotReady = this.#isOfTenants && namespace !== undefined
      if (!isNotReady || !isRefusal(error, FORBIDDEN)) throw error
      throw new ServiceError('TIMEOUT', { retryAfterSeconds: RETRY_SECONDS }, { cause: error })
    }
  }

  /** Path of one namespace, or of all namespaces (for a cluster-scoped kind: of the kind). */
  path(namespace?: string): string {
    const within = namespace === undefined ? '' : pathOf('namespaces', namespace)
    return `${this.#root}${within}/${this.#plural}`
  }

  #pathOf({ name, namespace }: KubernetesObject['metadata'], ...rest: readonly string[]): string {
    return this.path(namespace) + pathOf(name, ...rest)
  }

  /** @throws AlreadyExistsError, ServiceError TIMEOUT */
  async create(object: T): Promise<T> {
    const path = this.path(object.metadata.namespace)
    try {
      return withoutManagedFields(
        await this.#send<T>({ method: 'POST', path, body: object }, object.metadata.namespace),
      )
    } catch (error) {
      if (isRefusal(error, CONFLICT)) {
        throw new AlreadyExistsError(error.message, { cause: error })
      }
      // The namespace of a new tenant, or the definition of the kind, does not exist yet.
      if (isRefusal(error, NOT_FOUND)) throw new ServiceError('TIMEOUT', {}, { cause: error })
      throw error
    }
  }

  /**
   * @returns undefined when the object or its namespace does not exist
   * @throws ServiceError TIMEOUT
   */
  async get(name: string, namespace?: string): Promise<T | undefined> {
    try {
      const path = this.path(namespace) + pathOf(name)
      return withoutManagedFields(await this.#send<T>({ path }, namespace))
    } catch (error) {
      if (isRefusal(error, NOT_FOUND)) return undefined
      throw error
    }
  }

  /**
   * @param subresource `status` writes only that; otherwise everything except the status is written
   * @throws ConflictError when `resourceVersion` is not the newest, or the object is gone
   */
  async replace(object: T, subresource?: 'status'): Promise<T> {
    const path = this.#pathOf(object.metadata, ...(subresource ? [subresource] : []))
    const sent = this.#send<T>({ method: 'PUT', path, body: object }, object.metadata.namespace)
    return withoutManagedFields(await orConflict(sent))
  }

  /**
   * Patches the object by compare-and-swap.
   *
   * @param patch sets `metadata.resourceVersion` to the version that was read
   * @param subresource `status` writes only that
   * @throws ConflictError when `resourceVersion` is not the newest, or the object is gone
   */
  async swap(
    { name, namespace }: KubernetesObject['metadata'],
    patch: object,
    subresource?: 'status',
  ): Promise<T> {
    const path = this.#pathOf({ name, namespace }, ...(subresource ? [subresource] : []))
    const sent = this.#send<T>({ method: 'PATCH', path, body: patch }, namespace)
    return withoutManagedFields(await orConflict(sent))
  }

  /**
   * Merges a patch into the current version of the object.
   *
   * @returns whether it existed
   */
  async merge(name: string, namespace: string, patch: object): Promise<boolean> {
    const path = this.path(namespace) + pathOf(name)
    return this.#unlessGone({ method: 'PATCH', path, body: patch }, namespace)
  }

  /**
   * @param version deletes only this `resourceVersion`
   * @returns whether it existed
   * @throws ConflictError when `version` is given and is not the newest
   */
  async delete(name: string, namespace?: string, version?: string): Promise<boolean> {
    const path = this.path(namespace) + pathOf(name)
    if (version === undefined) return this.#unlessGone({ method: 'DELETE', path }, namespace)
    const preconditions = { resourceVersion: version }
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions }
    try {
      return await this.#unlessGone({ method: 'DELETE', path, body }, namespace)
    } catch (error) {
      if (!isRefusal(error, CONFLICT)) throw error
      throw new ConflictError(error.message, { cause: error })
    }
  }

  async #unlessGone(request: ApiRequest, namespace: string | undefined) {
    try {
      await this.#send(request, namespace)
      return true
    } catch (error) {
      if (isRefusal(error, NOT_FOUND)) return false
      throw error
    }
  }

  /** @returns the resource version of the list, from which a watch can continue */
  async version(): Promise<string> {
    const { metadata } = await this.#page({ limit: 1, ...this.selection })
    return metadata.resourceVersion ?? ''
  }

  /**
   * Returns a page in a stable order. When the snapshot of a listing has expired, it continues with
   * the current objects.
   */
  async list(
    options: { limit: number; continue?: string; labelSelector?: string },
    namespace?: string,
  ): Promise<Page<T>> {
    const query = { ...this.selection, ...options, limit: Math.min(options.limit, MAXIMUM_PAGE) }
    const { items, metadata } = await this.#page(query, namespace)
    const { continue: more, remainingItemCount: remaining } = metadata
    return {
      items: items.map(withoutManagedFields),
      ...(more && { continue: more }),
      ...(more && remaining !== undefined && { remaining }),
    }
  }

  async #page(query: Query, namespace?: string): Promise<ObjectList<T>> {
    const path = this.path(namespace)
    try {
      return await this.#send({ path, query }, namespace)
    } catch (error) {
      if (!isRefusal(error, GONE) || error.continue === undefined) throw error
      return await this.#send({ path, query: { ...query, continue: error.continue } }, namespace)
    }
  }
}
