/** The catalogue of log lines says what the code writes. */
import t from 'tap'
import { LOG_EVENTS } from '../../domain/log-events.ts'
import { logCallsOf } from '../fixtures/log-calls.ts'
import { product } from '../fixtures/source-tree.ts'

/** Repeats the message of a fault; the page describes `recovered: …`. */
const GENERIC = 'domain/fault-log.ts'

const calls = product.flatMap(({ path, text }) =>
  path === GENERIC ? [] : logCallsOf(path, text).map((call) => ({ ...call, path })),
)
const catalogue = Object.values(LOG_EVENTS).flatMap((events) =>
  Object.entries(events).map(([message, { level }]) => `${level} ${message}`),
)

t.test('every line has a constant text', async (t) => {
  t.ok(calls.length > 60)
  t.same(
    calls.filter(({ message }) => message === undefined),
    [],
  )
})

t.test('the catalogue has every line of the code with its level, and no other', async (t) => {
  const written = new Set(calls.map(({ level, message }) => `${level} ${message}`))
  t.same([...written].sort(), catalogue.toSorted())
  t.equal(new Set(catalogue).size, catalogue.length, 'each line is in one topic')
})

t.test('lines are found in a source as they are written', async (t) => {
  const source = `
    const TEXT = 'by a constant'
    this.#deps.log.warn({ err }, 'a literal')
    request.log.info({}, TEXT)
    log.error({ ...facts }, fault)
    new FaultLog({ log, timers, message: 'a fault' })
    redis.info('server')`
  t.same(logCallsOf('a.ts', source), [
    { level: 'warn', message: 'a literal' },
    { level: 'info', message: 'by a constant' },
    { level: 'error', message: undefined },
    { level: 'warn', message: 'a fault' },
  ])
})
