/** The audit trail: one chain, whatever races for its end and whatever is done to it later. */
import t from 'tap'
import {
  AUDIT_EVENT_TYPES,
  entryAfter,
  eventOf,
  findChainFault,
  openingOf,
  type AuditEntry,
  type AuditEvent,
  type Opening,
} from '../../../domain/audit/entry.ts'
import { RecordingAlarm, testTrail } from '../../fixtures/alarms.ts'
import { auditFolder, auditKey } from '../../../domain/cases/keys.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { Forger } from '../../fixtures/forger.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { CASE_ID, CASE_KEY, CREATED_AT } from '../../fixtures/signature-case.ts'

const event = (position: number, overrides: Partial<AuditEvent> = {}): AuditEvent => ({
  eventId: uuidV5(CASE_ID, 'test', String(position)),
  type: AUDIT_EVENT_TYPES[position % AUDIT_EVENT_TYPES.length]!,
  occurredAt: CREATED_AT,
  actor: 'tenant',
  ip: '192.0.2.1',
  data: { position },
  ...overrides,
})

const memory = () => new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)

interface Chain {
  entries: AuditEntry[]
  openings: Record<string, Opening>
}

function chainOf(length: number): Chain {
  const random = seededHex()
  const chain: Chain = { entries: [], openings: {} }
  for (let position = 0; position < length; position++) {
    const opening = openingOf(event(position), random)
    const place = { tenant: CASE_KEY.tenant, caseId: CASE_ID }
    chain.entries.push(entryAfter(chain.entries.at(-1), place, event(position), opening))
    chain.openings[event(position).eventId] = opening
  }
  return chain
}

t.test('occurredAt never runs backwards, also when a writer is late', async (t) => {
  const objects = memory()
  const [one, other] = [testTrail(objects, seededHex()), testTrail(objects, seededHex('other'))]
  const at = (second: number) => `2026-11-02T08:00:0${second}.000Z`
  await one.append(CASE_KEY, [event(0, { occurredAt: at(3) })])
  await other.append(CASE_KEY, [event(1, { occurredAt: at(1) }), event(2, { occurredAt: at(5) })])
  const stored = await one.appendNext(CASE_KEY, () => event(3, { occurredAt: at(4) }))
  t.equal(stored.occurredAt, at(5), 'the writer learns the time that counts')
  const times = (await one.entries(CASE_KEY)).map(({ occurredAt }) => occurredAt)
  t.same(times, [at(3), at(3), at(5), at(5)])
})

t.test('what was appended is read back, in order', async (t) => {
  const trail = testTrail(memory(), seededHex())
  const events = [0, 1, 2].map((position) => event(position))
  await trail.append(CASE_KEY, events)
  const entries = await trail.entries(CASE_KEY)
  const openings = await Promise.all(entries.map(({ eventId }) => trail.opening(CASE_KEY, eventId)))
  t.same(
    entries.map((entry, index) => eventOf(entry, openings[index])),
    events,
  )
})

t.test('an existing event is not appended again', async (t) => {
  const objects = memory()
  await testTrail(objects, seededHex('a')).append(CASE_KEY, [event(0)])
  await testTrail(objects, seededHex('b')).append(CASE_KEY, [event(0), event(1)])
  t.equal((await testTrail(objects, seededHex()).entries(CASE_KEY)).length, 2)
})

t.test('fifty appenders in many processes make one chain without a gap', async (t) => {
  const objects = memory()
  const appenders = Array.from({ length: 50 }, async (_, position) => {
    const trail = testTrail(objects, seededHex(String(position)))
    await trail.append(CASE_KEY, [event(position), event(1000)])
  })
  await Promise.all(appenders)
  const trail = testTrail(objects, seededHex())
  const entries = await trail.entries(CASE_KEY)
  t.equal(entries.length, 51, 'each event once')
  const openings: Record<string, Opening> = {}
  for (const { eventId } of entries) openings[eventId] = (await trail.opening(CASE_KEY, eventId))!
  t.equal(findChainFault(entries, openings), undefined)
})

t.test('an appender that died while it wrote leaves an event that can be appended', async (t) => {
  const objects = memory()
  objects.beforePut = (key) => {
    if (key === auditKey(CASE_KEY, 1)) throw new Error('killed')
  }
  await t.rejects(testTrail(objects, seededHex('dead')).append(CASE_KEY, [event(0)]))
  objects.beforePut = undefined
  const trail = testTrail(objects, seededHex('alive'))
  await trail.append(CASE_KEY, [event(0)])
  const [entry] = await trail.entries(CASE_KEY)
  const opening = await trail.opening(CASE_KEY, event(0).eventId)
  t.equal(findChainFault([entry!], { [entry!.eventId]: opening! }), undefined)
})

