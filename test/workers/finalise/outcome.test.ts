/** An object at the outcome key that no worker wrote does not decide the case. */
import t from 'tap'
import { evidenceKey, outcomeKey } from '../../../domain/cases/keys.ts'
import type { FinaliseFailure } from '../../../domain/cases/results.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { gather } from '../../../controllers/signature-case/gather.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { composeDocument, signDocument } from '../../../pades/index.ts'
import { sealingRequest } from '../../../workers/finalise/sealing.ts'
import { bytesAt, failureOf, resultOf, sha256, usedOrRevoked } from '../../fixtures/finalised.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { signedByAll, type SignedByAllWorld } from '../../fixtures/signed-by-all.ts'
import {
  signAnotherCase,
  readPhase,
  forgerOf,
  worldWithWrongCodes,
} from '../../fixtures/forged-case.ts'

/** A PDF that the service's own seal signs, but no participant of the case. */
async function sealedOnly(w: SignedByAllWorld, document: Uint8Array): Promise<Uint8Array> {
  return (await signDocument(document, { signers: [], ...(await sealingRequest(w.deps)) })).bytes
}

const foreign = await signAnotherCase()

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
  'a signed PDF whose certificates no record of the case names': {
    fault: 'otherCertificate',
    make: async () => {
      const twin = await signedByAll()
      await finalise(CASE_KEY, twin.deps)
      return [bytesAt(twin, outcomeKey(CASE_KEY)), 'application/pdf']
    },
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

t.test('failures keep their own MAC: another reason does not count', async (t) => {
  const w = await worldWithWrongCodes()
  await forgerOf(w).truncate(0)
  await finalise(CASE_KEY, w.deps)
  const failure = failureOf(w) as FinaliseFailure
  t.match((await gather(CASE_KEY, w.deps))?.failure?.reason, /audit trail/)
  const forged = encodeJson({ ...failure, reason: 'other' })
  w.deps.objects.upload(outcomeKey(CASE_KEY), forged, 'application/json')
  t.equal((await gather(CASE_KEY, w.deps))?.failure, undefined)
})
