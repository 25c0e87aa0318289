/** Builds the RBAC manifests: service accounts, roles and bindings. */
import { pathOf } from '../../adapters/kubernetes/api-server.ts'
import { AGGREGATED_RIGHTS, COMPONENTS, RIGHTS, type Component, type Rule } from './rights.ts'

const RBAC = 'rbac.authorization.k8s.io'

export interface Manifest {
  apiVersion: string
  kind: 'ServiceAccount' | 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding'
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  [member: string]: unknown
}

const nameOf = (component: Component, suffix = '') => `sigcase-${component}${suffix}`

function manifest(
  kind: Manifest['kind'],
  name: string,
  namespace: string | undefined,
  rest: object,
) {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
  return { apiVersion: `${RBAC}/v1`, kind, metadata, ...rest } satisfies Manifest
}

const binding = (component: Component, role: Manifest, home: string) => ({
  roleRef: { apiGroup: RBAC, kind: role.kind, name: role.metadata.name },
  subjects: [{ kind: 'ServiceAccount', name: nameOf(component), namespace: home }],
})

/** Builds the manifests of an installation. @param home namespace of the service */
export function installedManifests(home: string): Manifest[] {
  return COMPONENTS.flatMap((component) => {
    const { cluster, own, tenant } = RIGHTS[component]
    const name = nameOf(component)
    const account: Manifest = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: home },
    }
    const everywhere = manifest('ClusterRole', name, undefined, { rules: cluster })
    const atHome = manifest('Role', name, home, { rules: own })
    const bound = binding(component, everywhere, home)
    return [
      account,
      everywhere,
      manifest('ClusterRoleBinding', name, undefined, bound),
      tenantRole(component, tenant),
      ...(own.length === 0
        ? []
        : [atHome, manifest('RoleBinding', name, home, binding(component, atHome, home))]),
    ]
  })
}

const tenantRole = (component: Component, rules: readonly Rule[]): Manifest =>
  manifest('ClusterRole', nameOf(component, '-tenant'), undefined, { rules })

const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-'

/**
 * Builds roles that Kubernetes aggregates into its built-in roles view, edit and admin, so that
 * users with one of these in the namespace of a tenant can work with its cases.
 */
export function aggregatedRoles(): Manifest[] {
  return Object.entries(AGGREGATED_RIGHTS).map(([role, { into, rules }]) => {
    const labels = Object.fromEntries(into.map((one) => [`${AGGREGATE}${one}`, 'true']))
    const made = manifest('ClusterRole', `sigcase-${role}`, undefined, { rules })
    return { ...made, metadata: { ...made.metadata, labels } }
  })
}

/** Returns the path of the collection in which the manifest is created. */
export function collectionOf({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const within = metadata.namespace === undefined ? '' : pathOf('namespaces', metadata.namespace)
  return `${root}${within}/${kind.toLowerCase()}s`
}
