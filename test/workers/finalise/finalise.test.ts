import { Buffer } from 'node:buffer'
import t from 'tap'
import { ReadObjects } from '../../../application/store/folder-snapshot.ts'
import { testTrail } from '../../fixtures/alarms.ts'
import {
  certificateFolder,
  evidenceKey,
  intakeKey,
  issuedKey,
  outcomeKey,
  resultKey,
} from '../../../domain/cases/keys.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { SandboxBusyError } from '../../../domain/ports/pdf-sandbox.ts'
import { PADES_ERRORS, signDocument, validateSignatures } from '../../../pades/index.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { ownSignatures } from '../../../workers/finalise/own-output.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { signedByAll, smallDocument, type SignedByAllWorld } from '../../fixtures/signed-by-all.ts'
import { root, seal as sender } from '../../fixtures/pki.ts'
import {
  sha256,
  bytesAt,
  resultOf,
  readTypes,
  REVOKED,
  readOwnTypes,
  revokedSerials,
  usedOrRevoked,
  RECORDED_EVENTS,
} from '../../fixtures/finalised.ts'

t.test('the signed PDF is the original, signed by everybody in order and sealed', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  const steps = Object.entries(w.deps.metrics.of('sigcase_finalise_step_duration_seconds'))
  t.ok(steps.length > 5)
  t.ok(steps.every(([step, count]) => step.includes('"succeeded"') && count === 1))
  t.same(w.deps.metrics.of('sigcase_case_completion_seconds'), { '': 1 })
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  t.ok(Buffer.from(signed.subarray(0, w.document.length)).equals(w.document))
  const { signatures } = await ownSignatures(signed, w.document.length, w.deps)
  const [first, second] = w.participants
  t.match(signatures, [
    { fieldName: `sigcase-${first?.id}`, participantId: first?.id, level: 'PAdES-BASELINE-LTA' },
    { fieldName: `sigcase-${second?.id}`, participantId: second?.id },
    { fieldName: 'sigcase-seal', participantId: undefined },
  ])
  t.match(signatures[0]?.subject, /Ľuboš Šťastný/)
  t.ok(signatures[0]?.subject.includes(first?.id ?? ''))
  t.notOk(signatures[0]?.subject.includes('@'))
  t.equal(signatures[0]?.notBefore, '2026-11-02T08:50:05.000Z')
  t.equal(signatures[0]?.notAfter, '2026-11-03T08:50:05.000Z')
})

/** Two signatures and the seal, their time-stamps, and the one over the document. */
const VALUES = 7

t.test('what contains an upload is validated in the sandbox, not in this process', async (t) => {
  const w = await signedByAll()
  const validated: string[] = []
  const named: string[] = []
  const { validateSigned } = w.deps.sandbox
  w.deps.sandbox.validateSigned = async (pdf, request, owner) => {
    validated.push(sha256(pdf))
    named.push(...(request.rightValues ?? []))
    return validateSigned(pdf, request, owner)
  }
  await finalise(CASE_KEY, w.deps)
  t.same(validated, [sha256(bytesAt(w, outcomeKey(CASE_KEY)))], 'once, and not the evidence')
  t.ok(named.length >= VALUES, 'with the values that this process has verified')
})

t.test('a sandbox that takes too long or fails is tried again', async (t) => {
  const w = await signedByAll()
  const { validateSigned } = w.deps.sandbox
  w.deps.sandbox.validateSigned = async () => {
    throw new SandboxBusyError(1)
  }
  await t.rejects(finalise(CASE_KEY, w.deps), SandboxBusyError)
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)), 'nothing is decided')
  w.deps.sandbox.validateSigned = validateSigned
  await finalise(CASE_KEY, w.deps)
  t.same(await readOwnTypes(w), RECORDED_EVENTS)
})

t.test('a signed document that cannot be validated fails its case', async (t) => {
  const w = await signedByAll()
  w.deps.sandbox.validateSigned = async () => ({ outcome: 'unreadable' })
  await finalise(CASE_KEY, w.deps)
  const outcome = w.deps.objects.json<{ reason: string }>(outcomeKey(CASE_KEY))
  t.equal(outcome?.reason, PADES_ERRORS.DEFIES_SIGNING)
})

