import { KubernetesDeviceStore } from '../../../adapters/kubernetes/device-store.ts'
import { deviceStoreContract } from '../../contract/device-store.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'

const NAMESPACES = ['acme', 'other']

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, NAMESPACES)
  deviceStoreContract('Kubernetes', async () => {
    await clear(admin, '/apis/sigcase.dev/v1', 'kioskdevices', NAMESPACES)
    return new KubernetesDeviceStore(admin)
  })
})
