/** Readers, writers and an erasure of one trail, in an order that a seed decides. */
import t from 'tap'
import type { AuditEvent } from '../../../domain/audit/entry.ts'
import { withoutOpenings, WITH_VALUES_TYPE } from '../../../domain/audit/stored.ts'
import { auditFolder, caseFolder } from '../../../domain/cases/keys.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import { AuditTrail } from '../../../application/audit/trail.ts'
import { KeyedWitness } from '../../../application/audit/witness.ts'
import { ReadObjects, snapshotFolder } from '../../../application/store/folder-snapshot.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { dice, pause, slowed } from '../../fixtures/slowed.ts'
import { CASE_ID, CASE_KEY, CREATED_AT, keyring } from '../../fixtures/signature-case.ts'

const ROUNDS = 20
const PROCESSES = 3
const TASKS = 3
const STEPS = 6
/** Events that several tasks append. */
const SHARED = 12

const event = (position: number): AuditEvent => ({
  eventId: uuidV5(CASE_ID, 'race', String(position)),
  type: 'participant.viewed',
  occurredAt: CREATED_AT,
  actor: 'tenant',
  ip: '192.0.2.1',
  data: { position },
})

async function eraseAll(objects: ObjectStore): Promise<void> {
  for (const { key, contentType } of await objects.list(auditFolder(CASE_KEY), { limit: 1000 })) {
    const object = contentType === WITH_VALUES_TYPE ? await objects.get(key) : undefined
    const bytes = object && withoutOpenings(object)
    const { generation } = object ?? {}
    if (bytes) await objects.compareAndSwap(key, bytes, { contentType: 'x/y', generation })
  }
}

/** @returns the faults that were found, and how many entries the trail has */
async function round(seed: number) {
  const roll = dice(seed)
  const memory = new MemoryObjectStore(new FrozenTimers(CREATED_AT).now)
  const objects = slowed(memory, roll)
  const ephemeral = slowed(new MemoryEphemeral(), roll)
  const faults: unknown[] = []
  const randomHex = seededHex()
  const open = () =>
    new AuditTrail(objects, {
      keyring,
      randomHex,
      witness: new KeyedWitness(ephemeral, keyring),
      onFault: (_key, fault) => faults.push(fault),
    })
  const read = new ReadObjects()
  let isErased = false
  const steps: ((trail: AuditTrail, own: number) => Promise<unknown>)[] = [
    async (trail, own) => {
      const entries = await trail.append(CASE_KEY, [event(roll(SHARED)), event(own)])
      await trail.openings(CASE_KEY, entries, { isErased })
    },
    async (trail) => {
      const { entries } = await trail.check(CASE_KEY)
      await trail.openings(CASE_KEY, entries, { isErased })
    },
    async (trail) =>
      trail.check(CASE_KEY, await snapshotFolder(objects, caseFolder(CASE_KEY), read)),
    async (trail, own) => trail.appendNext(CASE_KEY, () => event(own)),
    async (trail) => trail.newest(CASE_KEY),
  ]
  const task = async (trail: AuditTrail, number: number) => {
    for (let step = 0; step < STEPS; step++) {
      await steps[roll(steps.length)]!(trail, 100 * (number + 1) + step)
    }
  }
  const erasing = async () => {
    if (roll(2) === 0) return
    for (let wait = 0; wait < 20; wait++) await pause(roll)
    isErased = true
    for (let pass = 0; pass < 20; pass++) await eraseAll(objects)
  }
  const tasks = Array.from({ length: PROCESSES }, open).flatMap((trail, process) =>
    Array.from({ length: TASKS }, (_, number) => task(trail, process * TASKS + number)),
  )
  await Promise.all([...tasks, erasing()])
  const { entries, fault } = await open().check(CASE_KEY)
  if (fault) faults.push(fault)
  return { faults, entries }
}

t.test('readers and writers of a trail find no fault that nobody made', async (t) => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const { faults, entries } = await round(seed)
    t.same(faults, [], `seed ${seed}`)
    t.equal(new Set(entries.map(({ eventId }) => eventId)).size, entries.length)
    t.ok(entries.length > 0)
  }
})
