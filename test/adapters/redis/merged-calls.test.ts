import t from 'tap'
import { MergedCalls } from '../../../adapters/redis/merged-calls.ts'

function build() {
  const calls: string[][] = []
  const merged = new MergedCalls(async (keys) => {
    calls.push([...keys])
    if (keys.includes('broken')) throw new Error('no connection')
    return keys.map((key) => key.toUpperCase())
  })
  return { calls, merged }
}

t.test('calls of one turn are one call, and each gets its own result', async (t) => {
  const { calls, merged } = build()
  t.same(await Promise.all(['a', 'b', 'a'].map((key) => merged.call(key))), ['A', 'B', 'A'])
  t.equal(await merged.call('c'), 'C')
  t.same(calls, [['a', 'b', 'a'], ['c']])
})

t.test('calls that follow from promises in the same turn are part of the call', async (t) => {
  const { calls, merged } = build()
  const later = async (key: string, steps: number) => {
    for (let step = 0; step < steps; step++) await undefined
    return merged.call(key)
  }
  t.same(await Promise.all([later('a', 0), later('b', 1), later('c', 20)]), ['A', 'B', 'C'])
  t.same(calls, [['a', 'b', 'c']])
})

t.test('an error of the common call is the error of each', async (t) => {
  const { calls, merged } = build()
  const both = [merged.call('a'), merged.call('broken')]
  for (const one of both) await t.rejects(one, { message: 'no connection' })
  t.equal(await merged.call('a'), 'A', 'later calls are not affected')
  t.equal(calls.length, 2)
})

t.test('one call has at most a hundred keys', async (t) => {
  const { calls, merged } = build()
  const keys = Array.from({ length: 250 }, (_, index) => `k${index}`)
  t.equal((await Promise.all(keys.map((key) => merged.call(key)))).at(-1), 'K249')
  t.same(
    calls.map(({ length }) => length),
    [100, 100, 50],
  )
})
