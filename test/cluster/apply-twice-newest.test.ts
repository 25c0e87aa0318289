/** A file of a case applied again on the CRD layer of the newest Kubernetes, with its rules. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { reconcile } from '../../controllers/signature-case/reconcile.ts'
import { applyServerSide, declareApplyTests, fileOf } from '../fixtures/apply-twice.ts'
import { makeNamespaces, withCrdLayer } from '../fixtures/kubernetes-api.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { TENANT } from '../fixtures/signature-case.ts'

t.setTimeout(600_000)

await withCrdLayer(async (newest, { admin }) => {
  await makeNamespaces(admin, [TENANT])
  declareApplyTests('1.36', newest)

  t.test('1.36: another definition is refused once the case is accepted', async (t) => {
    const store = new KubernetesCaseStore(newest, { warn: () => {} })
    const deps = { ...controllerDeps(new Date().toISOString()), cases: store }
    const file = fileOf(randomUUID())
    const key = { tenant: TENANT, caseId: file.metadata.name }
    await applyServerSide(newest, file, false)
    const corrected = { ...file, spec: { definition: { ...file.spec.definition, title: 'Deed' } } }
    await applyServerSide(newest, corrected, false)
    for (let run = 0; run < 3; run++) await reconcile(key, deps)
    await t.rejects(applyServerSide(newest, file, false), /definition cannot be changed/)
    const creation = { at: '2026-01-01T00:00:00Z', ip: '192.0.2.1' }
    const claimed = { ...corrected, spec: { ...corrected.spec, creation } }
    await t.rejects(applyServerSide(newest, claimed, true), /creation cannot be changed/)
  })
})
