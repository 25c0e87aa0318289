/**
 * Finalising when somebody else writes the bucket: nothing that the service did not make decides a
 * case, and a trail that does not hold is never sealed.
 */
import t, { type Test } from 'tap'
import type { AuditEvent } from '../../../domain/audit/entry.ts'
import {
  auditHeadFolder,
  evidenceKey,
  intakeKey,
  issuedKey,
  outcomeKey,
  resultKey,
} from '../../../domain/cases/keys.ts'
import { auditEvent, dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import type { FinaliseFailure, FinaliseResult } from '../../../domain/cases/results.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { gather } from '../../../controllers/signature-case/gather.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { composeDocument, signDocument } from '../../../pades/index.ts'
import { sealingRequest } from '../../../workers/finalise/sealing.ts'
import { sealTrail } from '../../../workers/trail-seal.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { headOf } from '../../../domain/audit/signature-check.ts'
import { testTrail } from '../../fixtures/alarms.ts'
import { bytesAt, failureOf, resultOf, sha256, usedOrRevoked } from '../../fixtures/finalised.ts'
import { Forger } from '../../fixtures/forger.ts'
import { CASE_KEY, keyring, signature } from '../../fixtures/signature-case.ts'
import { signedByAll, type SignedByAllWorld } from '../../fixtures/signed-by-all.ts'

t.setTimeout(120_000)

const readStoredCase = async ({ deps }: SignedByAllWorld) =>
  (await deps.cases.get(CASE_KEY)) as SignatureCase
const readPhase = async (w: SignedByAllWorld) => (await readStoredCase(w)).status?.phase
const forgerOf = ({ deps }: SignedByAllWorld) => new Forger(deps.objects, CASE_KEY)

/** Another process: it has read nothing before. */
function newProcess(w: SignedByAllWorld): void {
  w.deps.trail = testTrail(w.deps.objects, undefined, w.deps.alarm)
}

const failedCode = (position: number): AuditEvent =>
  auditEvent(CASE_KEY.caseId, 'participant.otp_failed', {
    occurredAt: '2026-11-02T08:20:00.000Z',
    actor: 'participant',
    ip: '192.0.2.66',
    data: { factor: 'code' },
    occurrence: String(position),
  })

/** Two wrong codes were entered before everybody signed; the facts name the head of that trail. */
async function world(): Promise<SignedByAllWorld> {
  const w = await signedByAll()
  const value = await readStoredCase(w)
  await w.deps.trail.append(CASE_KEY, dueAuditEvents(value, []))
  const entries = await w.deps.trail.append(CASE_KEY, [failedCode(1), failedCode(2)])
  const signatures = w.participants.map((one, index) => {
    const { signature: _, participantId: __, ...fact } = value.spec.signatures[index]!
    return signature(one, { ...fact, trail: headOf(entries) })
  })
  const signed = { ...value, spec: { ...value.spec, signatures } }
  w.deps.cases.seed(signed)
  await w.deps.trail.append(CASE_KEY, dueAuditEvents(signed, acceptedSignatures(keyring, signed)))
  return w
}

/** Nothing of a case that failed for its trail was sealed. */
function assertUnsealed(t: Test, { deps }: SignedByAllWorld): void {
  t.notOk(deps.objects.objects.has(evidenceKey(CASE_KEY)), 'no evidence')
  t.same(deps.objects.under(auditHeadFolder(CASE_KEY)), [], 'no head')
  t.notOk(deps.objects.objects.has(resultKey(CASE_KEY)), 'no result')
}

const FORGERIES: Readonly<
  Record<string, { fault: string; forge(forger: Forger, w: SignedByAllWorld): Promise<void> }>
> = {
  'the entries of failed codes are removed and the chain is recomputed': {
    fault: 'wrongMac',
    forge: (forger) => forger.remove(({ type }) => type === 'participant.otp_failed'),
  },
  'the end of the trail is removed, from the failed codes on': {
    fault: 'missingHead',
    forge: (forger) => forger.truncate(4),
  },
  'the whole folder is removed': {
    fault: 'missingHead',
    forge: (forger) => forger.truncate(0),
  },
  'the address of a signature is changed': {
    fault: 'wrongMac',
    forge: async (forger) => {
      const entries = await forger.entries()
      const sequence = entries.findIndex(({ type }) => type === 'participant.signed') + 1
      await forger.changeAddress(sequence, '203.0.113.99')
    },
  },
  'the values of a signature are removed': {
    fault: 'missingOpening',
    forge: async (forger) => {
      const entries = await forger.entries()
      const sequence = entries.findIndex(({ type }) => type === 'participant.signed') + 1
      await forger.changeOpenings(sequence, () => undefined)
    },
  },
}

for (const [what, { fault, forge }] of Object.entries(FORGERIES)) {
  t.test(`${what}: the case fails and nothing is sealed`, async (t) => {
    const w = await world()
    newProcess(w)
    await forge(forgerOf(w), w)
    await finalise(CASE_KEY, w.deps)
    t.match(failureOf(w)?.reason, /^The audit trail of the case was changed outside the service/)
    t.match(failureOf(w)?.reason, fault)
    t.ok(w.deps.alarm.names().includes(`audit-trail ${fault}`))
    assertUnsealed(t, w)
    await reconcile(CASE_KEY, w.deps)
    t.match((await readStoredCase(w)).status, { phase: 'FAILED', failureReason: new RegExp(fault) })
    await sealTrail(CASE_KEY, w.deps)
    assertUnsealed(t, w)
    w.deps.jobs.take()
    await reconcile(CASE_KEY, w.deps)
    t.notOk(
      w.deps.jobs.take().some(({ kind }) => kind === 'trail-seal'),
      'nor is it tried again',
    )
  })

  t.test(`${what} after the signed PDF was stored: nothing more is sealed`, async (t) => {
    const w = await world()
    let isForged = false
    w.deps.objects.afterPut = async (key) => {
      if (key !== outcomeKey(CASE_KEY) || isForged) return
      isForged = true
      await forge(forgerOf(w), w)
      newProcess(w)
      throw new Error('the process is killed')
    }
    await t.rejects(finalise(CASE_KEY, w.deps), { message: 'the process is killed' })
    await finalise(CASE_KEY, w.deps)
    t.match(failureOf(w)?.reason, fault)
    t.same(w.deps.objects.under('issued/'), [], 'nothing is registered as issued')
    assertUnsealed(t, w)
    await reconcile(CASE_KEY, w.deps)
    t.equal(await readPhase(w), 'FAILED')
    t.equal(w.deps.objects.under('pki/revocations/').length, 2, 'the certificates are revoked')
  })
}

t.test('an entry with another address than the signature is a fault', async (t) => {
  const w = await signedByAll()
  const value = await readStoredCase(w)
  const accepted = acceptedSignatures(keyring, value)
  const events = dueAuditEvents(value, accepted).map((event) =>
    event.type === 'participant.signed' ? { ...event, ip: '203.0.113.99' } : event,
  )
  await w.deps.trail.append(CASE_KEY, events)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w)?.reason, 'otherSignature')
  t.same(w.deps.alarm.names(), ['audit-trail otherSignature'])
  assertUnsealed(t, w)
})

