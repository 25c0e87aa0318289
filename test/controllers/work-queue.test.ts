import t from 'tap'
import { WorkQueue } from '../../controllers/work-queue.ts'
import { FrozenTimers, settle } from '../fixtures/frozen-timers.ts'

const START = '2026-11-02T08:00:00.000Z'

/** A queue whose runs end when the test says so. */
function build(concurrency = 2) {
  const timers = new FrozenTimers(START)
  const started: string[] = []
  const errors: string[] = []
  const endings: (() => void)[] = []
  const failing = new Set<string>()
  const due = new Map<string, number>()
  const queue = new WorkQueue({
    timers,
    concurrency,
    groupOf: (key) => key.split('/')[0] as string,
    async run(key) {
      started.push(key)
      if (failing.has(key)) throw new Error('broken')
      await new Promise<void>((resolve) => endings.push(resolve))
      return due.get(key)
    },
    onError: (_error, key, failures) => void errors.push(`${key} ${failures}`),
  })
  const end = async () => {
    for (const ending of endings.splice(0)) ending()
    await settle()
  }
  return { timers, started, errors, failing, due, queue, end }
}

t.test('a key that waits is not added twice', async (t) => {
  const { queue, started, end } = build(1)
  for (const key of ['a', 'b', 'b', 'b']) queue.add(key)
  t.equal(queue.size, 2)
  await end()
  await end()
  t.same(started, ['a', 'b'])
})

t.test('a key never runs beside itself; what comes meanwhile makes it run once more', async (t) => {
  const { queue, started, end } = build()
  for (const key of ['a', 'a', 'a']) queue.add(key)
  await settle()
  t.same(started, ['a'])
  await end()
  t.same(started, ['a', 'a'])
  await end()
  t.same(started, ['a', 'a'])
})

t.test('no more keys run at once than were allowed', async (t) => {
  const { queue, started, end } = build(2)
  for (const key of ['a', 'b', 'c']) queue.add(key)
  await settle()
  t.same(started, ['a', 'b'])
  await end()
  t.same(started, ['a', 'b', 'c'])
  await end()
})

t.test('a group with many keys does not delay the key of another', async (t) => {
  const { queue, started, end } = build(1)
  for (let number = 0; number < 10_000; number++) queue.add(`large/${number}`)
  queue.add('small/0')
  queue.addSoon('small/0', 1)
  queue.add('small/1')
  for (let run = 0; run < 5; run++) await end()
  t.same(started, ['large/0', 'large/1', 'small/0', 'large/2', 'small/1', 'large/3'])
})

t.test('a failed run is logged and retried, with a growing delay up to a minute', async (t) => {
  const { queue, started, errors, failing, timers } = build()
  failing.add('a')
  queue.add('a')
  await settle()
  t.same(errors, ['a 1'])
  const start = Date.parse(START)
  await timers.moveTo(start + 199)
  t.equal(started.length, 1)
  await timers.moveTo(start + 200)
  t.equal(started.length, 2)
  await timers.moveTo(start + 599)
  t.equal(started.length, 2)
  await timers.moveTo(start + 600)
  t.equal(started.length, 3)
  await timers.moveTo(start + 60 * 60_000)
  const before = started.length
  await timers.moveTo(start + 2 * 60 * 60_000)
  t.equal(started.length - before, 60)
})

t.test(
  'a key runs again when its last run said so, and no longer when an earlier did',
  async (t) => {
    const { queue, started, timers, due, end } = build()
    const start = timers.nowMs()
    due.set('a', 1000)
    queue.add('a')
    await end()
    await timers.moveTo(start + 400)
    due.set('a', 5000)
    queue.add('a')
    await end()
    await timers.moveTo(start + 5399)
    t.equal(started.length, 2)
    await timers.moveTo(start + 5400)
    t.equal(started.length, 3)
    due.delete('a')
    await end()
    await timers.moveTo(start + 60_000)
    t.equal(started.length, 3)
  },
)

t.test('a full queue takes no more keys, until one of them runs', async (t) => {
  const { queue, end } = build(1)
  const full = 100_000
  queue.add('first')
  await settle()
  for (let number = 0; number < full; number++) queue.add(`key ${number}`)
  t.equal(queue.size, full + 1)
  t.notOk(queue.add('one more'))
  t.ok(queue.add('first'), 'a key that runs does not wait')
  await end()
  t.ok(queue.size <= full + 1)
})

t.test('closing waits for what runs and starts nothing more', async (t) => {
  const { queue, started, timers, due, end } = build(1)
  queue.add('a')
  queue.add('b')
  due.set('a', 10)
  await settle()
  let closed = false
  const closing = queue.close().then(() => {
    closed = true
  })
  await settle()
  t.notOk(closed)
  await end()
  await closing
  await timers.moveTo(timers.nowMs() + 1000)
  t.same(started, ['a'])
  t.notOk(queue.add('d'))
})

t.test('a running key runs once more only if that is still needed after its run', async (t) => {
  const { queue, started, end } = build()
  let isNeeded = true
  queue.add('a')
  queue.add('a', () => isNeeded)
  queue.add('a', () => isNeeded)
  isNeeded = false
  await end()
  t.same(started, ['a'])
  queue.add('a', () => isNeeded)
  t.same(started, ['a'], 'nor does it start')
  queue.add('a')
  queue.add('a', () => false)
  queue.add('a')
  await end()
  t.same(started, ['a', 'a', 'a'])
  await end()
})

t.test('keys that may wait run once, together or with an earlier run', async (t) => {
  const { queue, started, timers, end } = build()
  queue.addSoon('a', 1_000)
  queue.addSoon('a', 1_000)
  await timers.moveTo(timers.nowMs() + 999)
  t.same(started, [])
  await timers.moveTo(timers.nowMs() + 1)
  t.same(started, ['a'])
  queue.addSoon('a', 1_000)
  await end()
  queue.add('a')
  await end()
  await timers.moveTo(timers.nowMs() + 2_000)
  t.same(started, ['a', 'a'])
  queue.addSoon('a', 1_000)
  await queue.close()
  await timers.moveTo(timers.nowMs() + 2_000)
  t.same(started, ['a', 'a'])
})

t.test('of several times at which a key may wait, the earliest counts', async (t) => {
  const { queue, started, timers, end } = build()
  queue.addSoon('a', 10_000)
  queue.addSoon('a', 1_000)
  queue.addSoon('a', 5_000)
  await timers.moveTo(timers.nowMs() + 1_000)
  t.same(started, ['a'])
  await end()
  await timers.moveTo(timers.nowMs() + 20_000)
  t.same(started, ['a'])
})
