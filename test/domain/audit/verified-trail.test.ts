/** What somebody can do to a trail who writes the bucket: each forgery ends in a named fault. */
import t from 'tap'
import type { AuditEvent, AuditEventType } from '../../../domain/audit/entry.ts'
import type { TrailFault } from '../../../domain/audit/fault.ts'
import { findHeadFault, headOf } from '../../../domain/audit/signature-check.ts'
import type { StoredEntries } from '../../../domain/audit/stored.ts'
import { AuditTrail } from '../../../application/audit/trail.ts'
import { KeyedWitness } from '../../../application/audit/witness.ts'
import { auditFolder, auditKey } from '../../../domain/cases/keys.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { assertObjectKey } from '../../../domain/object-names.ts'
import { RecordingAlarm, testTrail } from '../../fixtures/alarms.ts'
import { Forger } from '../../fixtures/forger.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { CASE_ID, CASE_KEY, CREATED_AT, keyring } from '../../fixtures/signature-case.ts'

const TYPES: readonly AuditEventType[] = [
  'case.created',
  'participant.otp_sent',
  'participant.otp_failed',
  'participant.otp_failed',
  'participant.otp_verified',
  'participant.viewed',
]

const event = (type: AuditEventType, position: number): AuditEvent => ({
  eventId: uuidV5(CASE_ID, type, String(position)),
  type,
  occurredAt: CREATED_AT,
  actor: 'participant',
  ip: '192.0.2.1',
  data: { position },
})
const EVENTS = TYPES.map(event)

async function world() {
  const objects = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const alarm = new RecordingAlarm()
  const author = testTrail(objects, seededHex(), alarm)
  // One object for each, so that a forger can change any of them alone.
  for (const one of EVENTS) await author.append(CASE_KEY, [one])
  return { objects, alarm, author, forger: new Forger(objects, CASE_KEY) }
}

/** What a process finds that has never read the trail. */
async function findFault(objects: MemoryObjectStore): Promise<TrailFault | undefined> {
  return (await testTrail(objects).check(CASE_KEY)).fault
}

t.test('a trail that was not touched holds', async (t) => {
  const { objects, alarm, author } = await world()
  t.equal(await findFault(objects), undefined)
  t.equal((await author.check(CASE_KEY)).fault, undefined)
  t.equal(Object.keys(await author.openings(CASE_KEY, await author.entries(CASE_KEY))).length, 6)
  t.same(alarm.raised, [])
})

/** Each with the fault that a new process finds. */
const FORGERIES: Readonly<
  Record<
    string,
    { fault: TrailFault; forge(forger: Forger, stored: StoredEntries[]): Promise<void> }
  >
