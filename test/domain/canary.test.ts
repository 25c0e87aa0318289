import t from 'tap'
import {
  canAnotherSign,
  decodeCanary,
  mergeCanary,
  WORKER_CANARY_LIFE_MS,
} from '../../domain/canary.ts'
import type { CanaryResult, WorkerCanary } from '../../domain/cases/results.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { CANARY_MAXIMUM_AGE_MS } from '../../domain/limits.ts'

const NOW_MS = Date.parse('2026-11-02T09:00:00.000Z')
const at = (ageMs: number) => new Date(NOW_MS - ageMs).toISOString()
const passed = (ageMs = 0): WorkerCanary => ({ outcome: 'passed', at: at(ageMs) })
const failed = (ageMs = 0): WorkerCanary => ({ outcome: 'failed', at: at(ageMs), reason: 'no key' })

const stored = (workers: Record<string, WorkerCanary>): CanaryResult => ({ ...passed(), workers })

t.test('the first result is the result of all', async (t) => {
  t.same(mergeCanary(undefined, 'a', passed(), NOW_MS), { ...passed(), workers: { a: passed() } })
  const lost = mergeCanary(undefined, 'a', failed(), NOW_MS)
  t.same(lost, { ...failed(), workers: { a: failed() } })
})

t.test('one worker that passes is enough, however many fail', async (t) => {
  const before = stored({ b: passed(30_000), c: failed(10_000) })
  const after = mergeCanary(before, 'a', failed(), NOW_MS)
  t.match(after, passed(30_000))
  t.equal(after.reason, undefined)
  t.same(Object.keys(after.workers ?? {}).sort(), ['a', 'b', 'c'])
  t.ok(canAnotherSign(after, 'a', NOW_MS))
  t.notOk(canAnotherSign(after, 'b', NOW_MS))
})

t.test('when the last one fails, all have failed', async (t) => {
  const before = stored({ a: passed(1_000), b: failed(20_000) })
  const after = mergeCanary(before, 'a', failed(), NOW_MS)
  t.match(after, { outcome: 'failed', reason: 'no key' })
  t.notOk(canAnotherSign(after, 'b', NOW_MS))
})

t.test('a worker that has been silent too long counts for nothing', async (t) => {
  const silent = mergeCanary(
    stored({ b: passed(WORKER_CANARY_LIFE_MS + 1) }),
    'a',
    failed(),
    NOW_MS,
  )
  t.equal(silent.outcome, 'failed')
  const gone = mergeCanary(stored({ b: passed(CANARY_MAXIMUM_AGE_MS + 1) }), 'a', failed(), NOW_MS)
  t.same(Object.keys(gone.workers ?? {}), ['a'])
  const still = mergeCanary(stored({ b: passed(WORKER_CANARY_LIFE_MS) }), 'a', failed(), NOW_MS)
  t.equal(still.outcome, 'passed')
})

t.test('a result of a clock that is ahead is new', async (t) => {
  t.equal(mergeCanary(stored({ b: passed(-60_000) }), 'a', failed(), NOW_MS).outcome, 'passed')
})

t.test('a result of a clock that is far ahead counts for nothing', async (t) => {
  const ahead = stored({ b: passed(-WORKER_CANARY_LIFE_MS - 1) })
  t.equal(mergeCanary(ahead, 'a', failed(), NOW_MS).outcome, 'failed')
  const farAhead = stored({ b: passed(-CANARY_MAXIMUM_AGE_MS - 1) })
  t.same(Object.keys(mergeCanary(farAhead, 'a', failed(), NOW_MS).workers ?? {}), ['a'])
})

t.test('the object of an earlier version says nothing of single workers', async (t) => {
  const earlier: CanaryResult = { outcome: 'passed', at: at(1_000) }
  t.equal(mergeCanary(earlier, 'a', failed(), NOW_MS).outcome, 'failed')
})

t.test('the object stays small', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`w-${index}`, passed(index)]),
  )
  const { workers = {} } = mergeCanary(stored(many), 'a', failed(), NOW_MS)
  t.equal(Object.keys(workers).length, 200)
  t.ok('a' in workers && 'w-0' in workers)
})

t.test('what is not the result of a canary counts as absent', async (t) => {
  const own = stored({ a: passed() })
  t.same(decodeCanary({ bytes: encodeJson(own) }), own)
  for (const odd of [null, [], {}, { outcome: 'passed' }, { ...passed(), outcome: 'absent' }]) {
    t.equal(decodeCanary({ bytes: encodeJson(odd) }), undefined, JSON.stringify(odd))
  }
  t.equal(decodeCanary({ bytes: new Uint8Array([0x7b]) }), undefined)
  const mixed = { ...passed(), workers: { a: passed(), b: null, c: { outcome: 'passed' } } }
  t.same(decodeCanary({ bytes: encodeJson(mixed) })?.workers, { a: passed() })
})
