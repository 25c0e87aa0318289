import t from 'tap'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { caseStoreContract } from '../../contract/case-store.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'

const NAMESPACES = [
  'acme',
  'acme-2',
  'zoo',
  'other',
  'tenant-a',
  'tenant-b',
  'tenant-c',
  'tenant-d',
]
const ROOT = '/apis/sigcase.dev/v1'

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, NAMESPACES)
  caseStoreContract('Kubernetes', async () => {
    await clear(admin, ROOT, 'signaturecases', NAMESPACES)
    return new KubernetesCaseStore(admin, { warn: (details) => t.comment(details) })
  })
})
