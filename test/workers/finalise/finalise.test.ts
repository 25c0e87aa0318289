import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { findChainFault } from '../../../domain/audit/entry.ts'
import { AuditTrail } from '../../../domain/audit/trail.ts'
import {
  CANARY_KEY,
  certificateFolder,
  documentKey,
  drawingKey,
  evidenceKey,
  issuedKey,
  outcomeKey,
  resultKey,
} from '../../../domain/cases/keys.ts'
import type { FinaliseFailure, FinaliseResult } from '../../../domain/cases/results.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { publishedKey } from '../../../domain/pki.ts'
import { readRevocationList, signDocument, validateSignatures } from '../../../pades/index.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { CANARY_MAXIMUM_AGE_MS } from '../../../domain/limits.ts'
import type { RevocationQuestion } from '../../../domain/ports/revocation.ts'
import type { SigningKeyName } from '../../../domain/ports/signing.ts'
import { finalise, GIVE_UP_AFTER_MS } from '../../../workers/finalise/finalise.ts'
import { ownSignatures } from '../../../workers/finalise/own-output.ts'
import { makeRevocationList } from '../../../workers/crl.ts'
import { seededHex } from '../../fixtures/memory.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import {
  DRAWING_REFERENCE,
  signedByAll,
  smallDocument,
  type SignedByAllWorld,
} from '../../fixtures/signed-by-all.ts'
import { identity, revocationList, root, seal as sender } from '../../fixtures/pki.ts'
import { signingDevice, timeStampsAt } from '../../fixtures/worker.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const bytesAt = ({ deps }: SignedByAllWorld, key: string) =>
  deps.objects.objects.get(key)?.bytes as Uint8Array
const resultOf = ({ deps }: SignedByAllWorld) =>
  deps.objects.json<FinaliseResult>(resultKey(CASE_KEY)) as FinaliseResult
const failureOf = ({ deps }: SignedByAllWorld) =>
  deps.objects.json<FinaliseFailure>(outcomeKey(CASE_KEY))

async function typesOf({ deps }: SignedByAllWorld): Promise<string[]> {
  const trail = new AuditTrail(deps.objects, seededHex())
  const entries = await trail.entries(CASE_KEY)
  t.equal(findChainFault(entries, {}), undefined)
  return entries.map(({ type }) => type)
}

const REVOKED = 'participant.certificate_revoked'
const told = async (w: SignedByAllWorld) => (await typesOf(w)).filter((type) => type !== REVOKED)

/** Serial numbers in the list that is published. */
async function revokedSerials(w: SignedByAllWorld): Promise<Set<string>> {
  await makeRevocationList(w.deps)
  const list = readRevocationList(bytesAt(w, publishedKey('issuing.crl')))
  const recorded = w.deps.objects.under(certificateFolder(CASE_KEY))
  const serials = recorded.map((key) => key.split('/').at(-1) as string)
  return new Set(serials.filter((serial) => list.revocationOf(Buffer.from(serial, 'hex'))))
}

/** Every certificate that was made stands in the signed PDF or in the list, and none in both. */
async function usedOrRevoked(t: Test, w: SignedByAllWorld): Promise<void> {
  const signatures = await ownSignatures(
    bytesAt(w, outcomeKey(CASE_KEY)),
    w.document.length,
    w.deps,
  )
  const used = signatures
    .filter(({ participantId }) => participantId)
    .map(({ certificateSerial }) => certificateSerial)
  const made = w.deps.objects.under(certificateFolder(CASE_KEY)).length
  const revoked = await revokedSerials(w)
  t.notOk(
    used.some((serial) => revoked.has(serial)),
    'what is used is not revoked',
  )
  t.equal(used.length + revoked.size, made, 'what is not used is revoked')
  const events = (await typesOf(w)).filter((type) => type === REVOKED)
  t.equal(events.length, revoked.size, 'and the trail tells of it')
}

/** What one finalised case of two people tells. */
const TOLD = [
  'participant.certificate_issued',
  'participant.signature_applied',
  'participant.certificate_issued',
  'participant.signature_applied',
  'case.finalised',
]

