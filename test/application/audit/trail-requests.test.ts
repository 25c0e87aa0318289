/** How many requests processes that share a witness need to extend and to read a trail. */
import t from 'tap'
import { AuditTrail } from '../../../application/audit/trail.ts'
import { KeyedWitness } from '../../../application/audit/witness.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { auditKey } from '../../../domain/cases/keys.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { CASE_KEY, CREATED_AT, keyring } from '../../fixtures/signature-case.ts'

const event = (number: number) =>
  auditEvent(CASE_KEY.caseId, 'participant.viewed', {
    occurredAt: CREATED_AT,
    actor: 'participant',
    occurrence: String(number),
  })

/** Processes with one bucket and one ephemeral store, and the requests to the bucket. */
function world() {
  const memory = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const ephemeral = new MemoryEphemeral()
  const requests: string[] = []
  const objects = new Proxy(memory, {
    get(target, name: keyof MemoryObjectStore) {
      const member: unknown = target[name]
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        requests.push(String(name))
        return member.apply(target, args)
      }
    },
  })
  const open = () =>
    new AuditTrail(objects, {
      keyring,
      randomHex: seededHex(),
      witness: new KeyedWitness(ephemeral, keyring),
    })
  const counted = async (work: () => Promise<unknown>) => {
    requests.length = 0
    await work()
    return [...requests]
  }
  return { memory, ephemeral, open, counted }
}

t.test('an append after those of other processes reads them and puts once', async (t) => {
  const { open, counted } = world()
  const [one, other] = [open(), open()]
  await one.append(CASE_KEY, [event(0)])
  await other.append(CASE_KEY, [event(1)])
  await other.append(CASE_KEY, [event(2)])
  t.same(await counted(() => one.append(CASE_KEY, [event(3)])), ['get', 'get', 'putIfAbsent'])
  t.same(await counted(() => one.append(CASE_KEY, [event(4)])), ['putIfAbsent'])
  t.same(await counted(() => one.append(CASE_KEY, [event(4)])), [], 'which it has recorded')
})

t.test('the first reading of a trail that the witness remembers does not list', async (t) => {
  const { open, counted } = world()
  const author = open()
  for (const number of [0, 1]) await author.append(CASE_KEY, [event(number)])
  const reader = open()
  t.same(await counted(() => reader.newest(CASE_KEY)), ['get', 'get'])
  t.same(await counted(() => reader.newest(CASE_KEY)), [])
  t.equal((await reader.newest(CASE_KEY)).length, 2)
})

t.test('nor does an append by a process that has not read the trail', async (t) => {
  const { open, counted } = world()
  await open().append(CASE_KEY, [event(0)])
  t.same(await counted(() => open().append(CASE_KEY, [event(1)])), ['get', 'putIfAbsent'])
})

t.test('an entry is read that the witness does not remember yet', async (t) => {
  const { open, ephemeral } = world()
  const [author, reader] = [open(), open()]
  const place = `audit-head/${CASE_KEY.tenant}/${CASE_KEY.caseId}`
  await author.append(CASE_KEY, [event(0)])
  const older = (await ephemeral.get(place)) ?? ''
  await author.append(CASE_KEY, [event(1)])
  t.equal((await reader.newest(CASE_KEY)).length, 2)
  await ephemeral.set(place, older, { ttlMs: 1_000 })
  await author.append(CASE_KEY, [event(2)])
  await ephemeral.set(place, older, { ttlMs: 1_000 })
  t.equal((await reader.newest(CASE_KEY)).length, 3)
})

t.test('it lists when the witness remembers nothing', async (t) => {
  const { open, counted, ephemeral } = world()
  await open().append(CASE_KEY, [event(0)])
  await ephemeral.delete(`audit-head/${CASE_KEY.tenant}/${CASE_KEY.caseId}`)
  t.same(await counted(() => open().newest(CASE_KEY)), ['list', 'get'])
})

t.test('a trail that lacks its end, or an object before it, is broken', async (t) => {
  for (const removed of [1, 2, 3]) {
    const { open, memory } = world()
    const author = open()
    for (const number of [0, 1, 2]) await author.append(CASE_KEY, [event(number)])
    await memory.delete(auditKey(CASE_KEY, removed))
    const reader = open()
    await t.rejects(reader.newest(CASE_KEY), { name: 'AuditTrailError' }, String(removed))
    await t.rejects(reader.newest(CASE_KEY), { name: 'AuditTrailError' }, 'also later')
  }
})

t.test('so is one whose object was replaced by another genuine one', async (t) => {
  const { open, memory } = world()
  const author = open()
  for (const number of [0, 1]) await author.append(CASE_KEY, [event(number)])
  const { bytes } = memory.objects.get(auditKey(CASE_KEY, 1)) ?? {}
  memory.upload(auditKey(CASE_KEY, 2), bytes ?? new Uint8Array())
  await t.rejects(open().newest(CASE_KEY), { name: 'AuditTrailError' })
})