/** A PDF that the service's own seal signs, but no participant of the case. */
async function sealedOnly(w: SignedByAllWorld, document: Uint8Array): Promise<Uint8Array> {
  return (await signDocument(document, { signers: [], ...(await sealingRequest(w.deps)) })).bytes
}

const foreign = await (async () => {
  const other = await signedByAll(1)
  await finalise(CASE_KEY, other.deps)
  return bytesAt(other, outcomeKey(CASE_KEY))
})()

const otherDocument = () =>
  composeDocument({
    language: 'en',
    title: 'Another contract',
    author: 'Test',
    createdAt: new Date('2026-11-02T08:00:00.000Z'),
    blocks: [{ kind: 'paragraph', text: 'Everything belongs to somebody else.' }],
    attachments: [],
  })

const PLANTED: Readonly<
  Record<string, { fault: string; make(w: SignedByAllWorld): Promise<[Uint8Array, string]> }>
> = {
  'a signed PDF of another case': {
    fault: 'otherParticipants',
    make: async () => [foreign, 'application/pdf'],
  },
  'the document with the seal of the service and without signatures of people': {
    fault: 'otherParticipants',
    make: async (w) => [await sealedOnly(w, w.document), 'application/pdf'],
  },
  'another document with the seal of the service': {
    fault: 'otherDocument',
    make: async (w) => [await sealedOnly(w, await otherDocument()), 'application/pdf'],
  },
  'the accepted document itself': {
    fault: 'invalidSignature',
    make: async (w) => [w.document, 'application/pdf'],
  },
  'no PDF at all': {
    fault: 'otherDocument',
    make: async () => [new Uint8Array(9), 'application/pdf'],
  },
  'a failure without a MAC': {
    fault: 'wrongMac',
    make: async () => [
      encodeJson({ reason: 'no', failedAt: '2026-11-02T09:00:00.000Z' }),
      'application/json',
    ],
  },
}

