/** Which namespace a tenant may have: one of its own. Pure. */
import type { Tenant } from './schema.ts'

export interface PlaceFault {
  /** One word. */
  reason: 'NamespaceReserved' | 'NamespaceTaken' | 'NamespaceRefused' | 'NamespaceTerminating'
  message: string
}

/** Faults that end without a change of the tenant: its tokens are refused for now, not for good. */
const PASSING: readonly string[] = ['NamespaceRefused', 'NamespaceTerminating']

/** Whether a tenant has no place yet, or none at the moment, and will get one. */
export function isPlaceAwaited({ status }: Tenant): boolean {
  const ready = status?.conditions.find(({ type }) => type === 'Ready')
  return ready === undefined || (ready.status !== 'True' && PASSING.includes(ready.reason))
}

/** Of Kubernetes itself. */
const isReserved = (namespace: string) => namespace === 'default' || namespace.startsWith('kube-')

const ageOf = ({ metadata }: Tenant) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`

/** Whether a tenant was there before another; of two of one second, by name. */
export const isOlder = (one: Tenant, other: Tenant): boolean => ageOf(one) < ageOf(other)

/**
 * Why the tenant cannot have its namespace, or undefined. Of several who want one it is the first.
 *
 * @param all tenants
 * @param home namespace of the service itself
 */
export function placeFault(
  tenant: Tenant,
  all: readonly Tenant[],
  home: string,
): PlaceFault | undefined {
  const { namespace } = tenant.spec
  if (isReserved(namespace) || namespace === home) {
    return { reason: 'NamespaceReserved', message: `${namespace} is nobody's` }
  }
  const first = all.find((other) => other.spec.namespace === namespace && isOlder(other, tenant))
  if (!first) return undefined
  const message = `${namespace} is the namespace of tenant ${first.metadata.name}`
  return { reason: 'NamespaceTaken', message }
}
