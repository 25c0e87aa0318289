/** What somebody can do to a trail who writes the bucket: each forgery ends in a named fault. */
import t from 'tap'
import type { AuditEvent, AuditEventType } from '../../../domain/audit/entry.ts'
import type { TrailFault } from '../../../domain/audit/fault.ts'
import { findHeadFault, headOf } from '../../../domain/audit/signature-check.ts'
import type { StoredEntry } from '../../../domain/audit/stored.ts'
import { AuditTrail } from '../../../application/audit/trail.ts'
import { EphemeralWitness } from '../../../application/audit/witness.ts'
import { auditFolder, auditKey, auditOpeningKey } from '../../../domain/cases/keys.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { encodeJson } from '../../../domain/json-object.ts'
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
  await author.append(CASE_KEY, EVENTS)
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
  Record<string, { fault: TrailFault; forge(forger: Forger, stored: StoredEntry[]): Promise<void> }>
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
      const [last] = stored.slice(-1) as [StoredEntry]
      const eventId = uuidV5(CASE_ID, 'invented')
      await forger.rechain([...stored, { ...last, entry: { ...last.entry, eventId } }])
    },
  },
  'a view is invented under a key of the forger': {
    fault: { sequence: 7, fault: 'unknownKey' },
    forge: async (forger, stored) => {
      const [last] = stored.slice(-1) as [StoredEntry]
      const eventId = uuidV5(CASE_ID, 'invented')
      await forger.rechain([...stored, { ...last, kid: 'mine', entry: { ...last.entry, eventId } }])
    },
  },
  'an old entry is replayed at the end': {
    fault: { sequence: 7, fault: 'wrongSequence' },
    forge: (forger, stored) => forger.replay([...stored, stored[1] as StoredEntry]),
  },
  'two entries are swapped': {
    fault: { sequence: 3, fault: 'wrongSequence' },
    forge: (forger, stored) => forger.replay(stored.toSpliced(2, 2, stored[3]!, stored[2]!)),
  },
  'an entry in the middle is removed': {
    fault: { sequence: 4, fault: 'wrongPlace' },
    forge: async (forger, stored) => {
      const objects = stored.map(({ entry }) => entry.sequence)
      await forger.truncate(3)
      for (const sequence of objects.slice(4)) {
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
      const entry = { ...third?.entry, eventId: '\ud800' }
      await forger.write(auditKey(CASE_KEY, 3), { ...third, entry })
    },
  },
  'an entry is nested deeper than a program can follow': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      const [, , third] = stored
      const nested = `{"nested":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
      const text = JSON.stringify({ ...third, entry: 0 }).replace('"entry":0', `"entry":${nested}`)
      await forger.writeText(auditKey(CASE_KEY, 3), text)
    },
  },
  'an entry is as long as a document': {
    fault: { sequence: 3, fault: 'unreadable' },
    forge: async (forger, stored) => {
      const [, , third] = stored
      await forger.write(auditKey(CASE_KEY, 3), { ...third, filling: 'x'.repeat(100_000) })
    },
  },
  'an entry without its MAC takes the place': {
    fault: { sequence: 3, fault: 'wrongMac' },
    forge: async (forger, stored) => {
      await forger.write(auditKey(CASE_KEY, 3), { entry: stored[2]?.entry })
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
    await forge(forger, await forger.entries())
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
    const stored = await new Forger(objects, CASE_KEY).entries()
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
  const witness = new EphemeralWitness(ephemeral, keyring)
  const open = () => new AuditTrail(objects, { keyring, randomHex: seededHex(), witness })
  await open().append(CASE_KEY, EVENTS.slice(0, 5))
  await open().appendNext(CASE_KEY, () => EVENTS[5]!)
  t.equal((await open().check(CASE_KEY)).fault, undefined)
  const forger = new Forger(objects, CASE_KEY)
  const stored = await forger.entries()
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
  const witness = new EphemeralWitness(ephemeral, keyring)
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

t.test(
  'planted openings of foreseeable events are replaced, and the alarm is raised',
  async (t) => {
    for (const planted of [
      {
        opening: { ip: { salt: '00', value: '203.0.113.99' } },
        kid: 'test-audit-trail',
        mac: '00',
      },
      { ip: { salt: '00', value: '203.0.113.99' } },
      'hunter2',
    ]) {
      const { objects, alarm, author, forger } = await world()
      const next = event('participant.signed', 9)
      await forger.write(auditOpeningKey(CASE_KEY, next.eventId), planted)
      const last = event('participant.downloaded', 10)
      await forger.write(auditOpeningKey(CASE_KEY, last.eventId), planted)
      await author.append(CASE_KEY, [next])
      await author.appendNext(CASE_KEY, () => last)
      t.same(alarm.names(), ['audit-trail plantedOpening'])
      const trail = testTrail(objects)
      const openings = await trail.openings(CASE_KEY, await trail.entries(CASE_KEY))
      t.equal(openings[next.eventId]?.ip?.value, '192.0.2.1')
      t.equal(openings[last.eventId]?.ip?.value, '192.0.2.1')
    }
  },
)

t.test('an opening of another event or case is a planted one', async (t) => {
  const { objects, alarm, author } = await world()
  const [first] = EVENTS as [AuditEvent]
  const { bytes } = objects.objects.get(auditOpeningKey(CASE_KEY, first.eventId))!
  const next = event('participant.signed', 9)
  objects.upload(auditOpeningKey(CASE_KEY, next.eventId), bytes)
  await author.append(CASE_KEY, [next])
  t.same(alarm.names(), ['audit-trail plantedOpening'])
  const opening = await author.opening(CASE_KEY, next.eventId)
  t.same(opening?.data?.value, { position: 9 })
})

t.test('values that were changed, swapped or removed after their entry are a fault', async (t) => {
  const { objects, author } = await world()
  const [first, second] = EVENTS as [AuditEvent, AuditEvent]
  const place = auditOpeningKey(CASE_KEY, second.eventId)
  const genuine = objects.objects.get(place)!.bytes
  const opening = { ip: { salt: '00', value: '203.0.113.99' } }
  objects.upload(place, encodeJson({ opening, kid: 'test-audit-trail', mac: '00' }))
  await t.rejects(author.opening(CASE_KEY, second.eventId), {
    name: 'AuditTrailError',
    fault: { sequence: 2, fault: 'wrongMac' },
  })
  objects.upload(place, objects.objects.get(auditOpeningKey(CASE_KEY, first.eventId))!.bytes)
  await t.rejects(author.opening(CASE_KEY, second.eventId), {
    name: 'AuditTrailError',
    fault: { sequence: 2, fault: 'wrongMac' },
  })
  const read = async (isErased: boolean) =>
    author.openings(CASE_KEY, await author.entries(CASE_KEY), { isErased })
  objects.upload(place, genuine)
  t.ok(await read(false))
  await objects.delete(place)
  await t.rejects(read(false), {
    name: 'AuditTrailError',
    fault: { sequence: 2, fault: 'missingOpening' },
  })
  t.equal(Object.keys(await read(true)).length, 5, 'unless the case was erased')
})

t.test('each entry is read and verified once, however often the trail is read', async (t) => {
  const { objects } = await world()
  const trail = testTrail(objects, seededHex('reader'))
  objects.gets = []
  for (let times = 0; times < 10; times++) await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length)
  await trail.append(CASE_KEY, [event('participant.downloaded', 1)])
  for (let times = 0; times < 10; times++) await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length + 1)
  objects.upload(auditKey(CASE_KEY, 2), objects.objects.get(auditKey(CASE_KEY, 2))!.bytes)
  await trail.entries(CASE_KEY)
  t.equal(objects.gets.length, EVENTS.length + 2, 'an object that was written since is read again')
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