t.test('a value that was erased leaves the chain whole', async (t) => {
  const objects = memory()
  const trail = testTrail(objects, seededHex())
  await trail.append(CASE_KEY, [event(0), event(1)])
  await new Forger(objects, CASE_KEY).changeOpenings(1, () => undefined)
  const entries = await trail.entries(CASE_KEY)
  t.equal(await trail.opening(CASE_KEY, event(0).eventId), undefined)
  t.equal(findChainFault(entries, {}), undefined)
  t.same(eventOf(entries[0]!, undefined).data, {})
})

t.test('a whole chain has no fault', async (t) => {
  const { entries, openings } = chainOf(6)
  t.equal(findChainFault(entries, openings), undefined)
})

t.test('every edit of an entry is found at the entry or the one behind it', async (t) => {
  const edits: Partial<AuditEntry>[] = [
    { type: 'case.failed' },
    { occurredAt: '2027-01-01T00:00:00.000Z' },
    { actor: 'system' },
    { participantId: CASE_ID },
    { documentSha256: 'f'.repeat(64) },
    { eventId: CASE_ID },
    { tenant: 'other' },
    { commitments: {} },
    { sequence: 9 },
    { previous: 'f'.repeat(64) },
  ]
  for (const edit of edits) {
    for (let index = 0; index < 5; index++) {
      const { entries, openings } = chainOf(6)
      entries[index] = { ...entries[index]!, ...edit }
      const fault = findChainFault(entries, openings)
      const place = `${JSON.stringify(edit)} at ${index + 1}`
      t.ok(fault, place)
      t.ok(fault && [index + 1, index + 2].includes(fault.sequence), place)
    }
  }
})

t.test('an entry that was deleted, inserted, repeated or moved is found', async (t) => {
  for (let index = 0; index < 5; index++) {
    const { entries, openings } = chainOf(6)
    const changed: readonly (readonly [string, AuditEntry[]])[] = [
      ['deleted', entries.toSpliced(index, 1)],
      ['repeated', entries.toSpliced(index, 0, entries[index]!)],
      ['inserted', entries.toSpliced(index, 0, { ...entries[index]!, eventId: CASE_ID })],
      ['swapped', entries.toSpliced(index, 2, entries[index + 1]!, entries[index]!)],
    ]
    for (const [what, list] of changed) {
      t.ok(findChainFault(list, openings), `${what} at ${index + 1}`)
    }
  }
})

t.test('a personal value that differs from its commitment is found', async (t) => {
  const { entries, openings } = chainOf(3)
  const { eventId } = entries[1]!
  const opening = openings[eventId]!
  const lies: Opening[] = [
    { ...opening, ip: { ...opening.ip!, value: '203.0.113.9' } },
    { ...opening, data: { ...opening.data!, value: { position: 2 } } },
    { ...opening, ip: { ...opening.ip!, salt: '00' } },
  ]
  for (const lie of lies) {
    t.same(findChainFault(entries, { ...openings, [eventId]: lie }), {
      sequence: 2,
      fault: 'wrongCommitment',
    })
  }
  const invented = { ...opening, userAgent: { salt: '00', value: 'x' } }
  t.same(findChainFault(entries, { ...openings, [eventId]: invented }), {
    sequence: 2,
    fault: 'unknownValue',
  })
})

/** A store in which a rival appends before each of the first `times` puts of an entry. */
function rivalled(times: number) {
  const objects = memory()
  const rival = testTrail(objects, seededHex('rival'))
  let left = times
  objects.beforePut = async (key) => {
    if (!key.startsWith(auditFolder(CASE_KEY)) || left <= 0) return
    const position = left--
    objects.beforePut = undefined
    await rival.append(CASE_KEY, [event(position)])
    objects.beforePut = hook
  }
  const hook = objects.beforePut
  return objects
}

t.test('the next event is decided anew whenever another writer was first', async (t) => {
  const objects = rivalled(3)
  const trail = testTrail(objects, seededHex())
  const seen: number[] = []
  const appended = await trail.appendNext(CASE_KEY, (entries) => {
    seen.push(entries.length)
    return event(100, { data: {} })
  })
  t.same(seen, [0, 1, 2, 3])
  t.equal(appended.eventId, event(100).eventId)
  const entries = await trail.entries(CASE_KEY)
  t.equal(entries.at(-1)?.eventId, event(100).eventId)
  t.equal(entries.length, 4)
})