> = {
  'entries of failed codes are removed and the chain is recomputed': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: (forger, stored) => forger.rechain(stored.filter((_, index) => index < 2 || index > 3)),
  },
  'entries of failed codes are removed and the others move up as they are': {
    fault: { sequence: 3, fault: 'wrongSequence' },
    forge: (forger, stored) => forger.replay(stored.filter((_, index) => index < 2 || index > 3)),
  },
  'an address is changed with its commitment and the chain': {
    fault: { sequence: 2, fault: 'wrongMac' },
    forge: (forger) => forger.changeAddress(2, '203.0.113.99'),
  },
  'a view is invented': {
    fault: { sequence: 7, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      const [last] = stored.slice(-1) as [StoredEntries]
      const eventId = uuidV5(CASE_ID, 'invented')
      await forger.rechain([...stored, { ...last, entries: [{ ...last.entries[0]!, eventId }] }])
    },
  },
  'a view is invented under a key of the forger': {
    fault: { sequence: 7, fault: 'unknownKey' },
    forge: async (forger, stored) => {
      const [last] = stored.slice(-1) as [StoredEntries]
      const eventId = uuidV5(CASE_ID, 'invented')
      const entries = [{ ...last.entries[0]!, eventId }]
      await forger.rechain([...stored, { ...last, kid: 'mine', entries }])
    },
  },
  'an old entry is replayed at the end': {
    fault: { sequence: 7, fault: 'wrongSequence' },
    forge: (forger, stored) => forger.replay([...stored, stored[1] as StoredEntries]),
  },
  'two entries are swapped': {
    fault: { sequence: 3, fault: 'wrongSequence' },
    forge: (forger, stored) => forger.replay(stored.toSpliced(2, 2, stored[3]!, stored[2]!)),
  },
  'an entry in the middle is removed': {
    fault: { sequence: 4, fault: 'wrongPlace' },
    forge: async (forger, stored) => {
      await forger.truncate(3)
      for (const sequence of [5, 6]) {
        await forger.write(auditKey(CASE_KEY, sequence), stored[sequence - 1])
      }
    },
  },
  'an entry is not JSON that the service writes': {
    fault: { sequence: 3, fault: 'unreadable' },
    forge: (forger) => forger.write(auditKey(CASE_KEY, 3), 'hunter2'),
  },
  'an entry has text that is not Unicode': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      const [, , third] = stored
      const entries = [{ ...third?.entries[0], eventId: '\ud800' }]
      await forger.write(auditKey(CASE_KEY, 3), { ...third, entries })
    },
  },
  'an entry is nested deeper than a program can follow': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      const [, , third] = stored
      const nested = `{"nested":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
      const text = JSON.stringify({ ...third, entries: [0] }).replace('[0]', `[${nested}]`)
      await forger.writeText(auditKey(CASE_KEY, 3), text)
    },
  },
  'an entry is as long as a document': {
    fault: { sequence: 3, fault: 'unreadable' },
    forge: async (forger, stored) => {
      const [, , third] = stored
      await forger.write(auditKey(CASE_KEY, 3), { ...third, filling: 'x'.repeat(2_000_000) })
    },
  },
  'an entry without its MAC takes the place': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      await forger.write(auditKey(CASE_KEY, 3), { entries: stored[2]?.entries })
    },
  },
  'something else lies in the folder': {
    fault: { sequence: 7, fault: 'wrongPlace' },
    forge: (forger) => forger.write(`${auditFolder(CASE_KEY)}x`, {}),
  },
}

for (const [what, { fault, forge }] of Object.entries(FORGERIES)) {
  t.test(what, async (t) => {
    const { objects, alarm, author, forger } = await world()
    await author.entries(CASE_KEY)
    await forge(forger, await forger.parts())
    t.same(await findFault(objects), fault, 'a new process')
    const known = await author.check(CASE_KEY)
    t.ok(known.fault, 'the process that wrote and read the entries')
    t.same((await author.check(CASE_KEY)).fault, known.fault, 'and again')
    t.match(alarm.raised[0], { object: 'audit-trail', fault: known.fault?.fault, key: CASE_KEY })
    await t.rejects(author.entries(CASE_KEY), { name: 'AuditTrailError', fault: known.fault })
    const next = event('participant.downloaded', 9)
    await t.rejects(author.append(CASE_KEY, [next]), { name: 'AuditTrailError' })
    await t.rejects(
      author.appendNext(CASE_KEY, () => next),
      { name: 'AuditTrailError' },
    )
    const held = (await testTrail(objects).check(CASE_KEY)).entries
    t.equal(held.length, fault.sequence - 1, 'the entries before the fault hold')
  })
}

t.test('entries of another case or tenant do not count', async (t) => {
  const { objects } = await world()
  for (const other of [
    { tenant: 'other', caseId: CASE_ID },
    { tenant: CASE_KEY.tenant, caseId: uuidV5(CASE_ID, 'other') },
  ]) {
    const stored = await new Forger(objects, CASE_KEY).parts()
    await new Forger(objects, other).replay(stored)
    const { entries, fault } = await testTrail(objects).check(other)
    t.same(fault, { sequence: 1, fault: 'wrongCase' })
    t.same(entries, [])
  }
})

t.test('a truncated trail is noticed by the process that saw more of it', async (t) => {
  for (const length of [0, 1, 5]) {
    const { alarm, author, forger } = await world()
    await forger.truncate(length)
    const { fault } = await author.check(CASE_KEY)
    t.same(fault, { sequence: length + 1, fault: 'missingHead' })
    t.same((await author.check(CASE_KEY)).fault, fault, 'it is found again')
    t.same(alarm.names(), ['audit-trail missingHead'])
  }
})

t.test('a truncated trail is noticed by every process while the witness remembers', async (t) => {
  const objects = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const ephemeral = new MemoryEphemeral()
  const witness = new KeyedWitness(ephemeral, keyring)
  const open = () => new AuditTrail(objects, { keyring, randomHex: seededHex(), witness })
  for (const one of EVENTS.slice(0, 5)) await open().append(CASE_KEY, [one])
  await open().appendNext(CASE_KEY, () => EVENTS[5]!)
  t.equal((await open().check(CASE_KEY)).fault, undefined)
  const forger = new Forger(objects, CASE_KEY)
  const stored = await forger.parts()
  for (const length of [5, 2, 0]) {
    await forger.truncate(length)
    t.same((await open().check(CASE_KEY)).fault, { sequence: 6, fault: 'missingHead' })
  }
  await forger.replay(stored)
  t.equal((await open().check(CASE_KEY)).fault, undefined, 'with all entries it holds again')
})

t.test('a witness that was written by somebody else is passed over', async (t) => {
  const objects = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const ephemeral = new MemoryEphemeral()
  const witness = new KeyedWitness(ephemeral, keyring)
  await witness.note(CASE_KEY, { sequence: 9, hash: 'f'.repeat(64) })
  const place = `audit-head/${CASE_KEY.tenant}/${CASE_KEY.caseId}`
  const noted = JSON.parse((await ephemeral.get(place)) as string) as Record<string, unknown>
  t.same(await witness.recall(CASE_KEY), { sequence: 9, hash: 'f'.repeat(64) })
  for (const text of [JSON.stringify({ ...noted, sequence: 10 }), '{}', 'null', 'hunter2']) {
    await ephemeral.set(place, text, { ttlMs: 1000 })
    t.equal(await witness.recall(CASE_KEY), undefined, text)
  }
  const open = () => new AuditTrail(objects, { keyring, randomHex: seededHex(), witness })
  t.equal((await open().check(CASE_KEY)).fault, undefined)
})

t.test('a truncated trail lacks the head that the author of a signature saw', async (t) => {
  const { objects, author, forger } = await world()
  const head = headOf(await author.entries(CASE_KEY))
  t.equal(findHeadFault(await author.entries(CASE_KEY), [{ trail: head }]), undefined)
  await forger.truncate(4)
  const entries = await testTrail(objects).entries(CASE_KEY)
  t.same(findHeadFault(entries, [{ trail: head }]), { sequence: 6, fault: 'missingHead' })
  const other = { ...head, hash: 'f'.repeat(64) }
  t.same(findHeadFault(await author.entries(CASE_KEY).catch(() => []), [{ trail: other }]), {
    sequence: 6,
    fault: 'missingHead',
  })
})

t.test('a trail that was truncated and went on is not the one that was known', async (t) => {
  const { objects, author, forger } = await world()
  await author.entries(CASE_KEY)
  await forger.truncate(4)
  await testTrail(objects, seededHex('x')).append(CASE_KEY, [
    event('participant.downloaded', 1),
    event('participant.downloaded', 2),
  ])
  t.same((await author.check(CASE_KEY)).fault, { sequence: 6, fault: 'missingHead' })
})

t.test('values that were changed, swapped or removed after their entry are a fault', async (t) => {
  const { author, forger } = await world()
  const [first, second] = (await forger.parts()) as [StoredEntries, StoredEntries]
  const { eventId } = second.entries[0]!
  const values = { [eventId]: { ip: { salt: '00', value: '203.0.113.99' } } }
  const read = async (isErased = false) =>
    author.openings(CASE_KEY, await author.entries(CASE_KEY), { isErased })
  for (const [forged, fault] of [
    [{ ...second.openings, values }, 'wrongMac'],
    [{ values, kid: 'mine', mac: '00' }, 'unknownKey'],
    [first.openings, 'wrongMac'],
    ['hunter2', 'unreadable'],
    [{ ...second.openings, values: [] }, 'unreadable'],
  ] as const) {
    await forger.changeOpenings(2, () => forged)
    const error = { name: 'AuditTrailError', fault: { sequence: 2, fault } }
    await t.rejects(author.opening(CASE_KEY, eventId), error)
    await t.rejects(read(), error)
    t.equal((await author.entries(CASE_KEY)).length, EVENTS.length, 'the entries hold')
  }
  await forger.changeOpenings(2, () => second.openings)
  t.ok(await read())
  await forger.changeOpenings(2, () => undefined)
  await t.rejects(read(), {
    name: 'AuditTrailError',
    fault: { sequence: 2, fault: 'missingOpening' },
  })
  t.equal(Object.keys(await read(true)).length, 5, 'unless the case was erased')
})

t.test('entries of one append are one object, which is whole or refused', async (t) => {
  const objects = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const forger = new Forger(objects, CASE_KEY)
  await testTrail(objects, seededHex()).append(CASE_KEY, EVENTS.slice(0, 2))
  await testTrail(objects, seededHex('b')).append(CASE_KEY, EVENTS.slice(2))
  const [first, second] = (await forger.parts()) as [StoredEntries, StoredEntries]
  t.equal(objects.objects.size, 2)
  t.same([first.entries.length, second.entries.length], [2, 4])
  const place = auditKey(CASE_KEY, 3)
  for (const [entries, fault] of [
    [second.entries.slice(0, 3), 'wrongMac'],
    [[...second.entries].reverse(), 'wrongMac'],
    [[], 'unreadable'],
    ['x', 'unreadable'],
    [first.entries, 'wrongMac'],
  ] as const) {
    await forger.write(place, { ...second, entries })
    t.same(await findFault(objects), { sequence: 3, fault })
  }
  await forger.write(place, first)
  t.same(await findFault(objects), { sequence: 3, fault: 'wrongSequence' })
  await forger.write(place, second)
  const reader = testTrail(objects)
  t.equal((await reader.entries(CASE_KEY)).length, EVENTS.length)
  const values = await reader.openings(CASE_KEY, await reader.entries(CASE_KEY))
  t.equal(Object.keys(values).length, EVENTS.length)
})

t.test('more events than one object takes are several objects', async (t) => {
  const objects = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const many = Array.from({ length: 150 }, (_, index) => event('participant.viewed', index))
  const trail = testTrail(objects, seededHex())
  await trail.append(CASE_KEY, [...many, many[0]!])
  t.same(
    [...objects.objects.keys()].sort(),
    [1, 65, 129].map((n) => auditKey(CASE_KEY, n)),
  )
  t.equal((await testTrail(objects).entries(CASE_KEY)).length, 150)
})

t.test('each entry is read and verified once, however often the trail is read', async (t) => {
  const { objects } = await world()
  const trail = testTrail(objects, seededHex('reader'))
  objects.gets = []
  for (let times = 0; times < 10; times++) await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length)
  await trail.append(CASE_KEY, [event('participant.downloaded', 1)])
  for (let times = 0; times < 10; times++) await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length, 'what this process wrote is not read')
  objects.upload(auditKey(CASE_KEY, 2), objects.objects.get(auditKey(CASE_KEY, 2))!.bytes)
  await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length + 1, 'an object that was written since is read again')
})

t.test('a listing that met a write under way is not a fault', async (t) => {
  const { objects, alarm, author } = await world()
  const list = objects.list.bind(objects)
  let times = 0
  objects.list = async (prefix, options) => {
    const stats = await list(prefix, options)
    return times++ === 0 ? stats.toSpliced(4, 1) : stats
  }
  t.equal((await author.entries(CASE_KEY)).length, EVENTS.length)
  t.same(alarm.raised, [])
})

t.test('an object with a name that no store reads is a fault, not an error', async (t) => {
  const { objects, author } = await world()
  const get = objects.get.bind(objects)
  objects.get = async (key) => {
    assertObjectKey(key)
    return get(key)
  }
  objects.upload(`${auditFolder(CASE_KEY)}0 0`, new Uint8Array(2))
  t.same(await findFault(objects), { sequence: 1, fault: 'wrongPlace' })
  t.match((await author.check(CASE_KEY)).fault, { fault: 'wrongPlace' })
})
