/** What each component may do at the API server, and where: nothing that it does not use. */
import { TENANT_ROLES } from '../../adapters/kubernetes/tenant-places.ts'
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
  /** In all namespaces, and of what is in none. */
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

/**
 * It states facts and reads; status is the controller's. Cases are patched; `update` is for the
 * processes of the version before, which run while an upgrade goes on.
 */
const API: Rights = {
  tenant: [
    rule(GROUP, 'signaturecases', 'create get list update patch'),
    rule(GROUP, 'kioskdevices', 'create get list update delete'),
    // Creates in one request what it must not be able to list.
    rule('', 'secrets', 'create get'),
  ],
  cluster: [rule(GROUP, 'tenants', 'get list watch')],
  own: [],
}

/** The only writer of status; it lists Secrets by tenant, not all of the cluster's. */
const CONTROLLER: Rights = {
  tenant: [
    rule('', 'secrets', 'create get list patch delete'),
    rule('', 'events', 'create'),
    rule(GROUP, 'kioskdevices', 'get list'),
  ],
  cluster: [
    // It gives an applied case its finalizer, cancels one that is removed and lets go of it, and
    // removes one that was erased.
    rule(GROUP, 'signaturecases', 'get list watch update patch delete'),
    rule(GROUP, 'signaturecases/status', 'update patch'),
    rule(GROUP, 'tenants', 'get list watch'),
    rule(GROUP, 'tenants/status', 'update'),
    // It notices when the namespace of a tenant is deleted, and makes it again.
    rule('', 'namespaces', 'create get list watch'),
    rule(RBAC, 'rolebindings', 'create'),
    // It gives the components of the service their rights, and nobody any others.
    { ...rule(RBAC, 'clusterroles', 'bind'), resourceNames: TENANT_ROLES },
  ],
  own: [rule('coordination.k8s.io', 'leases', 'create get update')],
}

/** They write result objects and nudge the controller. */
const WORKER: Rights = {
  tenant: [rule(GROUP, 'kioskdevices', 'get list update'), rule('', 'secrets', 'get')],
  cluster: [
    rule(GROUP, 'tenants', 'get list'),
    // Also where a namespace is being deleted and the bindings in it are gone: the trail of a case
    // is sealed before the case goes.
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
  // A removed kiosk has to be registered again by the API.
  admin: { into: ['admin'], rules: [rule(GROUP, 'kioskdevices', 'delete')] },
}

export const COMPONENTS = ['api', 'controller', 'worker'] as const
export type Component = (typeof COMPONENTS)[number]

export const RIGHTS: Readonly<Record<Component, Rights>> = {
  api: API,
  controller: CONTROLLER,
  worker: WORKER,
}
