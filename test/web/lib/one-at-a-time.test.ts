/** Two presses of a button run one request. */
import t from 'tap'
import { oneAtATime } from '../../../web/lib/one-at-a-time.ts'

t.test('a run that begins during another one is left out', async (t) => {
  const run = oneAtATime()
  const first = Promise.withResolvers<void>()
  let count = 0
  const runs = [run(() => (count++, first.promise)), run(async () => void count++)]
  first.resolve()
  await Promise.all(runs)
  t.equal(count, 1)
  await run(async () => void count++)
  t.equal(count, 2)
})

t.test('a run that fails does not lock the next one out', async (t) => {
  const run = oneAtATime()
  await t.rejects(
    run(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  let hasRun = false
  await run(async () => void (hasRun = true))
  t.ok(hasRun)
})
