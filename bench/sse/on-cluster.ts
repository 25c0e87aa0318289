/** Prepares the row `sse` on a cluster: a case, and the kiosks. */
import { KubernetesDeviceStore } from '../../adapters/kubernetes/device-store.ts'
import { device } from '../../test/fixtures/device.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import type { LocalCluster } from '../../dev/cluster/local.ts'
import { freePorts } from '../../adapters/free-ports.ts'
import { storeCase } from '../cluster/cases.ts'
import { endControllers } from '../cluster/on-cluster.ts'
import { flood } from '../flood.ts'
import { handedCase, kioskAt, KIOSKS } from './devices.ts'

const REGISTERING = 32

/** Registers the kiosks. @returns arguments of `cluster-server.ts` */
export async function prepareKiosks(cluster: LocalCluster): Promise<string[]> {
  const { admin, api, kubeconfigOf, token } = cluster
  // Without controllers, only the kiosks process the case.
  await endControllers(cluster)
  await storeCase(admin, handedCase())
  const devices = new KubernetesDeviceStore(admin)
  await flood(KIOSKS, REGISTERING, (index) => devices.create(device(kioskAt(index))))
  const [port, operationsPort] = await freePorts(2)
  const own = {
    KUBECONFIG: await kubeconfigOf('api', 'bench'),
    PORT: String(port),
    OPERATIONS_PORT: String(operationsPort),
  }
  return [await token(TENANT), JSON.stringify({ ...api.options.environment, ...own })]
}