t.test('the signed PDF is the original, signed by everybody in order and sealed', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  t.ok(Buffer.from(signed.subarray(0, w.document.length)).equals(w.document))
  const signatures = await ownSignatures(signed, w.document.length, w.deps)
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
  const signatures = await ownSignatures(signed, w.document.length, w.deps)
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
  t.same(await told(w), TOLD, 'the trail tells of each person once')
})

t.test('trail, registry, evidence and result follow from the signed PDF', async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  t.same(await typesOf(w), TOLD)
  const { signedDocument, evidenceDocument, completedAt } = resultOf(w)
  t.equal(signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
  t.equal(evidenceDocument.sha256, sha256(bytesAt(w, evidenceKey(CASE_KEY))))
  t.equal(signedDocument.level, 'PAdES-BASELINE-LTA')
  t.equal(evidenceDocument.level, 'PAdES-BASELINE-LTA')
  t.equal(completedAt, w.deps.now().toISOString())
  t.match(w.deps.objects.json(issuedKey(signedDocument.sha256)), CASE_KEY)
  t.same(w.deps.ephemeral.rung, [JSON.stringify(CASE_KEY)])
})

t.test('what the last signature caused is not told as before it', async (t) => {
  const w = await signedByAll(2, undefined, 1, '2026-11-02T09:00:05.437Z')
  await w.deps.timers.moveTo('2026-11-02T09:00:05.937Z')
  await finalise(CASE_KEY, w.deps)
  const entries = await new AuditTrail(w.deps.objects, seededHex()).entries(CASE_KEY)
  t.same(
    entries.map(({ occurredAt }) => occurredAt),
    TOLD.map(() => '2026-11-02T09:00:05.437Z'),
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
  t.same(await typesOf(w), TOLD)
})

t.test('a job killed after any write goes on to the same end', async (t) => {
  const whole = await signedByAll()
  let writes = 0
  whole.deps.objects.afterPut = () => void writes++
  await finalise(CASE_KEY, whole.deps)
  t.ok(writes >= 14, `${writes} writes`)
  for (let killedAfter = 1; killedAfter <= writes; killedAfter++) {
    const w = await signedByAll()
    let count = 0
    w.deps.objects.afterPut = () => {
      if (++count === killedAfter) throw new Error('killed')
    }
    await t.rejects(finalise(CASE_KEY, w.deps), { message: 'killed' })
    w.deps.objects.afterPut = undefined
    const outcome = w.deps.objects.objects.get(outcomeKey(CASE_KEY))?.bytes
    const trail = new AuditTrail(w.deps.objects, seededHex(String(killedAfter)))
    const fresh = { ...w.deps, trail }
    await finalise(CASE_KEY, fresh)
    if (outcome) t.equal(sha256(bytesAt(w, outcomeKey(CASE_KEY))), sha256(outcome))
    t.same(await told(w), TOLD, `killed after write ${killedAfter}`)
    await usedOrRevoked(t, w)
    t.equal(resultOf(w).signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
  }
})

t.test('of two runs at one time one outcome is left, and every event once', async (t) => {
  const w = await signedByAll()
  const other = { ...w.deps, trail: new AuditTrail(w.deps.objects, seededHex('other')) }
  await Promise.all([finalise(CASE_KEY, w.deps), finalise(CASE_KEY, other)])
  t.same((await told(w)).sort(), [...TOLD].sort())
  await usedOrRevoked(t, w)
  t.equal((await revokedSerials(w)).size, 2, 'those of the run that lost')
  const serials = await ownSignatures(bytesAt(w, outcomeKey(CASE_KEY)), w.document.length, w.deps)
  t.equal(serials.length, 3)
  t.equal(resultOf(w).signedDocument.sha256, sha256(bytesAt(w, outcomeKey(CASE_KEY))))
})

t.test('nothing of a signed document is stored before the outcome', async (t) => {
  const w = await signedByAll()
  const written: string[] = []
  w.deps.objects.beforePut = (key) => void written.push(key)
  await finalise(CASE_KEY, w.deps)
  const before = written.slice(0, written.indexOf(outcomeKey(CASE_KEY)))
  t.equal(before.filter((key) => key.startsWith(certificateFolder(CASE_KEY))).length, 2)
  t.notOk(before.some((key) => !key.startsWith(certificateFolder(CASE_KEY)) && !/crl$/.test(key)))
})

t.test('sealing refuses a document whose digest changed after consent', async (t) => {
  const w = await signedByAll()
  const changed = w.document.slice()
  changed[changed.length - 1] = 0x20
  w.deps.objects.upload(documentKey(CASE_KEY), changed)
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { reason: 'The stored document is not the one that was accepted' })
  t.same(await typesOf(w), [])
  t.same(w.deps.ephemeral.rung, [JSON.stringify(CASE_KEY)])
})

t.test('a drawing that was exchanged is refused', async (t) => {
  const w = await signedByAll()
  const place = drawingKey(CASE_KEY, DRAWING_REFERENCE.sha256)
  w.deps.objects.upload(place, new TextEncoder().encode('M0 0 L9 9'), 'image/svg+xml')
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { reason: /drawing/ })
})