for (const [what, { fault, make }] of Object.entries(PLANTED)) {
  t.test(`${what} at the outcome key does not decide the case`, async (t) => {
    const w = await signedByAll()
    const [bytes, type] = await make(w)
    w.deps.objects.upload(outcomeKey(CASE_KEY), bytes, type)
    await reconcile(CASE_KEY, w.deps)
    t.equal(await readPhase(w), 'IN_PROGRESS')
    t.ok(w.deps.jobs.take().some(({ kind }) => kind === 'finalise'))
    await finalise(CASE_KEY, w.deps)
    t.ok(w.deps.alarm.names().includes(`outcome ${fault}`), `${fault} of ${w.deps.alarm.names()}`)
    const stored = bytesAt(w, outcomeKey(CASE_KEY))
    t.equal(resultOf(w).signedDocument.sha256, sha256(stored))
    t.not(sha256(stored), sha256(bytes))
    await usedOrRevoked(t, w)
    await reconcile(CASE_KEY, w.deps)
    t.equal(await readPhase(w), 'DONE')
  })
}

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

t.test('a signed PDF that replaces the one in the trail fails', async (t) => {
  const w = await signedByAll()
  w.deps.objects.afterPut = (key) => {
    if (key === evidenceKey(CASE_KEY)) throw new Error('the process is killed')
  }
  await t.rejects(finalise(CASE_KEY, w.deps))
  w.deps.objects.afterPut = undefined
  w.deps.objects.upload(outcomeKey(CASE_KEY), foreign)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w)?.reason, 'The signed PDF was changed outside the service')
  await reconcile(CASE_KEY, w.deps)
  t.equal(await readPhase(w), 'FAILED')
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

t.test('failures keep their own MAC: another reason does not count', async (t) => {
  const w = await world()
  await forgerOf(w).truncate(0)
  await finalise(CASE_KEY, w.deps)
  const failure = failureOf(w) as FinaliseFailure
  t.match((await gather(CASE_KEY, w.deps))?.failure?.reason, /audit trail/)
  const forged = encodeJson({ ...failure, reason: 'other' })
  w.deps.objects.upload(outcomeKey(CASE_KEY), forged, 'application/json')
  t.equal((await gather(CASE_KEY, w.deps))?.failure, undefined)
})

t.test('a verdict of intake that no worker wrote is not signed by', async (t) => {
  const w = await world()
  const verdict = { ...w.deps.objects.json<object>(intakeKey(CASE_KEY)), drawn: [] }
  w.deps.objects.upload(intakeKey(CASE_KEY), encodeJson(verdict), 'application/json')
  await t.rejects(finalise(CASE_KEY, w.deps), { name: 'BackendFault', message: /the verdict/ })
  t.same(w.deps.alarm.names(), ['intake wrongMac'])
  assertUnsealed(t, w)
})

t.test('a place that the authentic verdict forbids is not signed', async (t) => {
  const w = await world()
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

t.test('the trail of a case that was not touched is sealed as before', async (t) => {
  const w = await world()
  newProcess(w)
  await finalise(CASE_KEY, w.deps)
  t.same(w.deps.alarm.raised, [])
  t.ok(w.deps.objects.objects.has(evidenceKey(CASE_KEY)))
  t.ok((await w.deps.trail.entries(CASE_KEY)).length > 8)
})
