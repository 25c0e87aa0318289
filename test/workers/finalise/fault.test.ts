/** What cannot be signed ends the case; what cannot sign at the moment is waited for. */
import t from 'tap'
import {
  CANARY_KEY,
  certificateFolder,
  documentKey,
  drawingKey,
  outcomeKey,
} from '../../../domain/cases/keys.ts'
import type { CanaryResult } from '../../../domain/cases/results.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { CANARY_MAXIMUM_AGE_MS } from '../../../domain/limits.ts'
import type { RevocationQuestion } from '../../../domain/ports/revocation.ts'
import type { SigningKeyName } from '../../../domain/ports/signing.ts'
import { runCanary } from '../../../workers/canary.ts'
import { finalise, GIVE_UP_AFTER_MS } from '../../../workers/finalise/finalise.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import {
  DRAWING_REFERENCE,
  signedByAll,
  type SignedByAllWorld,
} from '../../fixtures/signed-by-all.ts'
import { identity, revocationList } from '../../fixtures/pki.ts'
import { signingDevice, timeStampsAt } from '../../fixtures/worker.ts'
import {
  resultOf,
  failureOf,
  readTypes,
  REVOKED,
  readOwnTypes,
  usedOrRevoked,
  RECORDED_EVENTS,
} from '../../fixtures/finalised.ts'

const LAST_SIGNATURE_MS = Date.parse('2026-11-02T08:31:00.000Z')

t.test('sealing refuses a document whose digest changed after consent', async (t) => {
  const w = await signedByAll()
  const changed = w.document.slice()
  changed[changed.length - 1] = 0x20
  w.deps.objects.upload(documentKey(CASE_KEY), changed)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), {
    code: 'DATA_CHANGED',
    reason: 'The stored document is not the one that was accepted',
  })
  t.same(await readTypes(w), [])
  t.same(w.deps.ephemeral.published, [JSON.stringify(CASE_KEY)])
})

t.test('a drawing that was exchanged is refused', async (t) => {
  const w = await signedByAll()
  const place = drawingKey(CASE_KEY, DRAWING_REFERENCE.sha256)
  w.deps.objects.upload(place, new TextEncoder().encode('M0 0 L9 9'), 'image/svg+xml')
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { reason: /drawing/ })
})

t.test('a document or a drawing that the store lacks is waited for, then missed', async (t) => {
  for (const place of [documentKey(CASE_KEY), drawingKey(CASE_KEY, DRAWING_REFERENCE.sha256)]) {
    const w = await signedByAll()
    const { bytes, contentType } = w.deps.objects.objects.get(place) ?? {}
    if (!bytes) return t.fail(place)
    await w.deps.objects.delete(place)
    await t.rejects(finalise(CASE_KEY, w.deps), { name: 'BackendFault', message: /in the store/ })
    t.same(w.deps.objects.under(certificateFolder(CASE_KEY)), [])
    w.deps.objects.upload(place, bytes, contentType)
    await finalise(CASE_KEY, w.deps)
    t.same(await readOwnTypes(w), RECORDED_EVENTS)
  }
  const w = await signedByAll()
  await w.deps.objects.delete(documentKey(CASE_KEY))
  await w.deps.timers.moveTo(LAST_SIGNATURE_MS + GIVE_UP_AFTER_MS + 1)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { code: 'DATA_MISSING', reason: /missing in the store for 24 hours/ })
})

t.test('a document that cannot be signed fails the case, with the reason', async (t) => {
  const w = await signedByAll(2, new TextEncoder().encode(`not a PDF${' '.repeat(2000)}`))
  await finalise(CASE_KEY, w.deps)
  const failedAt = w.deps.now().toISOString()
  t.match(failureOf(w), { code: 'DOCUMENT_UNSIGNABLE', reason: /is not a PDF/, failedAt })
  t.equal(w.deps.objects.objects.get(outcomeKey(CASE_KEY))?.contentType, 'application/json')
})

/** The device with one key out of order. */
function without(key: SigningKeyName): typeof signingDevice {
  return {
    ...signingDevice,
    sign: async (name, data) => {
      if (name === key) throw new Error('the key is away')
      return signingDevice.sign(name, data)
    },
  }
}