t.test('on a document that others signed, one may sign in several places', async (t) => {
  const plain = await smallDocument()
  const seal = { fieldName: 'sender', name: 'the sender', credential: sender }
  const { bytes } = await signDocument(plain, {
    signers: [],
    seal,
    sealedAt: new Date('2026-11-02T08:01:00Z'),
  })
  const w = await signedByAll(2, bytes, 3)
  await finalise(CASE_KEY, w.deps)
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  t.equal(w.deps.objects.objects.get(outcomeKey(CASE_KEY))?.contentType, 'application/pdf')
  const { signatures, earlierSignatures } = await ownSignatures(signed, w.document.length, w.deps)
  t.equal(earlierSignatures, 1, 'the evidence says that the document was signed before')
  t.equal(signatures.length, 2 * 3 + 1, 'each place is a signature, and the seal follows')
  t.equal(new Set(signatures.map(({ certificateSerial }) => certificateSerial)).size, 2 + 1)
  const report = await validateSignatures(signed, {
    trustAnchors: [root.certificate],
    validationTime: w.deps.now(),
  })
  t.match(
    report.signatures.find(({ fieldName }) => fieldName === 'sender'),
    { indication: 'TOTAL_PASSED' },
    'the earlier signature stays valid',
  )
  t.same(await readOwnTypes(w), RECORDED_EVENTS, 'the trail records each person once')
})

t.test('trail, registry, evidence and result follow from the signed PDF', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  t.same(await readTypes(w), RECORDED_EVENTS)
  const { signedDocument, evidenceDocument, completedAt } = resultOf(w)
  t.equal(signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
  t.equal(evidenceDocument.sha256, sha256(bytesAt(w, evidenceKey(CASE_KEY))))
  t.equal(signedDocument.level, 'PAdES-BASELINE-LTA')
  t.equal(evidenceDocument.level, 'PAdES-BASELINE-LTA')
  t.equal(completedAt, w.deps.now().toISOString())
  t.match(w.deps.objects.json(issuedKey(signedDocument.sha256)), CASE_KEY)
  t.same(w.deps.ephemeral.published, [JSON.stringify(CASE_KEY)])
})

t.test('what the last signature caused is not dated before it', async (t) => {
  const w = await signedByAll(2, undefined, 1, '2026-11-02T09:00:05.437Z')
  await w.deps.timers.moveTo('2026-11-02T09:00:05.937Z')
  await finalise(CASE_KEY, w.deps)
  const entries = await testTrail(w.deps.objects, seededHex()).entries(CASE_KEY)
  t.same(
    entries
      .slice(-RECORDED_EVENTS.length)
      .map(({ type, occurredAt }) => [type, occurredAt.slice(14)]),
    [
      ['participant.certificate_issued', '00:05.437Z'],
      ['participant.certificate_issued', '00:05.437Z'],
      ['participant.signature_applied', '00:05.937Z'],
      ['participant.signature_applied', '00:05.937Z'],
      ['case.finalised', '00:05.937Z'],
    ],
    'a signature is applied, and the document sealed, not before the time-stamps',
  )
})

t.test('finalising again changes nothing', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  const before = [outcomeKey(CASE_KEY), evidenceKey(CASE_KEY), resultKey(CASE_KEY)].map((key) =>
    sha256(bytesAt(w, key)),
  )
  await finalise(CASE_KEY, w.deps)
  const after = [outcomeKey(CASE_KEY), evidenceKey(CASE_KEY), resultKey(CASE_KEY)].map((key) =>
    sha256(bytesAt(w, key)),
  )
  t.same(after, before)
  t.same(await readTypes(w), RECORDED_EVENTS)
})

