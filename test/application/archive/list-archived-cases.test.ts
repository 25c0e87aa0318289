import t from 'tap'
import { archiveCase } from '../../../application/archive/archive-case.ts'
import { listArchivedCases } from '../../../application/archive/list-archived-cases.ts'
import { archivedKey } from '../../../domain/cases/keys.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { ENDED_AT, settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

const OTHER_ID = '00000000-0000-4000-8000-000000000001'

t.test('archived cases are listed, and entries without a record are left out', async (t) => {
  const deps = controllerDeps(ENDED_AT)
  deps.cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  const planted = { ...CASE_KEY, caseId: OTHER_ID }
  deps.objects.upload(archivedKey(planted, ENDED_AT), encodeJson({}))
  deps.objects.upload('archived/not an entry', encodeJson({}))
  const listed: SignatureCase[] = []
  for await (const one of listArchivedCases(deps)) listed.push(one)
  t.match(listed, [{ metadata: { name: CASE_KEY.caseId }, status: { phase: 'DONE' } }])
  t.equal(listed.length, 1)
})
