/** Creates namespaces of tenants, with the rights of the service's components in them. */
import { AlreadyExistsError } from '../../domain/ports/stores.ts'
import {
  NamespaceEndingError,
  NamespaceRefusedError,
  type TenantNamespaces,
} from '../../domain/ports/tenant-store.ts'
import { ApiRefusal, type ApiServer } from './api-server.ts'
import { Resources, type KubernetesObject } from './resources.ts'
import { isEnding, type Namespace } from './namespaces.ts'
import { MANAGED_BY } from './secrets.ts'
import { watchKeys, type WatchLog } from './watch.ts'

const RBAC = 'rbac.authorization.k8s.io'
const FORBIDDEN = 403
/**
 * The chart's admission policy lets the controller bind roles only in namespaces with this label.
 */
export const TENANT_NAMESPACE = { 'sigcase.dev/tenant-namespace': 'true' }

/** Names of the service accounts. */
const ACCOUNTS = ['sigcase-api', 'sigcase-controller', 'sigcase-worker'] as const
const roleOf = (account: string) => `${account}-tenant`
/** Cluster roles with the rights in a tenant's namespace. */
export const TENANT_ROLES = ACCOUNTS.map(roleOf)

interface RoleBinding extends KubernetesObject {
  apiVersion: string
  kind: 'RoleBinding'
  roleRef: { apiGroup: string; kind: 'ClusterRole'; name: string }
  subjects: { kind: 'ServiceAccount'; name: string; namespace: string }[]
}

/** @param home namespace of the service */
export function tenantBindings(namespace: string, home: string): RoleBinding[] {
  return ACCOUNTS.map((name) => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: roleOf(name) },
    subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
  }))
}

async function unlessThere(making: Promise<unknown>): Promise<void> {
  try {
    await making
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error
  }
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiRefusal) || error.status !== FORBIDDEN) throw error
  throw new NamespaceRefusedError(error.message, { cause: error })
}

export class KubernetesTenantNamespaces implements TenantNamespaces {
  readonly #api: ApiServer
  readonly #log: WatchLog
  readonly #namespaces: Resources<Namespace>
  readonly #bindings: Resources<RoleBinding>
  readonly #home: string

  /** @param home namespace of the service */
  constructor(api: ApiServer, home: string, log: WatchLog) {
    this.#api = api
    this.#log = log
    this.#namespaces = new Resources(api, '/api/v1', 'namespaces')
    this.#bindings = new Resources(api, `/apis/${RBAC}/v1`, 'rolebindings')
    this.#home = home
  }

  /**
   * @throws NamespaceRefusedError when the API server does not let the controller bind the roles
   * @throws NamespaceEndingError while the namespace is being deleted
   */
  async ensure(namespace: string): Promise<void> {
    const found = await this.#namespaces.get(namespace)
    if (isEnding(found)) throw new NamespaceEndingError(`namespace ${namespace} is being deleted`)
    const labels = { ...MANAGED_BY, ...TENANT_NAMESPACE }
    const metadata = { name: namespace, labels }
    if (!found) await unlessThere(this.#namespaces.create({ metadata }))
    for (const binding of tenantBindings(namespace, this.#home)) {
      await unlessThere(this.#bindings.create(binding).catch(explainRefusal))
    }
  }

  watch(onChange: (namespace: string) => void): () => void {
    return watchKeys(this.#api, this.#namespaces, this.#log, ({ name }) => onChange(name))
  }
}
