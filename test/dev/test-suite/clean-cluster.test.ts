/** A test file finds an API server as if no other had used it. */
import t from 'tap'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { tenantBindings } from '../../../adapters/kubernetes/tenant-namespaces.ts'
import { collectionOf } from '../../../dev/rbac/manifests.ts'
import { installRights, registerTenant } from '../../../dev/local-cluster/install.ts'
import { cleanCluster } from '../../fixtures/clean-cluster.ts'
import { DEFINITIONS, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const HOME = 'sigcase-system'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

await withCluster(async ({ admin }) => {
  const namesAt = async (path: string): Promise<string[]> => {
    const { items } = await admin.send<{ items: { metadata: { name: string } }[] }>({ path })
    return items.map(({ metadata }) => metadata.name)
  }
  /** Creates what test files create. */
  const fill = async () => {
    await makeNamespaces(admin, [HOME, TENANT])
    await installRights(admin, HOME)
    await registerTenant(admin, TENANT)
    for (const body of tenantBindings(TENANT, HOME)) {
      await admin.send({ method: 'POST', path: collectionOf({ ...body }), body })
    }
    const { status: _, ...one } = signatureCase()
    const metadata = { name: one.metadata.name, namespace: TENANT }
    await new KubernetesCaseStore(admin, { warn: () => {} }).create({ ...one, metadata })
  }

  t.test('objects, rights and namespaces go, and can be created again', async (t) => {
    for (const round of ['first', 'second']) {
      await fill()
      t.equal((await namesAt('/apis/sigcase.dev/v1/signaturecases')).length, 1, round)
      await cleanCluster(admin)
      for (const plural of ['signaturecases', 'tenants']) {
        t.same(await namesAt(`/apis/sigcase.dev/v1/${plural}`), [], plural)
      }
      for (const plural of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings']) {
        const left = (await namesAt(`${RBAC}/${plural}`)).filter((name) => /sigcase/.test(name))
        t.same(left, [], plural)
      }
      const namespaces = await namesAt('/api/v1/namespaces')
      t.notOk(namespaces.includes(HOME) || namespaces.includes(TENANT))
    }
  })

  t.test('what belongs to the API server stays, and so do the definitions', async (t) => {
    await cleanCluster(admin)
    t.ok((await namesAt('/api/v1/namespaces')).includes('kube-system'))
    t.ok((await namesAt(`${RBAC}/clusterroles`)).includes('cluster-admin'))
    t.ok((await namesAt(DEFINITIONS)).includes('signaturecases.sigcase.dev'))
  })
})
