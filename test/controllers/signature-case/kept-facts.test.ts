/** A case that is restored from an older backup gets back what people stated since. */
import t from 'tap'
import type { StoredEntries } from '../../../domain/audit/stored.ts'
import { dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import {
  auditFolder,
  cancellationKey,
  factsFolder,
  signatureFactKey,
} from '../../../domain/cases/keys.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { decodeJson, encodeJson } from '../../../domain/json-object.ts'
import { JSON_TYPE } from '../../../domain/media-types.ts'
import type { StoredObject } from '../../../domain/ports/object-store.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import type { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { CASE_KEY, participant, signature, signatureCase } from '../../fixtures/signature-case.ts'

const CANCELLATION = { at: '2026-11-02T09:30:00.000Z', reason: 'mistake' }
const facts = [1, 2].map((number) => signature(participant(number), { fieldIds: [`f${number}`] }))

function world(seed: SignatureCase, objects?: MemoryObjectStore) {
  const deps = controllerDeps('2026-11-02T10:00:00.000Z', objects)
  deps.cases.seed(seed)
  return deps
}

/** The same bucket, and the case as it was before. */
async function restored(now: SignatureCase, before: SignatureCase) {
  const lost = world(now)
  await reconcile(CASE_KEY, lost)
  return world(before, lost.objects)
}

/** The bucket of a former release, which stored each fact in an object of its own. */
async function restoredFromFormer(now: SignatureCase, before: SignatureCase) {
  const lost = world(now)
  const { spec } = now
  const due = dueAuditEvents(now, acceptedSignatures(lost.keyring, now))
  await lost.trail.append(
    CASE_KEY,
    due.map(({ fact: _fact, ...event }) => event),
  )
  for (const fact of spec.signatures) {
    lost.objects.upload(signatureFactKey(CASE_KEY, fact.factId), encodeJson(fact), JSON_TYPE)
  }
  const { cancellation } = spec
  if (cancellation) {
    lost.objects.upload(cancellationKey(CASE_KEY), encodeJson(cancellation), JSON_TYPE)
  }
  return world(before, lost.objects)
}

t.test('the entries that record facts are stored with them, in one write', async (t) => {
  const w = world(signatureCase({ phase: 'IN_PROGRESS', signed: 1, cancellation: CANCELLATION }))
  await reconcile(CASE_KEY, w)
  t.same(await w.objects.list(factsFolder(CASE_KEY), { limit: 10 }), [])
  const entries = await w.trail.entries(CASE_KEY)
  const recorded = entries.flatMap((entry) => w.trail.factOf(CASE_KEY, entry) ?? [])
  t.same(recorded, [facts[0], CANCELLATION])
})

for (const [release, restoredFrom] of [
  ['this', restored],
  ['a former', restoredFromFormer],
] as const) {
  t.test(`signatures come back that were recorded by ${release} release`, async (t) => {
    const w = await restoredFrom(
      signatureCase({ phase: 'IN_PROGRESS', signed: 2, cancellation: CANCELLATION }),
      signatureCase({ phase: 'IN_PROGRESS', signed: 1 }),
    )
    await reconcile(CASE_KEY, w)
    const { spec } = (await w.cases.get(CASE_KEY)) as SignatureCase
    t.same(spec.signatures, facts)
    t.same(spec.cancellation, CANCELLATION)
  })
}

t.test('a fact that another writer put beside the entries does not come back', async (t) => {
  const lost = world(signatureCase({ phase: 'IN_PROGRESS', cancellation: CANCELLATION }))
  await reconcile(CASE_KEY, lost)
  const [stat] = await lost.objects.list(auditFolder(CASE_KEY), { limit: 1 })
  const stored = await lost.objects.get(stat?.key ?? '')
  const { facts: kept, ...object } = decodeJson<StoredEntries>(stored as StoredObject)
  const [eventId = ''] = Object.keys(kept?.values ?? {})
  const values = { [eventId]: { ...CANCELLATION, reason: 'planted' } }
  lost.objects.upload(stat?.key ?? '', encodeJson({ ...object, facts: { ...kept, values } }))
  const w = world(signatureCase({ phase: 'IN_PROGRESS' }), lost.objects)
  await reconcile(CASE_KEY, w)
  t.equal((await w.cases.get(CASE_KEY))?.spec.cancellation, undefined)
})

t.test('signatures that are younger than the backup come back', async (t) => {
  const w = await restored(
    signatureCase({ phase: 'IN_PROGRESS', signed: 2 }),
    signatureCase({ phase: 'IN_PROGRESS', signed: 1 }),
  )
  const before = await w.trail.entries(CASE_KEY)
  await reconcile(CASE_KEY, w)
  t.same((await w.cases.get(CASE_KEY))?.spec.signatures, facts)
  await reconcile(CASE_KEY, w)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  t.same(await w.trail.entries(CASE_KEY), before, 'nothing is recorded twice')
})

t.test('so does a cancellation', async (t) => {
  const w = await restored(
    signatureCase({ phase: 'IN_PROGRESS', cancellation: CANCELLATION }),
    signatureCase({ phase: 'IN_PROGRESS' }),
  )
  await reconcile(CASE_KEY, w)
  await reconcile(CASE_KEY, w)
  const { spec, status } = (await w.cases.get(CASE_KEY)) as SignatureCase
  t.same(spec.cancellation, CANCELLATION)
  t.match(status, { phase: 'CANCELLED', cancelledAt: CANCELLATION.at })
})

t.test(
  'what a former release kept stays where it is if it is not genuine or comes second',
  async (t) => {
    const again = signature(participant(1), {
      fieldIds: ['f1'],
      signedAt: '2026-11-02T09:30:00.000Z',
    })
    const w = await restoredFromFormer(
      signatureCase({ phase: 'IN_PROGRESS', signed: 2 }),
      signatureCase({ phase: 'IN_PROGRESS', signatures: [{ ...again, factId: CASE_KEY.caseId }] }),
    )
    const [first, second] = facts
    w.objects.upload(
      signatureFactKey(CASE_KEY, second?.factId ?? ''),
      encodeJson({ ...second, ip: '203.0.113.9' }),
    )
    const before = (await w.cases.get(CASE_KEY))?.spec
    await reconcile(CASE_KEY, w)
    const { signatures } = (await w.cases.get(CASE_KEY))?.spec ?? { signatures: [] }
    t.same(signatures.slice(0, 1), before?.signatures)
    t.same(signatures.slice(1), [first], 'the one in the case is not genuine')
  },
)

t.test('a case that has ended stays as it is', async (t) => {
  const w = await restored(
    signatureCase({ phase: 'IN_PROGRESS', signed: 2 }),
    signatureCase({ phase: 'EXPIRED', signed: 1 }),
  )
  await reconcile(CASE_KEY, w)
  t.equal((await w.cases.get(CASE_KEY))?.spec.signatures.length, 1)
})

t.test('an invalid fact does not keep another one from coming back', async (t) => {
  const w = await restoredFromFormer(
    signatureCase({ phase: 'IN_PROGRESS', signed: 2, cancellation: CANCELLATION }),
    signatureCase({ phase: 'IN_PROGRESS', signed: 1 }),
  )
  for (const [index, text] of ['null', '', '{', '[]', '7', '{"participantId":null}'].entries()) {
    const place = signatureFactKey(CASE_KEY, `00000000-0000-4000-8000-00000000000${index}`)
    w.objects.upload(place, new TextEncoder().encode(text), 'application/json')
  }
  w.objects.upload(cancellationKey(CASE_KEY), new TextEncoder().encode('null'), 'application/json')
  await reconcile(CASE_KEY, w)
  t.same((await w.cases.get(CASE_KEY))?.spec.signatures, facts)
})