t.test('an unreachable key or authority does not decide: the job is tried again', async (t) => {
  for (const broken of [
    { signingDevice: without('issuing-ca') },
    { signingDevice: without('seal') },
    {
      timeStamps: {
        stamp: async () => {
          throw new Error('no authority answered')
        },
        trustAnchors: async () => [],
      },
    },
  ]) {
    const w = await signedByAll()
    await t.rejects(finalise(CASE_KEY, { ...w.deps, ...broken }))
    t.same(
      w.deps.objects.under('tenants/').filter((key) => key === outcomeKey(CASE_KEY)),
      [],
    )
    await finalise(CASE_KEY, w.deps)
    t.same(await readOwnTypes(w), RECORDED_EVENTS)
    await usedOrRevoked(t, w)
  }
})

t.test('a backend that stays away for a day after the last signature fails the case', async (t) => {
  const w = await signedByAll()
  const broken = { ...w.deps, signingDevice: without('seal') }
  await w.deps.timers.moveTo(LAST_SIGNATURE_MS + GIVE_UP_AFTER_MS)
  await t.rejects(finalise(CASE_KEY, broken))
  await w.deps.timers.moveTo(LAST_SIGNATURE_MS + GIVE_UP_AFTER_MS + 1)
  await finalise(CASE_KEY, broken)
  t.match(failureOf(w), { reason: /could not be used for 24 hours/ })
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { reason: /could not be used for 24 hours/ })
})

/** A time-stamp authority that is not ours, with the list that it publishes. */
async function foreignAuthority({ deps }: SignedByAllWorld) {
  const life = { notBefore: new Date('2026-01-01Z'), notAfter: new Date('2030-01-01Z') }
  const foreignRoot = await identity({ ...life, profile: 'root', subject: { commonName: 'Other' } })
  const foreign = await identity({
    ...life,
    profile: 'tsa',
    subject: { commonName: 'Other TSA' },
    issuer: foreignRoot,
    publishedAt: { crlUrl: 'http://tsa.example/root.crl' },
  })
  const list = await revocationList(foreignRoot, [], {
    thisUpdate: new Date('2026-10-30Z'),
    nextUpdate: life.notAfter,
  })
  const timeStamps = timeStampsAt(deps.now, { authority: foreign, root: foreignRoot })
  const asked: RevocationQuestion[] = []
  const answering = (revocationLists: Uint8Array[]) => ({
    ask: async (questions: readonly RevocationQuestion[]) => {
      asked.push(...questions)
      return { revocationLists, ocspResponses: [] }
    },
  })
  return { timeStamps, foreign, asked, silent: answering([]), good: answering([list]) }
}

t.test('the revocation data of another authority are asked for and put in', async (t) => {
  const w = await signedByAll()
  const { timeStamps, foreign, asked, good } = await foreignAuthority(w)
  await finalise(CASE_KEY, { ...w.deps, timeStamps, revocation: good })
  t.equal(resultOf(w).signedDocument.level, 'PAdES-BASELINE-LTA')
  t.equal(resultOf(w).evidenceDocument.level, 'PAdES-BASELINE-LTA')
  t.ok(asked.length > 0)
  for (const { certificate } of asked) t.same(certificate, foreign.certificate, 'and no others')
})

t.test('revocation data that cannot be had are waited for, then fail the case', async (t) => {
  const w = await signedByAll()
  const { timeStamps, silent } = await foreignAuthority(w)
  const deps = { ...w.deps, timeStamps, revocation: silent }
  await t.rejects(finalise(CASE_KEY, deps), { code: 'REVOCATION_DATA_MISSING' })
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)))
  await w.deps.timers.moveTo(LAST_SIGNATURE_MS + GIVE_UP_AFTER_MS + 1)
  await finalise(CASE_KEY, deps)
  t.match(failureOf(w), {
    code: 'SIGNING_UNAVAILABLE',
    reason: /^The revocation status of the certificates of the time-stamp authority/,
  })
  t.same(await readTypes(w), [REVOKED, REVOKED, REVOKED, REVOKED], 'of both attempts')
})

