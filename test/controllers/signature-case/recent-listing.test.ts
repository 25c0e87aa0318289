import t from 'tap'
import { ReadObjects } from '../../../application/store/folder-snapshot.ts'
import { KeyedWitness } from '../../../application/audit/witness.ts'
import { gather } from '../../../controllers/signature-case/gather.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { auditEvent, eventId, trailSealReceiptId } from '../../../domain/cases/due-audit-events.ts'
import { caseFolder, commonReceiptKey, receiptKey } from '../../../domain/cases/keys.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { testTrail, uploadResult } from '../../fixtures/alarms.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import {
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signatureCase,
} from '../../fixtures/signature-case.ts'

const AT = '2026-11-02T10:00:00.000Z'
const mailId = (type: string, position: number) =>
  eventId(CASE_ID, `mail.${type}`, participant(position).id)
const COMPLETIONS = [mailId('completion', 1), mailId('completion', 2)]
const SEAL = receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID))

/** A controller that has observed the case once, and the listings that follow. */
async function observed(value: SignatureCase) {
  const deps = { ...controllerDeps(AT), read: new ReadObjects() }
  const witness = new KeyedWitness(new MemoryEphemeral(), keyring)
  deps.cases.seed(value)
  deps.trail = testTrail(deps.objects, seededHex(), deps.alarm, witness)
  await gather(CASE_KEY, deps)
  const lists: string[] = []
  const { list } = deps.objects
  deps.objects.list = (prefix, options) => {
    lists.push(prefix)
    return list.call(deps.objects, prefix, options)
  }
  const other = testTrail(deps.objects, seededHex('other'), deps.alarm, witness)
  return { deps, lists, other, gather: () => gather(CASE_KEY, deps) }
}

t.test('an invitation that a worker recorded is found without a listing', async (t) => {
  const w = await observed(signatureCase({ phase: 'IN_PROGRESS' }))
  await w.other.append(CASE_KEY, [
    auditEvent(CASE_ID, 'participant.invited', {
      occurredAt: '2026-11-02T09:59:00.000Z',
      actor: 'system',
      participantId: participant(2).id,
    }),
  ])
  w.lists.length = 0
  const found = await w.gather()
  t.same(
    [...(found?.receipts ?? [])],
    [[mailId('invitation', 2), Date.parse('2026-11-02T09:59:00.000Z')]],
  )
  w.deps.objects.gets = []
  t.match(await w.gather(), { receipts: found?.receipts })
  t.same(w.deps.objects.gets, [], 'a trail that has not grown is not read')
  t.same(w.lists, [])
})

t.test('receipts and seal of an ended case are read under their names', async (t) => {
  const w = await observed(signatureCase({ phase: 'DONE', signed: 2 }))
  t.same([...((await w.gather())?.receipts.keys() ?? [])], [])
  w.deps.objects.upload(commonReceiptKey(CASE_KEY, COMPLETIONS), encodeJson({}))
  uploadResult(w.deps.objects, SEAL, { sealed: { sequence: 0, hash: '', at: AT } })
  const found = await w.gather()
  t.same([...(found?.receipts.keys() ?? [])], COMPLETIONS)
  t.match(found?.sealedHead, { sealedAtMs: Date.parse(AT) })
  t.same(w.lists, [])
})

t.test('a receipt of another name is found once it is reported', async (t) => {
  const w = await observed(signatureCase({ phase: 'DONE', signed: 2 }))
  w.deps.objects.upload(receiptKey(CASE_KEY, COMPLETIONS[1]!), encodeJson({}))
  t.same([...((await w.gather())?.receipts.keys() ?? [])], [])
  w.deps.read.forgetListing(caseFolder(CASE_KEY))
  t.same([...((await w.gather())?.receipts.keys() ?? [])], [COMPLETIONS[1]])
  t.same(w.lists, [caseFolder(CASE_KEY)])
})

t.test('what may change without a known name is listed', async (t) => {
  const done = signatureCase({ phase: 'DONE', signed: 2 })
  const having = (metadata: object) => ({ ...done, metadata: { ...done.metadata, ...metadata } })
  const rows: readonly [string, SignatureCase][] = [
    ['an erasure was requested', having({ annotations: { [ERASE_ANNOTATION]: 'true' } })],
    ['the case is being removed', having({ deletionTimestamp: AT })],
  ]
  for (const [name, value] of rows) {
    const w = await observed(value)
    await w.gather()
    t.same(w.lists.slice(0, 1), [caseFolder(CASE_KEY)], name)
  }
})

t.test('a seal that was listed may have been replaced since', async (t) => {
  const w = await observed(signatureCase({ phase: 'DONE', signed: 2 }))
  const sealedAt = async () => (await w.gather())?.sealedHead?.sealedAtMs
  uploadResult(w.deps.objects, SEAL, { sealed: { sequence: 0, hash: '', at: AT } })
  w.deps.read.forgetListing(caseFolder(CASE_KEY))
  t.equal(await sealedAt(), Date.parse(AT))
  const later = '2026-11-02T10:00:30.000Z'
  uploadResult(w.deps.objects, SEAL, { sealed: { sequence: 0, hash: '', at: later } })
  t.equal(await sealedAt(), Date.parse(later))
})
