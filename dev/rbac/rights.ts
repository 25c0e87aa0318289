/** The rights of each component at the API server; a component has only the rights that it uses. */
import { TENANT_ROLES } from '../../adapters/kubernetes/tenant-namespaces.ts'
import { GROUP } from '../crds/resources.ts'

export interface Rule {
  apiGroups: readonly string[]
  resources: readonly string[]
  verbs: readonly string[]
  /** Only these objects; all when absent. */
  resourceNames?: readonly string[]
}

export interface Rights {
  /** In the namespace of each tenant. */
  tenant: readonly Rule[]
  /** In all namespaces, and for cluster-scoped resources. */
  cluster: readonly Rule[]
  /** In the namespace that the service itself runs in. */
  own: readonly Rule[]
}

const rule = (group: string, resources: string, verbs: string): Rule => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs: verbs.split(' '),
})

const RBAC = 'rbac.authorization.k8s.io'

/** The API reads cases and adds facts by patches; only the controller writes status. */
const API: Rights = {
  tenant: [
    rule(GROUP, 'signaturecases', 'create get list patch'),
    rule(GROUP, 'kioskdevices', 'create get list update delete'),
    // The API must not be able to list Secrets.
    rule('', 'secrets', 'create get'),
  ],
  cluster: [rule(GROUP, 'tenants', 'list')],
  own: [],
}

/** The controller is the only writer of status; it lists Secrets per tenant, not in the cluster. */
const CONTROLLER: Rights = {
  tenant: [
    rule('', 'secrets', 'create get list patch delete'),
    rule('', 'events', 'create'),
    rule(GROUP, 'kioskdevices', 'get list'),
  ],
  cluster: [
    // The controller adds the finalizer to an applied case, cancels a case that is deleted, removes
    // the finalizer afterwards, deletes an erased or archived case, and creates it again.
    rule(GROUP, 'signaturecases', 'create get list watch patch delete'),
    rule(GROUP, 'signaturecases/status', 'patch'),
    rule(GROUP, 'tenants', 'get list watch'),
    rule(GROUP, 'tenants/status', 'update'),
    // The controller creates the namespace of a tenant again after its deletion.
    rule('', 'namespaces', 'create get list watch'),
    rule(RBAC, 'rolebindings', 'create'),
    // The controller can bind only the roles of the components.
    { ...rule(RBAC, 'clusterroles', 'bind'), resourceNames: TENANT_ROLES },
  ],
  // A replica lists the Leases of all groups of shards, and deletes those of former replicas.
  own: [rule('coordination.k8s.io', 'leases', 'create get list update delete')],
}

/** Workers write result objects and notify the controller. */
const WORKER: Rights = {
  tenant: [rule(GROUP, 'kioskdevices', 'get list update'), rule('', 'secrets', 'get')],
  cluster: [
    rule(GROUP, 'tenants', 'list'),
    // This also applies in a namespace that is being deleted, whose bindings are already removed:
    // the trail of a case is sealed before the case is removed.
    rule(GROUP, 'signaturecases', 'get'),
  ],
  own: [],
}

interface AggregatedRights {
  /** Built-in roles of Kubernetes that get the rules. */
  into: readonly string[]
  rules: readonly Rule[]
}

/**
 * Rights of people in the namespace of a tenant, added to the built-in roles. None of them can sign
 * (each signature fact needs a key of the API), write a status or read a Secret.
 */
export const AGGREGATED_RIGHTS: Readonly<Record<'view' | 'edit' | 'admin', AggregatedRights>> = {
  view: {
    into: ['view', 'edit', 'admin'],
    rules: [rule(GROUP, 'signaturecases kioskdevices', 'get list watch')],
  },
  edit: {
    into: ['edit', 'admin'],
    rules: [rule(GROUP, 'signaturecases', 'create update patch delete')],
  },
  // Only the API can register a kiosk again.
  admin: { into: ['admin'], rules: [rule(GROUP, 'kioskdevices', 'delete')] },
}

export const COMPONENTS = ['api', 'controller', 'worker'] as const
export type Component = (typeof COMPONENTS)[number]

export const RIGHTS: Readonly<Record<Component, Rights>> = {
  api: API,
  controller: CONTROLLER,
  worker: WORKER,
}
