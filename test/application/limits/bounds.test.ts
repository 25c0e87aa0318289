/** Bounds of a tenant and of an address: counted for all processes, and also without a store. */
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import {
  BOUNDS,
  Bounds,
  type BoundLimits,
  type BoundName,
} from '../../../application/limits/bounds.ts'
import { UNBOUNDED } from '../../fixtures/bounds.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'

const NOON_MS = Date.parse('2026-11-02T12:00:00Z')
const NAMES = Object.keys(BOUNDS) as BoundName[]

function world(limits: Partial<BoundLimits>) {
  const clock = { ms: NOON_MS }
  const now = () => new Date(clock.ms)
  const ephemeral = new MemoryEphemeral(now)
  const errors: unknown[] = []
  const onUnshared = (error: unknown) => void errors.push(error)
  const open = () => new Bounds({ ephemeral, limits: { ...UNBOUNDED, ...limits }, now, onUnshared })
  return { clock, ephemeral, errors, open }
}

const cases = (of = 'acme') => ({ bound: 'tenantCasesPerDay', of }) as const
const REACHED = { name: 'BoundReachedError' }
const HALF_A_DAY_SECONDS = 12 * 60 * 60

t.test('a tenant has so many in a day of the clock, all processes together', async (t) => {
  const { open, clock } = world({ tenantCasesPerDay: 3 })
  const [one, other] = [open(), open()]
  await one.take(cases())
  await other.take(cases())
  await one.take(cases())
  const refusal = {
    ...REACHED,
    message: /cases/,
    retryAfterSeconds: HALF_A_DAY_SECONDS,
  }
  await t.rejects(other.take(cases()), refusal)
  await other.take(cases('other'))
  await one.take({ bound: 'tenantDevicesPerDay', of: 'acme' })
  clock.ms += HALF_A_DAY_SECONDS * 1000
  await other.take(cases())
})

t.test('a refusal comes after its uses are given back', async (t) => {
  const { ephemeral, open } = world({ tenantCasesPerDay: 1 })
  let givenBack = 0
  const increment = ephemeral.increment.bind(ephemeral)
  ephemeral.increment = async (key, ttlMs, amount = 1) => {
    if (amount < 0) await setImmediate()
    const count = await increment(key, ttlMs, amount)
    if (amount < 0) givenBack++
    return count
  }
  const bounds = open()
  await bounds.take(cases())
  await t.rejects(bounds.take(cases()), REACHED)
  t.equal(givenBack, 1)
})

t.test('what is refused is not counted, of none of the bounds', async (t) => {
  const limits = { verificationUploadsPerHour: 10, allVerificationMegabytesPerHour: 30 }
  const { open } = world(limits)
  const bounds = open()
  const upload = (amount: number) =>
    bounds.take(
      { bound: 'verificationUploadsPerHour', of: 'a' },
      { bound: 'allVerificationMegabytesPerHour', of: 'all', amount },
    )
  await upload(25)
  for (let n = 0; n < 20; n++) await t.rejects(upload(25), { ...REACHED, retryAfterSeconds: 3600 })
  await upload(5)
  for (let n = 0; n < 8; n++) await upload(0)
  await t.rejects(upload(0), { ...REACHED, bound: 'verificationUploadsPerHour' })
})

t.test('what was not done is given back once, to the window it was counted in', async (t) => {
  const { open, clock } = world({ tenantCasesPerDay: 2 })
  const bounds = open()
  const release = await bounds.take(cases())
  await bounds.take(cases())
  await release()
  await release()
  await bounds.take(cases())
  await t.rejects(bounds.take(cases()), REACHED)
  const late = await open().take(cases('late'))
  clock.ms += 2 * HALF_A_DAY_SECONDS * 1000
  await late()
  await bounds.take(cases('late'))
  await bounds.take(cases('late'))
  await t.rejects(bounds.take(cases('late')), REACHED, 'the new day has no more room for it')
})

t.test('a store that lost its values or is unavailable lifts no limit of a process', async (t) => {
  const { open, ephemeral, errors } = world({ tenantSmsPerDay: 4 })
  const bounds = open()
  const use = { bound: 'tenantSmsPerDay', of: 'acme' } as const
  await bounds.take(use)
  await bounds.take(use)
  ephemeral.wipe()
  await bounds.take(use)
  ephemeral.increment = () => Promise.reject(new Error('away'))
  await bounds.take(use)
  await t.rejects(bounds.take(use), REACHED)
  t.ok(errors.length > 0)
})

t.test('without a limit nothing is counted', async (t) => {
  const { open, ephemeral } = world({})
  await open().take(...NAMES.map((bound) => ({ bound, of: 'acme', amount: 1e9 })))
  t.same([...ephemeral.values], [])
})
