/** What `kubectl get` and `kubectl explain` show of the resources. */
import t from 'tap'
import type { ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { CUSTOM_RESOURCES } from '../../../dev/crds/resources.ts'
import { DEFINITIONS, makeNamespaces, withCluster } from '../../fixtures/cluster.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'

interface Table {
  columnDefinitions: { name: string; priority: number }[]
  rows: { cells: unknown[] }[]
}

/** As `kubectl get` asks. */
async function tableOf(admin: ApiServer, path: string): Promise<Table> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  return admin.send<Table>({ path, accept })
}

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, [TENANT])

  t.test('a case shows its phase, who signed, until when and its age', async (t) => {
    const store = new KubernetesCaseStore(admin, { warn: () => {} })
    const one = signatureCase({ phase: 'IN_PROGRESS', status: { signed: '1/2' } })
    const metadata = { name: one.metadata.name, namespace: TENANT }
    const created = await store.create({ ...one, metadata })
    await store.replaceStatus({ ...created, status: one.status! })
    const { columnDefinitions, rows } = await tableOf(
      admin,
      `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`,
    )
    const shown = columnDefinitions.flatMap(({ name, priority }, index) =>
      priority === 0 ? [[name, rows[0]?.cells[index]]] : [],
    )
    t.match(Object.fromEntries(shown), {
      Name: one.metadata.name,
      Phase: 'IN_PROGRESS',
      Signed: '1/2',
      'Valid Until': one.spec.definition.validUntil,
      Age: /^\d+s$/,
    })
    const wide = columnDefinitions.filter(({ priority }) => priority > 0)
    t.same(
      wide.map(({ name }) => name),
      ['Title', 'Pages', 'Waiting'],
    )
  })

  t.test('the definitions were taken as they were written', async (t) => {
    for (const { plural } of CUSTOM_RESOURCES) {
      const path = `${DEFINITIONS}/${plural}.sigcase.dev`
      const { status } = await admin.send<{ status: { conditions: { type: string }[] } }>({ path })
      t.notOk(
        status.conditions.some(({ type }) => type === 'NonStructuralSchema'),
        `${plural} is structural`,
      )
    }
  })
})
