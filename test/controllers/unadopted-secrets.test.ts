import t from 'tap'
import { sweepUnadoptedSecrets } from '../../controllers/unadopted-secrets.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { CASE_ID, CASE_KEY, signatureCase, TENANT } from '../fixtures/signature-case.ts'

const HOUR_MS = 60 * 60 * 1000
const FAR = new Date('2100-01-01')
const ABANDONED = { tenant: TENANT, caseId: uuidV5(CASE_ID, 'abandoned') }

/** Secrets of a case that was never created, and of one that exists. */
async function world() {
  const deps = controllerDeps('2026-11-02T08:00:01.000Z')
  deps.cases.seed(signatureCase())
  await deps.secrets.create(ABANDONED, { signingSecret: 'a' })
  await deps.secrets.create(CASE_KEY, { signingSecret: 'b' })
  return { ...deps, inTwoHours: new Date(deps.timers.nowMs() + 2 * HOUR_MS) }
}

t.test('secrets without a case are deleted, and those of a case adopted', async (t) => {
  const w = await world()
  await sweepUnadoptedSecrets(w, w.now())
  t.equal((await w.secrets.listUnadopted(FAR, 10)).length, 2, 'a request may still use them')
  await sweepUnadoptedSecrets(w, w.inTwoHours)
  t.same(await w.secrets.listUnadopted(FAR, 10), [])
  t.equal(await w.secrets.get(ABANDONED), undefined)
  t.ok(await w.secrets.get(CASE_KEY))
})

t.test('a secret that cannot be deleted does not keep back the others', async (t) => {
  const w = await world()
  w.secrets.delete = () => Promise.reject(new Error('refused'))
  await t.rejects(sweepUnadoptedSecrets(w, w.inTwoHours), /refused/)
  t.same(await w.secrets.listUnadopted(FAR, 10), [ABANDONED])
})