/** A world in which the last canary went as it says. */
async function after(outcome: CanaryResult['outcome'], document?: Uint8Array) {
  const w = await signedByAll(2, document)
  const canary = { outcome, at: w.deps.now().toISOString(), reason: 'no authority' }
  w.deps.objects.upload(CANARY_KEY, encodeJson(canary), 'application/json')
  return w
}

t.test('while the canary fails no certificates are made', async (t) => {
  const w = await after('failed')
  const broken = { ...w.deps, signingDevice: without('seal') }
  await t.rejects(finalise(CASE_KEY, broken), { name: 'BackendFault', message: /key is away/ })
  t.same(w.deps.objects.under(certificateFolder(CASE_KEY)), [])
  await w.deps.timers.moveTo(w.deps.now().getTime() + CANARY_MAXIMUM_AGE_MS)
  await t.rejects(finalise(CASE_KEY, broken), { message: 'the key is away' })
  t.not(w.deps.objects.under(certificateFolder(CASE_KEY)).length, 0, 'an old one says nothing')
})

t.test('a canary that failed elsewhere does not delay a worker whose own passes', async (t) => {
  const w = await after('failed')
  await finalise(CASE_KEY, w.deps)
  t.same(await readTypes(w), RECORDED_EVENTS)
  t.match(w.deps.objects.json(CANARY_KEY), { outcome: 'failed' }, 'which is not written down')
})

t.test('a signature that does not validate is never stored', async (t) => {
  const w = await after('passed')
  const damaged: typeof signingDevice = {
    ...signingDevice,
    sign: async (name, data) =>
      signingDevice.sign(name, name === 'seal' ? Uint8Array.of(1, 2, 3) : data),
  }
  await t.rejects(finalise(CASE_KEY, { ...w.deps, signingDevice: damaged }), {
    name: 'InvalidOutputError',
  })
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)), 'the document is not to blame')
  await finalise(CASE_KEY, w.deps)
  t.same(await readOwnTypes(w), RECORDED_EVENTS)
})

t.test('a process with a wrong clock does not fail a case', async (t) => {
  for (const minutes of [-5, -2, 2, 5]) {
    const w = await after('passed')
    await runCanary(w.deps, 'other')
    const now = () => new Date(w.deps.now().getTime() + minutes * 60_000)
    const error = await finalise(CASE_KEY, { ...w.deps, now }).catch((fault: Error) => fault)
    t.comment(`${minutes} minutes: ${error ?? 'signed'}`)
    const outcome = w.deps.objects.objects.get(outcomeKey(CASE_KEY))
    t.not(outcome?.contentType, 'application/json', `${minutes} minutes`)
  }
})

t.test('a fault that has passed when the document is signed again fails no case', async (t) => {
  const w = await signedByAll()
  const { timeStamps } = w.deps
  let stamped = 0
  const other = Uint8Array.from({ length: 32 }, () => 1)
  const stamp = (digest: Uint8Array) => timeStamps.stamp(stamped++ === 0 ? other : digest)
  const trustAnchors = () => timeStamps.trustAnchors()
  await finalise(CASE_KEY, { ...w.deps, timeStamps: { stamp, trustAnchors } })
  t.ok((await readOwnTypes(w)).includes('case.finalised'))
  t.notSame(w.deps.objects.under(certificateFolder(CASE_KEY)), [])
  await usedOrRevoked(t, w)
})

t.test('a document that makes every signature invalid fails the case', async (t) => {
  const defying = buildPdf({ catalog: '/AcroForm 1 0 R' })
  for (const outcome of ['passed', 'failed'] as const) {
    const w = await after(outcome, defying)
    await finalise(CASE_KEY, w.deps)
    t.match(failureOf(w), { code: 'DOCUMENT_UNSIGNABLE', reason: /print it as a new PDF/ })
    t.match(w.deps.warnings, [{ err: { name: 'DocumentFault' }, ...CASE_KEY }])
  }
})
