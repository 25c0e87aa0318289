/** Results that no worker wrote decide nothing. */
import t from 'tap'
import { intakeKey, issuedKey, outcomeKey, resultKey } from '../../../domain/cases/keys.ts'
import type { FinaliseResult } from '../../../domain/cases/results.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { gather } from '../../../controllers/signature-case/gather.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { bytesAt, failureOf, resultOf, sha256 } from '../../fixtures/finalised.ts'
import { CASE_KEY, signature } from '../../fixtures/signature-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'
import {
  signAnotherCase,
  readStoredCase,
  readPhase,
  worldWithWrongCodes,
  assertUnsealed,
} from '../../fixtures/forged-case.ts'

t.setTimeout(120_000)

const foreign = await signAnotherCase()

t.test('a result, a failure and a verdict that no worker wrote do not count', async (t) => {
  const w = await signedByAll()
  const made = { sha256: 'a'.repeat(64), size: 1, level: 'PAdES-BASELINE-LTA' }
  const completedAt = '2026-11-02T09:00:00.000Z'
  const result: FinaliseResult = { signedDocument: made, evidenceDocument: made, completedAt }
  w.deps.objects.upload(outcomeKey(CASE_KEY), foreign)
  w.deps.objects.upload(resultKey(CASE_KEY), encodeJson(result), 'application/json')
  await reconcile(CASE_KEY, w.deps)
  t.equal(await readPhase(w), 'IN_PROGRESS')
  t.same(w.deps.alarm.names(), ['result wrongMac'])
  await finalise(CASE_KEY, w.deps)
  t.equal(resultOf(w).signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
  await reconcile(CASE_KEY, w.deps)
  t.equal(await readPhase(w), 'DONE')
})

t.test('a result of another case does not count', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  const other = { ...CASE_KEY, caseId: '11111111-1111-4111-8111-111111111111' }
  w.deps.objects.upload(resultKey(other), bytesAt(w, resultKey(CASE_KEY)), 'application/json')
  w.deps.objects.upload(outcomeKey(other), bytesAt(w, outcomeKey(CASE_KEY)))
  const value = await readStoredCase(w)
  w.deps.cases.seed({ ...value, metadata: { ...value.metadata, name: other.caseId } })
  t.equal((await gather(other, w.deps))?.result, undefined)
  t.same(w.deps.alarm.names(), ['result wrongMac'])
})

t.test('a planted registry entry is replaced', async (t) => {
  const w = await signedByAll()
  w.deps.objects.beforePut = (key) => {
    if (key.startsWith('issued/') && !w.deps.objects.objects.has(key)) {
      w.deps.objects.upload(key, encodeJson({}), 'application/json')
    }
  }
  await finalise(CASE_KEY, w.deps)
  t.same(w.deps.alarm.names(), ['issued wrongMac'])
  const place = issuedKey(resultOf(w).signedDocument.sha256)
  t.match(w.deps.objects.json(place), { ...CASE_KEY, mac: /^[0-9a-f]{64}$/ })
})

t.test('a verdict of intake that no worker wrote is not signed by', async (t) => {
  const w = await worldWithWrongCodes()
  const verdict = { ...w.deps.objects.json<object>(intakeKey(CASE_KEY)), drawn: [] }
  w.deps.objects.upload(intakeKey(CASE_KEY), encodeJson(verdict), 'application/json')
  await t.rejects(finalise(CASE_KEY, w.deps), { name: 'BackendFault', message: /the verdict/ })
  t.same(w.deps.alarm.names(), ['intake wrongMac'])
  assertUnsealed(t, w)
})

t.test('a place that the authentic verdict forbids is not signed', async (t) => {
  const w = await worldWithWrongCodes()
  const value = await readStoredCase(w)
  const [one] = w.participants
  if (!one) throw new Error('somebody signed')
  const { signature: _, participantId: __, fieldIds: ___, ...fact } = value.spec.signatures[0]!
  const whole = { page: 1, x: 0, y: 0, width: 1, height: 1, unit: 'fraction' as const }
  const large = signature(one, { ...fact, fieldIds: undefined, rectangles: [whole] })
  const signatures = [large, ...value.spec.signatures.slice(1)]
  w.deps.cases.seed({ ...value, spec: { ...value.spec, signatures } })
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w)?.reason, /chose a place that is not allowed/)
})
