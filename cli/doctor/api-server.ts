/** Checks of `sigcase doctor` about the Kubernetes API server. */
import { ApiRefusal, type ApiServer } from '../../adapters/kubernetes/api-server.ts'
import { failed, ok, type Check, type ProcessName } from './finding.ts'

const KINDS = ['signaturecases', 'tenants', 'kioskdevices']
const GROUP_PATH = '/apis/sigcase.dev/v1'
const FORBIDDEN = 403
const NOT_FOUND = 404

/** Checks that the API server serves the custom resources. */
export function definitionsCheck(server: ApiServer): Check {
  const remedy = 'check KUBECONFIG, or the service account of the pod and its network policy'
  const install = 'install the custom resources: kubectl apply --server-side --filename crds/'
  return {
    name: 'custom resources',
    remedy,
    async ask() {
      try {
        const { resources } = await server.send<{ resources: { name: string }[] }>({
          path: GROUP_PATH,
        })
        const served = new Set(resources.map(({ name }) => name))
        const missing = KINDS.filter((kind) => !served.has(kind))
        if (missing.length > 0) return failed(`not served: ${missing.join(', ')}`, install)
        return ok(KINDS.join(', '))
      } catch (error) {
        // A server without the group answers 404, like one that is just starting.
        const { cause } = error as { cause?: unknown }
        const isUnknown = cause instanceof ApiRefusal && cause.status === NOT_FOUND
        if (!isUnknown) throw error
        return failed(`${GROUP_PATH} is not served`, install)
      }
    },
  }
}

/** Checks that the process may read tenants. */
export function rightsCheck(server: ApiServer, component: ProcessName): Check {
  const remedy =
    `bind the role of the ${component} to its service account; the chart does this ` +
    '(charts/sigcase/templates/rbac.yaml)'
  return {
    name: 'rights',
    remedy,
    async ask() {
      try {
        await server.send({ path: `${GROUP_PATH}/tenants`, query: { limit: '1' } })
        return ok('may read tenants')
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.status !== FORBIDDEN) throw error
        return failed(error.message, remedy)
      }
    },
  }
}