t.test('a job killed after any write goes on to the same end', async (t) => {
  const whole = await signedByAll()
  let writes = 0
  whole.deps.objects.afterPut = () => void writes++
  await finalise(CASE_KEY, whole.deps)
  t.equal(writes, 7, 'the certificates, two PDFs with a digest each, one append, one result')
  for (let killedAfter = 1; killedAfter <= writes; killedAfter++) {
    const w = await signedByAll()
    let count = 0
    w.deps.objects.afterPut = () => {
      if (++count === killedAfter) throw new Error('killed')
    }
    await t.rejects(finalise(CASE_KEY, w.deps), { message: 'killed' })
    w.deps.objects.afterPut = undefined
    const outcome = w.deps.objects.objects.get(outcomeKey(CASE_KEY))?.bytes
    const trail = testTrail(w.deps.objects, seededHex(String(killedAfter)))
    const fresh = { ...w.deps, trail }
    await finalise(CASE_KEY, fresh)
    if (outcome) t.equal(sha256(bytesAt(w, outcomeKey(CASE_KEY))), sha256(outcome))
    t.same(await readOwnTypes(w), RECORDED_EVENTS, `killed after write ${killedAfter}`)
    await usedOrRevoked(t, w)
    t.equal(resultOf(w).signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
  }
})

t.test('of two runs at one time one outcome is left, and every event once', async (t) => {
  const w = await signedByAll()
  const other = { ...w.deps, trail: testTrail(w.deps.objects, seededHex('other')) }
  await Promise.all([finalise(CASE_KEY, w.deps), finalise(CASE_KEY, other)])
  t.same((await readOwnTypes(w)).sort(), [...RECORDED_EVENTS].sort())
  await usedOrRevoked(t, w)
  t.equal((await revokedSerials(w)).size, 2, 'those of the run that lost')
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  const { signatures } = await ownSignatures(signed, w.document.length, w.deps)
  t.equal(signatures.length, 3)
  t.equal(resultOf(w).signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
})

t.test('nothing of a signed document is stored before the outcome', async (t) => {
  const w = await signedByAll()
  const written: string[] = []
  w.deps.objects.beforePut = (key) => void written.push(key)
  await finalise(CASE_KEY, w.deps)
  const before = written.slice(0, written.indexOf(outcomeKey(CASE_KEY)))
  t.equal(before.filter((key) => key.startsWith(certificateFolder(CASE_KEY))).length, 1)
  const isOther = (key: string) => !key.includes(`/certificates/`) && !/crl$|\/audit/.test(key)
  t.same(before.filter(isOther), [])
})

async function cancel({ deps }: SignedByAllWorld): Promise<void> {
  const value = (await deps.cases.get(CASE_KEY)) as SignatureCase
  value.spec.cancellation = { at: deps.now().toISOString() }
  await deps.cases.replaceSpec(value)
}

t.test('a case that was cancelled meanwhile gets no signed document', async (t) => {
  const w = await signedByAll()
  const { stamp } = w.deps.timeStamps
  w.deps.timeStamps.stamp = async (digest) => {
    w.deps.timeStamps.stamp = stamp
    await cancel(w)
    return stamp(digest)
  }
  await finalise(CASE_KEY, w.deps)
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)))
  t.same(await readTypes(w), [REVOKED, REVOKED])
  t.equal((await revokedSerials(w)).size, 2, 'its certificates are revoked')
})

t.test('a cancellation right after the outcome keeps it out of the trail', async (t) => {
  const w = await signedByAll()
  w.deps.objects.afterPut = async (key) => {
    if (key === outcomeKey(CASE_KEY)) await cancel(w)
  }
  await finalise(CASE_KEY, w.deps)
  t.same(await readTypes(w), [])
  t.notOk(w.deps.objects.objects.has(resultKey(CASE_KEY)))
})

t.test('while a signature is missing nothing is made', async (t) => {
  const w = await signedByAll()
  const value = (await w.deps.cases.get(CASE_KEY)) as SignatureCase
  value.spec.signatures.pop()
  w.deps.cases.seed(value)
  await finalise(CASE_KEY, w.deps)
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)))
})

t.test('a verdict that this process wrote is read only when it was replaced', async (t) => {
  const w = await signedByAll()
  const verdicts = new ReadObjects()
  const place = intakeKey(CASE_KEY)
  const written = await w.deps.objects.get(place)
  if (written) verdicts.keep(written)
  w.deps.objects.gets = []
  await finalise(CASE_KEY, { ...w.deps, verdicts })
  t.notOk(w.deps.objects.gets.includes(place))
  t.ok(bytesAt(w, outcomeKey(CASE_KEY)).length > w.document.length)
  const other = await signedByAll()
  verdicts.keep({ ...written!, generation: 'another' })
  other.deps.objects.gets = []
  await finalise(CASE_KEY, { ...other.deps, verdicts })
  t.ok(other.deps.objects.gets.includes(place))
})
