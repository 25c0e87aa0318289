import t from 'tap'
import { askedRedeliveries } from '../../controllers/redeliveries.ts'
import { DeliveryLog } from '../../application/webhooks/delivery-log.ts'
import { uuidV5 } from '../../domain/ids.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import { CASE_ID, TENANT } from '../fixtures/signature-case.ts'

const MORE_THAN_A_PAGE = 1001

t.test('cases of every tenant are found, however many there are', async (t) => {
  const timers = new FrozenTimers('2026-11-02T09:00:00.000Z')
  const objects = new MemoryObjectStore(timers.now)
  const log = new DeliveryLog(objects)
  const caseIds = Array.from({ length: MORE_THAN_A_PAGE }, (_, n) => uuidV5(CASE_ID, String(n)))
  const asked: CaseKey[] = caseIds.map((caseId, n) => ({
    tenant: n % 2 === 0 ? TENANT : 'other',
    caseId,
  }))
  const now = timers.now()
  for (const key of asked) await log.request(key, { eventId: key.caseId, round: 2 }, now)
  objects.upload('redeliveries/no-case', new Uint8Array(), 'application/json')
  const found: CaseKey[] = []
  await askedRedeliveries(objects, (key) => found.push(key))
  const names = (keys: CaseKey[]) => keys.map((key) => `${key.tenant}/${key.caseId}`).sort()
  t.same(names(found), names(asked))
})

t.test('a round that has ended is asked for no more', async (t) => {
  const timers = new FrozenTimers('2026-11-02T09:00:00.000Z')
  const objects = new MemoryObjectStore(timers.now)
  const log = new DeliveryLog(objects)
  const key = { tenant: TENANT, caseId: CASE_ID }
  const eventId = uuidV5(CASE_ID, 'event')
  await log.request(key, { eventId, round: 2 }, timers.now())
  const event = { eventId, type: 'case-failed', occurredAt: timers.now().toISOString() } as const
  const receipt = { type: event.type, endedAt: event.occurredAt, round: 2 }
  await log.end({ key, event }, { ...receipt, state: 'delivered' })
  const found: CaseKey[] = []
  await askedRedeliveries(objects, (one) => found.push(one))
  t.same(found, [])
})
