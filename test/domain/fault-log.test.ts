import t from 'tap'
import { FaultLog } from '../../domain/fault-log.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'

const START = '2026-11-02T09:00:00.000Z'
const START_MS = Date.parse(START)
const failure = new Error('WRONGPASS')

function world() {
  const timers = new FrozenTimers(START)
  const lines: object[] = []
  const log = {
    info: (details: object, message: string) => void lines.push({ ...details, message }),
    warn: (details: object, message: string) => void lines.push({ ...details, message }),
  }
  return { timers, lines, faults: new FaultLog({ log, timers, message: 'the queue failed' }) }
}

t.test('21,748 failures in two minutes are three lines, and one at the end', async (t) => {
  const { timers, lines, faults } = world()
  const each = 21_748 / 4
  for (let quarter = 0; quarter < 4; quarter++) {
    for (let index = 0; index < each; index++) faults.failed(failure)
    await timers.moveTo(START_MS + (quarter + 1) * 30_000)
  }
  t.match(lines, [
    { err: failure, message: 'the queue failed' },
    { err: failure, failuresSinceLastLine: 2 * each - 1 },
    { err: failure, failuresSinceLastLine: 2 * each },
  ])
  faults.succeeded()
  await timers.moveTo(START_MS + 125_000)
  t.same(lines.at(-1), {
    failures: 21_748,
    forMs: 125_000,
    message: 'recovered: the queue failed',
  })
  await timers.moveTo(START_MS + 600_000)
  t.equal(lines.length, 4)
})

t.test('a success between failures is not a recovery', async (t) => {
  const { timers, lines, faults } = world()
  faults.failed(failure)
  faults.succeeded()
  await timers.moveTo(START_MS + 4_000)
  faults.failed(failure)
  await timers.moveTo(START_MS + 20_000)
  t.equal(lines.length, 1)
})

t.test('a minute without a failure is one', async (t) => {
  const { timers, lines, faults } = world()
  faults.failed(failure)
  await timers.moveTo(START_MS + 60_000)
  t.match(lines, [{ err: failure }, { failures: 1, forMs: 60_000 }])
})

t.test('the next fault gets its line at once', async (t) => {
  const { timers, lines, faults } = world()
  faults.failed(failure, { job: 'crl' })
  await timers.moveTo(START_MS + 60_000)
  faults.failed(failure)
  t.match(lines, [{ job: 'crl' }, { message: /recovered/ }, { message: 'the queue failed' }])
})

t.test('what works is not worth a line', async (t) => {
  const { timers, lines, faults } = world()
  faults.succeeded()
  await timers.moveTo(START_MS + 60_000)
  t.same(lines, [])
})
