import t from 'tap'
import { evidenceKey, issuedKey } from '../../../domain/cases/keys.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { bytesAt, resultOf, sha256 } from '../../fixtures/finalised.ts'
import { pdfText, skipPdfText } from '../../fixtures/pdf-text.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { signAnotherCase } from '../../fixtures/forged-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'

const foreign = await signAnotherCase()

t.test('evidence that is not of this trail is replaced', async (t) => {
  const other = await signedByAll(1)
  await finalise(CASE_KEY, other.deps)
  for (const planted of [bytesAt(other, evidenceKey(CASE_KEY)), new Uint8Array(9), foreign]) {
    const w = await signedByAll()
    w.deps.objects.upload(evidenceKey(CASE_KEY), planted)
    await finalise(CASE_KEY, w.deps)
    t.same(w.deps.alarm.names(), ['evidence otherEvidence'])
    const stored = sha256(bytesAt(w, evidenceKey(CASE_KEY)))
    t.equal(resultOf(w).evidenceDocument.sha256, stored)
    t.not(stored, sha256(planted))
  }
})

t.test('evidence that could not be stored is not registered as issued', async (t) => {
  const w = await signedByAll()
  let isAway = true
  w.deps.objects.beforePut = (key) => {
    if (key !== evidenceKey(CASE_KEY) || !isAway) return
    isAway = false
    throw new Error('the store is away')
  }
  await t.rejects(finalise(CASE_KEY, w.deps), { message: 'the store is away' })
  await finalise(CASE_KEY, w.deps)
  const { signedDocument, evidenceDocument } = resultOf(w)
  const expected = [signedDocument, evidenceDocument].map(({ sha256 }) => issuedKey(sha256))
  t.same(w.deps.objects.under('issued/').toSorted(), expected.toSorted())
})

t.test(
  'evidence has local times of the time zone of the tenant',
  { skip: skipPdfText },
  async (t) => {
    const w = await signedByAll(1)
    const timeZone = 'America/New_York'
    w.deps.branding = { read: async (tenant) => (tenant === CASE_KEY.tenant ? { timeZone } : {}) }
    await finalise(CASE_KEY, w.deps)
    t.match(pdfText(bytesAt(w, evidenceKey(CASE_KEY))), /America\/New_York/)
  },
)
