/** Reads and writes the Leases of the controllers, each write by compare-and-swap. */
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import type { ApiServer } from './api-server.ts'
import { heldSpec, LEASE_API_VERSION, releasedSpec, type Lease } from './lease.ts'
import { MAXIMUM_PAGE, Resources } from './resources.ts'

/** More Leases than a namespace has. */
const MAXIMUM_PAGES = 100

export interface LeaseStoreDeps {
  api: Pick<ApiServer, 'send'>
}

export interface LeaseStoreOptions {
  namespace: string
  /** What the replica writes into the Leases that it holds. */
  holder: string
  durationMs: number
  /** Milliseconds since 1970, for display. */
  nowMs(): number
}

/** @returns undefined when another writer was first */
async function unlessLost<T>(writing: Promise<T>): Promise<T | undefined> {
  try {
    return await writing
  } catch (error) {
    if (error instanceof ConflictError || error instanceof AlreadyExistsError) return undefined
    throw error
  }
}

export class LeaseStore {
  readonly #leases: Resources<Lease>
  readonly #options: LeaseStoreOptions

  constructor({ api }: LeaseStoreDeps, options: LeaseStoreOptions) {
    this.#leases = new Resources(api, `/apis/${LEASE_API_VERSION}`, 'leases')
    this.#options = options
  }

  /** Lists the Leases whose name begins so. */
  async list(prefix: string): Promise<Lease[]> {
    const found: Lease[] = []
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const from = next === undefined ? {} : { continue: next }
      const options = { limit: MAXIMUM_PAGE, ...from }
      const { items, continue: more } = await this.#leases.list(options, this.#options.namespace)
      found.push(...items.filter(({ metadata }) => metadata.name.startsWith(prefix)))
      next = more
      if (next === undefined) break
    }
    return found
  }

  /**
   * Writes the holder into a Lease.
   *
   * @param lease as it was listed; undefined when it does not exist
   * @returns false when another replica was first
   */
  async hold(name: string, lease: Lease | undefined): Promise<boolean> {
    const { namespace, holder: identity, durationMs, nowMs } = this.#options
    const spec = heldSpec(lease?.spec ?? {}, { identity, durationMs, nowMs: nowMs() })
    const metadata = { name, namespace }
    const writing = lease
      ? this.#leases.replace({ ...lease, spec })
      : this.#leases.create({ apiVersion: LEASE_API_VERSION, kind: 'Lease', metadata, spec })
    return (await unlessLost(writing)) !== undefined
  }

  /** Removes the holder from a Lease, if it is this one. @throws Error when that fails */
  async release(name: string): Promise<void> {
    const { namespace, holder } = this.#options
    const lease = await this.#leases.get(name, namespace)
    if (lease?.spec.holderIdentity !== holder) return
    await this.#leases.replace({ ...lease, spec: releasedSpec(lease.spec) })
  }

  /** Deletes a Lease, unless it has changed. */
  async remove({ metadata }: Lease): Promise<void> {
    const { name, namespace, resourceVersion } = metadata
    await unlessLost(this.#leases.delete(name, namespace, resourceVersion))
  }
}
