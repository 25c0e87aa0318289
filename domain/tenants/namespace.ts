/** Checks that a tenant has a namespace of its own. Pure. */
import type { Tenant } from './schema.ts'

export interface NamespaceFault {
  /** One word. */
  reason: 'NamespaceReserved' | 'NamespaceTaken' | 'NamespaceRefused' | 'NamespaceTerminating'
  message: string
}

/**
 * Temporary faults, which end without a change of the tenant: its tokens are refused only for now.
 */
const PASSING: readonly string[] = ['NamespaceRefused', 'NamespaceTerminating']

/** Whether a tenant waits for its namespace, at first or again. */
export function isNamespaceAwaited({ status }: Tenant): boolean {
  const ready = status?.conditions.find(({ type }) => type === 'Ready')
  return ready === undefined || (ready.status !== 'True' && PASSING.includes(ready.reason))
}

/** Namespaces that Kubernetes reserves. */
const isReserved = (namespace: string) => namespace === 'default' || namespace.startsWith('kube-')

/** What a tenant asks for that only one tenant can have. */
export interface TenantClaim {
  metadata: Pick<Tenant['metadata'], 'name' | 'creationTimestamp'>
  spec: Pick<Tenant['spec'], 'namespace' | 'identity'>
}

const ageOf = ({ metadata }: TenantClaim) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`

/**
 * Whether a tenant is older than another one; tenants of the same age are ordered by their names.
 */
export const isOlder = (one: TenantClaim, other: TenantClaim): boolean => ageOf(one) < ageOf(other)

/**
 * Returns why the tenant cannot have its namespace, or undefined. The oldest of several tenants
 * with the same namespace gets it.
 *
 * @param all claims of all tenants
 * @param home namespace of the service itself
 */
export function namespaceFault(
  tenant: TenantClaim,
  all: readonly TenantClaim[],
  home: string,
): NamespaceFault | undefined {
  const { namespace } = tenant.spec
  if (isReserved(namespace) || namespace === home) {
    return { reason: 'NamespaceReserved', message: `no tenant may use ${namespace}` }
  }
  const first = all.find((other) => other.spec.namespace === namespace && isOlder(other, tenant))
  if (!first) return undefined
  const message = `${namespace} is the namespace of tenant ${first.metadata.name}`
  return { reason: 'NamespaceTaken', message }
}
