import t from 'tap'
import { WITH_VALUES_TYPE } from '../../../domain/audit/stored.ts'
import * as keys from '../../../domain/cases/keys.ts'
import { JSON_TYPE } from '../../../domain/media-types.ts'
import { erasableObjects } from '../../../application/cases/erasable-objects.ts'
import {
  askedErasure,
  dueErasure,
  endedAtOf,
  ERASE_ANNOTATION,
  erasureOf,
  inErasureOrder,
  isKept,
  naming,
  orderOf,
} from '../../../domain/cases/erasure.ts'
import type { Condition } from '../../../domain/resources.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { CASE_ID, CASE_KEY as key, signatureCase } from '../../fixtures/signature-case.ts'

const ENDED_AT = '2026-11-02T09:01:00.000Z'
const ENDED_MS = Date.parse(ENDED_AT)
const DAY_MS = 24 * 60 * 60 * 1000
const ENDED: Condition = {
  type: 'Ended',
  status: 'True',
  reason: 'Completed',
  message: '',
  lastTransitionTime: ENDED_AT,
}
const EVENT = '9f1d2c1e-3a51-4b39-9a3e-0d6b5f2f8a10'

const ERASED = [
  keys.uploadKey(key),
  keys.documentKey(key),
  keys.drawingKey(key, 'e'.repeat(64)),
  keys.outcomeKey(key),
  keys.evidenceKey(key),
  keys.resultKey(key),
  keys.deliveryKey(key, EVENT, 1),
  keys.intakeKey(key),
  `${keys.caseFolder(key)}what-nobody-thought-of`,
]
const KEPT = [
  keys.auditKey(key, 1),
  keys.auditHeadKey(key, 1),
  keys.certificateKey(key, '01'),
  keys.receiptKey(key, EVENT),
  keys.tombstoneKey(key),
]

function ended(annotation?: string): SignatureCase {
  const value = signatureCase({ phase: 'DONE', status: { conditions: [ENDED] } })
  if (annotation !== undefined) value.metadata.annotations = { [ERASE_ANNOTATION]: annotation }
  return value
}

t.test('documents, drawings, logs and personal values go; proof without a person stays', (t) => {
  const kept = (one: string, contentType = JSON_TYPE) => isKept(key, { key: one, contentType })
  for (const one of ERASED) t.notOk(kept(one), one)
  for (const one of KEPT) t.ok(kept(one), one)
  t.notOk(kept(keys.auditKey(key, 1), WITH_VALUES_TYPE), 'entries with personal values')
  t.end()
})

t.test('what something could be made from goes before what was made of it', (t) => {
  t.same(inErasureOrder(key, ERASED.toReversed()), [
    ...ERASED.slice(0, 6),
    ...ERASED.slice(6).sort(),
  ])
  t.end()
})

t.test('a case is due when its days since the end are over, not a moment before', (t) => {
  const overMs = ENDED_MS + 30 * DAY_MS
  t.equal(dueErasure(ended(), { retentionDays: 30 }, overMs - 1), undefined)
  t.same(dueErasure(ended(), { retentionDays: 30 }, overMs), {
    rule: 'retention',
    retentionDays: 30,
  })
  t.equal(dueErasure(ended(), {}, overMs * 2), undefined, 'without a rule it is kept')
  t.end()
})

t.test('the log of deliveries is kept for 90 days, and the case with it', (t) => {
  const lastAttemptMs = ENDED_MS + 5 * DAY_MS
  const keeping = { retentionDays: 30, lastAttemptMs }
  const overMs = lastAttemptMs + 90 * DAY_MS
  t.equal(dueErasure(ended(), keeping, overMs - 1), undefined)
  t.same(dueErasure(ended(), keeping, overMs), { rule: 'retention', retentionDays: 30 })
  const longer = { retentionDays: 365, lastAttemptMs }
  t.equal(dueErasure(ended(), longer, overMs), undefined, 'a longer time of the tenant counts')
  t.same(dueErasure(ended(CASE_ID), keeping, ENDED_MS), { rule: 'annotation' }, 'a wish goes first')
  t.end()
})

t.test('the end is when the controller saw it, not when people say it was', (t) => {
  const cancellation = { at: '1999-01-01T00:00:00.000Z' }
  const value = signatureCase({ phase: 'CANCELLED', cancellation, status: { conditions: [ENDED] } })
  t.equal(endedAtOf(value), ENDED_AT)
  t.equal(endedAtOf(signatureCase({ phase: 'CANCELLED', cancellation })), undefined)
  const lives = { ...ENDED, status: 'False' as const }
  t.equal(endedAtOf(signatureCase({ phase: 'NEW', status: { conditions: [lives] } })), undefined)
  t.end()
})

t.test('only the id of the case itself asks for its erasure', (t) => {
  t.equal(askedErasure(ended(CASE_ID)), 'asked')
  for (const value of ['true', '', CASE_ID.toUpperCase(), ` ${CASE_ID}`]) {
    t.equal(askedErasure(ended(value)), 'mistaken', value)
    t.equal(dueErasure(ended(value), {}, ENDED_MS), undefined, value)
  }
  t.equal(askedErasure(ended()), undefined)
  t.same(dueErasure(ended(CASE_ID), {}, ENDED_MS), { rule: 'annotation' })
  const unseen = { ...ended(CASE_ID), status: undefined as never }
  t.equal(dueErasure(unseen, { retentionDays: 1 }, ENDED_MS), undefined)
  t.end()
})

t.test('a tombstone names each object once, and records what was decided', (t) => {
  const erasure = { rule: 'retention' as const, retentionDays: 30, decidedAt: ENDED_AT }
  const order = orderOf(key, erasure)
  t.same(order, { version: 1, ...key, ...erasure, objects: [] })
  t.same(erasureOf(order), erasure)
  t.same(erasureOf({ ...order, erasedAt: ENDED_AT }), { ...erasure, erasedAt: ENDED_AT })
  const one = { name: 'outcome', size: 3, sha256: 'a'.repeat(64) }
  const named = naming(order, [one])
  t.same(named.objects, [one])
  t.equal(naming(named, [{ ...one }]), named)
  const again = { ...one, sha256: 'b'.repeat(64) }
  t.same(naming(named, [again]).objects, [one, again], 'another object under the same key')
  t.end()
})

t.test('a long trail that stays hides nothing behind it', async (t) => {
  const objects = new MemoryObjectStore(new FrozenTimers(ENDED_AT).now)
  for (const one of [...ERASED, ...KEPT]) objects.upload(one, new Uint8Array(1), JSON_TYPE)
  for (let sequence = 2; sequence <= 2500; sequence++) {
    objects.upload(keys.auditKey(key, sequence), new Uint8Array(1), JSON_TYPE)
  }
  objects.upload(keys.documentKey({ ...key, caseId: `${CASE_ID}0` }), new Uint8Array(1))
  const found = await erasableObjects(key, objects, 100)
  t.same(found.map((stat) => stat.key).sort(), [...ERASED].sort())
  t.equal((await erasableObjects(key, objects, 3)).length, 3)
})

t.test('a removed case is found again by its key alone', (t) => {
  const place = keys.removedKey(key, ENDED_AT)
  t.ok(place.startsWith(keys.removedPrefix(key)))
  t.same(keys.removedOf(place), { ...key, endedAt: ENDED_AT })
  t.equal(keys.removedOf(keys.documentKey(key)), undefined)
  t.end()
})