t.test('a document that cannot be signed fails the case, with the reason', async (t) => {
  const w = await signedByAll(2, new TextEncoder().encode(`not a PDF${' '.repeat(2000)}`))
  await finalise(CASE_KEY, w.deps)
  t.match(failureOf(w), { reason: /is not a PDF/, failedAt: w.deps.now().toISOString() })
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

t.test('a key or an authority that is away is no verdict: the job is tried again', async (t) => {
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
    t.same(await told(w), TOLD)
    await usedOrRevoked(t, w)
  }
})

t.test('a backend that stays away for a day after the last signature fails the case', async (t) => {
  const w = await signedByAll()
  const broken = { ...w.deps, signingDevice: without('seal') }
  const last = Date.parse('2026-11-02T08:31:00.000Z')
  await w.deps.timers.moveTo(last + GIVE_UP_AFTER_MS)
  await t.rejects(finalise(CASE_KEY, broken))
  await w.deps.timers.moveTo(last + GIVE_UP_AFTER_MS + 1)
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
  const last = Date.parse('2026-11-02T08:31:00.000Z')
  await w.deps.timers.moveTo(last + GIVE_UP_AFTER_MS + 1)
  await finalise(CASE_KEY, deps)
  t.match(failureOf(w), { reason: /^Whether the certificates of the time-stamp authority/ })
  t.same(await typesOf(w), [REVOKED, REVOKED, REVOKED, REVOKED], 'of both attempts')
})

t.test('while the canary fails no certificates are made', async (t) => {
  const w = await signedByAll()
  const failed = { outcome: 'failed', at: w.deps.now().toISOString(), reason: 'no authority' }
  w.deps.objects.upload(CANARY_KEY, encodeJson(failed), 'application/json')
  await t.rejects(finalise(CASE_KEY, w.deps), { name: 'BackendFault' })
  t.same(w.deps.objects.under(certificateFolder(CASE_KEY)), [])
  await w.deps.timers.moveTo(w.deps.now().getTime() + CANARY_MAXIMUM_AGE_MS)
  await finalise(CASE_KEY, w.deps)
  t.same(await typesOf(w), TOLD, 'one that is old says nothing')
})

t.test('a signature that does not validate is never stored', async (t) => {
  const w = await signedByAll()
  const damaged: typeof signingDevice = {
    ...signingDevice,
    sign: async (name, data) =>
      signingDevice.sign(name, name === 'seal' ? Uint8Array.of(1, 2, 3) : data),
  }
  const deps = { ...w.deps, signingDevice: damaged }
  await t.rejects(finalise(CASE_KEY, deps), { name: 'InvalidOutputError' })
  t.notOk(w.deps.objects.objects.has(outcomeKey(CASE_KEY)))
  const passed = { outcome: 'passed', at: w.deps.now().toISOString() }
  w.deps.objects.upload(CANARY_KEY, encodeJson(passed), 'application/json')
  await finalise(CASE_KEY, deps)
  t.match(failureOf(w), { reason: /print it as a new PDF/ })
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
  t.same(await typesOf(w), [REVOKED, REVOKED])
  t.equal((await revokedSerials(w)).size, 2, 'its certificates are revoked')
})

t.test('a cancellation right after the outcome keeps it out of the trail', async (t) => {
  const w = await signedByAll()
  w.deps.objects.afterPut = async (key) => {
    if (key === outcomeKey(CASE_KEY)) await cancel(w)
  }
  await finalise(CASE_KEY, w.deps)
  t.same(await typesOf(w), [])
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
