/**
 * A small value in an annotation of a Lease, which nobody holds: the controllers may write Leases
 * of their namespace, and no other component may.
 */
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import type { SwappedValue } from '../../domain/ports/swapped-value.ts'
import type { ApiServer } from './api-server.ts'
import { LEASE_API_VERSION, type Lease } from './lease.ts'
import { Resources } from './resources.ts'

const ANNOTATION = 'sigcase.dev/value'

interface AnnotatedLease extends Lease {
  metadata: Lease['metadata'] & { annotations?: Record<string, string> }
}

export class KubernetesLeaseValue implements SwappedValue {
  readonly #leases: Resources<AnnotatedLease>
  readonly #namespace: string
  readonly #name: string

  /** @param options namespace and name of the Lease */
  constructor(
    api: Pick<ApiServer, 'send'>,
    { namespace, name }: { namespace: string; name: string },
  ) {
    this.#leases = new Resources(api, `/apis/${LEASE_API_VERSION}`, 'leases')
    this.#namespace = namespace
    this.#name = name
  }

  async read(): Promise<{ value: string | undefined; version: string | undefined }> {
    const lease = await this.#leases.get(this.#name, this.#namespace)
    const { annotations, resourceVersion } = lease?.metadata ?? {}
    return { value: annotations?.[ANNOTATION], version: resourceVersion }
  }

  async swap(value: string, version: string | undefined): Promise<boolean> {
    const place = { name: this.#name, namespace: this.#namespace }
    const metadata = { ...place, annotations: { [ANNOTATION]: value } }
    const lease = { apiVersion: LEASE_API_VERSION, kind: 'Lease', spec: {} } as const
    const writing =
      version === undefined
        ? this.#leases.create({ ...lease, metadata })
        : this.#leases.replace({ ...lease, metadata: { ...metadata, resourceVersion: version } })
    try {
      await writing
      return true
    } catch (error) {
      if (error instanceof ConflictError || error instanceof AlreadyExistsError) return false
      throw error
    }
  }
}
