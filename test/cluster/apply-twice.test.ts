/** A file of a case applied again on the oldest API server that the resources support. */
import t from 'tap'
import { declareApplyTests } from '../fixtures/apply-twice.ts'
import { makeNamespaces, withCluster } from '../fixtures/kubernetes-api.ts'
import { TENANT } from '../fixtures/signature-case.ts'

t.setTimeout(600_000)

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, [TENANT])
  declareApplyTests('1.20', admin, { writesTimes: true })
})
