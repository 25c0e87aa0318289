import t from 'tap'
import { KubernetesSecretStore } from '../../../adapters/kubernetes/secret-store.ts'
import { secretStoreContract } from '../../contract/secret-store.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { CASE_ID, CASE_KEY } from '../../fixtures/signature-case.ts'

const NAMESPACES = ['acme', 'other']

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, NAMESPACES)
  const open = async () => {
    await clear(admin, '/api/v1', 'secrets', NAMESPACES)
    return new KubernetesSecretStore(admin, async () => NAMESPACES)
  }
  secretStoreContract('Kubernetes', open)

  t.test("a Secret that is not a case's is neither read nor taken for unadopted", async (t) => {
    const store = await open()
    const metadata = { name: CASE_ID, namespace: CASE_KEY.tenant }
    const body = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { pinHash: 'x' } }
    await admin.send({ method: 'POST', path: '/api/v1/namespaces/acme/secrets', body })
    t.equal(await store.get(CASE_KEY), undefined)
    t.same(await store.listUnadopted(new Date('2100-01-01T00:00:00Z'), 10), [])
  })
})