t.test('an event that is refused or decided otherwise leaves nothing behind', async (t) => {
  const objects = rivalled(2)
  const trail = testTrail(objects, seededHex())
  const decided: number[] = []
  await t.rejects(
    trail.appendNext(CASE_KEY, (entries) => {
      if (entries.length === 2) throw new Error('too late')
      decided.push(200 + entries.length)
      return event(200 + entries.length)
    }),
    { message: 'too late' },
  )
  t.same(decided, [200, 201])
  for (const position of decided) {
    t.equal(await trail.opening(CASE_KEY, event(position).eventId), undefined)
  }
  t.equal((await trail.entries(CASE_KEY)).length, 2)
})

t.test('an event whose writing was not answered is not written twice', async (t) => {
  const objects = memory()
  const trail = testTrail(objects, seededHex())
  const put = objects.putIfAbsent.bind(objects)
  // The write lands; the client gets no answer, repeats it, and learns that the place is taken.
  objects.putIfAbsent = async (key, bytes, type) => {
    const landed = await put(key, bytes, type)
    return key.startsWith(auditFolder(CASE_KEY)) ? undefined : landed
  }
  const { eventId } = await trail.appendNext(CASE_KEY, () => event(1))
  t.equal(eventId, event(1).eventId)
  t.equal((await trail.entries(CASE_KEY)).length, 1)
  t.ok(await trail.opening(CASE_KEY, eventId))
})

t.test('a slow first read does not hide what a faster one read and appended', async (t) => {
  const objects = memory()
  await testTrail(objects, seededHex()).append(CASE_KEY, [event(0)])
  const alarm = new RecordingAlarm()
  const trail = testTrail(objects, seededHex('both'), alarm)
  const list = objects.list.bind(objects)
  const slow = Promise.withResolvers<void>()
  objects.list = async (...given) => {
    objects.list = list
    const stats = await list(...given)
    await slow.promise
    return stats
  }
  const first = trail.entries(CASE_KEY)
  const entries = await trail.append(CASE_KEY, [event(1)])
  slow.resolve()
  t.equal((await first).length, 1)
  t.equal(Object.keys(await trail.openings(CASE_KEY, entries)).length, 2)
  t.same(alarm.raised, [])
  await objects.delete(auditKey(CASE_KEY, 2))
  t.same((await trail.check(CASE_KEY)).fault, { sequence: 2, fault: 'missingHead' })
})

t.test('many large objects in the folder are not read at once', async (t) => {
  const objects = memory()
  await testTrail(objects, seededHex()).append(CASE_KEY, [event(0)])
  for (let n = 2; n <= 500; n++) objects.upload(auditKey(CASE_KEY, n), new Uint8Array(8))
  objects.gets = []
  const { entries, fault } = await testTrail(objects).check(CASE_KEY)
  t.equal(entries.length, 1)
  t.same(fault, { sequence: 2, fault: 'unreadable' })
  t.ok(objects.gets.length <= 64, `${objects.gets.length} objects were read, twice 32 at most`)
})

t.test('a trail that was verified before is extended without a listing', async (t) => {
  const objects = memory()
  const author = testTrail(objects, seededHex())
  await author.append(CASE_KEY, [event(0)])
  const reader = testTrail(objects, seededHex('reader'))
  t.equal(await reader.remembered(CASE_KEY), undefined)
  t.equal((await reader.newest(CASE_KEY)).length, 1, 'the first reading lists')
  const { list } = objects
  objects.list = async () => t.fail('listed again') as never
  for (const number of [1, 2]) await author.append(CASE_KEY, [event(number)])
  t.equal((await reader.newest(CASE_KEY)).length, 3)
  t.equal((await reader.remembered(CASE_KEY))?.length, 3)
  objects.list = list
  await author.append(CASE_KEY, [event(3)])
  const entries = await reader.append(CASE_KEY, [event(4)])
  t.equal(entries.length, 5, 'a lost race reads only the next object')
})

t.test('an object at the next place that does not continue the trail is a fault', async (t) => {
  const objects = memory()
  const author = testTrail(objects, seededHex())
  await author.append(CASE_KEY, [event(0)])
  const alarm = new RecordingAlarm()
  const reader = testTrail(objects, seededHex('reader'), alarm)
  await reader.newest(CASE_KEY)
  const { bytes } = objects.objects.get(auditKey(CASE_KEY, 1))!
  objects.upload(auditKey(CASE_KEY, 2), bytes)
  await t.rejects(reader.newest(CASE_KEY), { name: 'AuditTrailError' })
  t.equal(await reader.remembered(CASE_KEY), undefined)
})
