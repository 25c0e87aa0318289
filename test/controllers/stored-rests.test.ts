/** What a controller stores about resting cases, and what the controllers after it believe. */
import t from 'tap'
import { StoredRests, type RestingCase } from '../../controllers/stored-rests.ts'
import { FrozenTimers, settle } from '../fixtures/frozen-timers.ts'
import { MemoryTables, MemoryValue } from '../fixtures/memory-rests.ts'
import { keyring } from '../fixtures/signature-case.ts'

const HOUR_MS = 60 * 60_000
const WRITTEN_MS = 10_000
const WHOLE = { index: 0, count: 1 }
const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }

/** The stores of a cluster, and controllers that follow each other. */
function world() {
  const timers = new FrozenTimers('2026-11-10T08:00:00.000Z')
  const tables = new MemoryTables(timers.now)
  const current = new MemoryValue()
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const shared = { tables, current, timers, keyring, log, longestRestMs: HOUR_MS }
  const build = (more: object = {}) =>
    new StoredRests({ ...shared, group: WHOLE, isLeader: () => true, ...more })
  /** Starts a controller. @returns it, and the names of the cases that rest from its start */
  const start = async (more: object = {}) => {
    const rests = build(more)
    let taken: readonly RestingCase[] = []
    await rests.takeOver((resting) => (taken = resting))
    await settle()
    return { rests, taken: taken.map(([name]) => name).sort() }
  }
  const rest = (name: string): RestingCase => [name, '7', timers.nowMs() + HOUR_MS / 2]
  const pass = (ms: number) => timers.moveTo(timers.nowMs() + ms)
  return { timers, tables, current, warnings, build, start, rest, pass }
}

/** A world with a controller for which two cases rest, as the stores know. */
async function restingWorld() {
  const w = world()
  const { rests: first } = await w.start()
  for (const name of ['acme/a', 'acme/b']) first.begin(w.rest(name))
  await w.pass(WRITTEN_MS)
  return { ...w, first }
}

t.test('rows are written in bulk, for cases that rest for some seconds', async (t) => {
  const w = world()
  const { rests } = await w.start()
  for (const name of ['acme/a', 'acme/b', 'acme/short']) rests.begin(w.rest(name))
  await w.pass(WRITTEN_MS / 2 - 1)
  t.same(w.tables.commands, [])
  await rests.end('acme/short')
  await w.pass(WRITTEN_MS / 2 + 1)
  t.same(w.tables.commands, [['write', 2]])
  await w.pass(HOUR_MS / 2)
  t.same(w.tables.commands, [['write', 2]], 'once')
  await rests.end('acme/a')
  await rests.end('acme/a')
  await rests.end('acme/never')
  t.same(w.tables.commands.slice(1), [['delete', 1]])
  t.same(w.tables.names, ['acme/b'])
})

t.test('the next controller has the cases that rest, however the former one ended', async (t) => {
  const w = await restingWorld()
  w.first.begin(w.rest('acme/fresh'))
  const second = await w.start()
  t.same(second.taken, ['acme/a', 'acme/b'], 'it was killed')
  second.rests.begin(w.rest('acme/c'))
  await second.rests.end('acme/a')
  await second.rests.close()
  const third = await w.start()
  t.same(third.taken, ['acme/b', 'acme/c'], 'it was stopped')
  t.same((await w.start()).taken, ['acme/b', 'acme/c'], 'two starts in a row')
})

t.test('what a former leader does late is not believed', async (t) => {
  const w = await restingWorld()
  const { rests: second } = await w.start()
  await second.end('acme/a')
  w.first.begin(w.rest('acme/late'))
  await w.first.end('acme/b')
  await w.first.close()
  t.same((await w.start()).taken, ['acme/b'])
})

t.test('a process that is not certainly the leader stores and believes nothing', async (t) => {
  const w = await restingWorld()
  const { rests: second } = await w.start()
  // It was elected before the second one, and paused until now.
  const stale = await w.start({ isLeader: () => false })
  t.same(stale.taken, [])
  stale.rests.begin(w.rest('acme/stale'))
  await stale.rests.end('acme/a')
  await w.pass(WRITTEN_MS)
  await second.end('acme/a')
  t.same((await w.start()).taken, [], 'every case is read')
})

t.test('a controller that cannot replace the table reads no case', async (t) => {
  const w = await restingWorld()
  w.current.isAway = true
  const second = w.build()
  await t.rejects(second.takeOver(() => t.fail('nothing rests')), TIMEOUT) // prettier-ignore
  await t.rejects(second.end('acme/a'), TIMEOUT)
  w.current.isAway = false
  t.same((await w.start()).taken, ['acme/a', 'acme/b'], 'it did nothing yet')
  const third = w.build()
  await third.end('acme/a')
  t.same((await w.start()).taken, [], 'a run has begun')
})

t.test('after an hour without the value, cases are read: no row counts any more', async (t) => {
  const w = await restingWorld()
  w.current.isAway = true
  const second = w.build()
  await w.pass(HOUR_MS)
  await t.rejects(second.end('acme/a'), TIMEOUT)
  await w.pass(5 * 60_000)
  await second.end('acme/a')
  second.begin(w.rest('acme/a'))
  await w.pass(WRITTEN_MS)
  w.current.isAway = false
  t.same((await w.start()).taken, [])
})

t.test('a row that cannot be deleted is void, and the others are written again', async (t) => {
  const w = await restingWorld()
  w.tables.isAway = true
  await w.first.end('acme/a')
  w.tables.isAway = false
  t.same((await w.start()).taken, [], 'another table counts')
  const v = await restingWorld()
  v.tables.isAway = true
  await v.first.end('acme/a')
  v.tables.isAway = false
  await v.pass(WRITTEN_MS)
  t.same((await v.start()).taken, ['acme/b'])
})

t.test('a run waits while neither the row can be deleted nor the table replaced', async (t) => {
  const w = await restingWorld()
  w.tables.isAway = w.current.isAway = true
  for (let tries = 0; tries < 2; tries++) await t.rejects(w.first.end('acme/a'), TIMEOUT)
  w.current.isAway = false
  await w.first.end('acme/a')
  w.tables.isAway = false
  t.same((await w.start()).taken, [])
})

t.test('a write without an answer may happen later: its table does not count', async (t) => {
  const w = await restingWorld()
  const write = w.tables.write.bind(w.tables)
  let late = async () => {}
  w.tables.write = async (...args) => {
    late = () => write(...args)
    throw new Error('no answer')
  }
  w.first.begin(w.rest('acme/c'))
  await w.pass(WRITTEN_MS)
  t.same(w.warnings, ['the resting cases could not be stored'])
  w.tables.write = write
  await w.pass(2 * 60_000)
  await w.first.end('acme/c')
  await late()
  t.same((await w.start()).taken, ['acme/a', 'acme/b'])
})

t.test('while the tables are away, rows wait', async (t) => {
  const w = world()
  const { rests } = await w.start()
  w.tables.isAway = true
  rests.begin(w.rest('acme/a'))
  await w.pass(WRITTEN_MS)
  t.same(w.warnings, ['the resting cases could not be stored'])
  await w.pass(HOUR_MS / 4)
  w.tables.isAway = false
  await w.pass(2 * 60_000)
  t.same(w.tables.names, ['acme/a'])
})

t.test('a deletion waits for the write in progress', async (t) => {
  const w = world()
  const { rests } = await w.start()
  const write = w.tables.write.bind(w.tables)
  const held = Promise.withResolvers<void>()
  w.tables.write = async (...args) => {
    await held.promise
    await write(...args)
  }
  rests.begin(w.rest('acme/a'))
  await w.pass(WRITTEN_MS)
  let isRunning = false
  const run = rests.end('acme/a').then(() => (isRunning = true))
  await settle()
  t.notOk(isRunning)
  held.resolve()
  await run
  t.same(w.tables.commands, [['write', 1], ['delete', 1]]) // prettier-ignore
  t.same(w.tables.names, [])
})

t.test('a case that is read while the table is taken over does not rest', async (t) => {
  const w = await restingWorld()
  const second = w.build()
  let taken: readonly RestingCase[] = []
  const takingOver = second.takeOver((resting) => (taken = resting))
  await Promise.all([second.end('acme/a'), takingOver])
  await settle()
  t.match(taken, [['acme/b']])
  t.same((await w.start()).taken, ['acme/b'])
  await second.takeOver(() => t.fail('a second time'))
})

t.test('a loss of notifications ends all rests', async (t) => {
  const w = await restingWorld()
  w.first.endAll()
  w.first.endAll()
  await settle()
  t.same((await w.start()).taken, [])
})

t.test('another life of the store has none of the rows', async (t) => {
  const w = await restingWorld()
  w.tables.lives += 1
  t.same((await w.start()).taken, [])
})

t.test('rows that are read while another life begins do not count', async (t) => {
  const w = await restingWorld()
  const read = w.tables.read.bind(w.tables)
  w.tables.read = async function* (table) {
    yield* read(table)
    w.tables.lives += 1
  }
  t.same((await w.start()).taken, [])
})

t.test('a table that cannot be read is reported, and every case is read', async (t) => {
  const w = await restingWorld()
  w.tables.isAway = true
  t.same((await w.start()).taken, [])
  t.same(w.warnings, ['the resting cases could not be taken over'])
  w.tables.isAway = false
  t.same((await w.start()).taken, [])
})

t.test('only unchanged rows of the same table count, and no rest is longer', async (t) => {
  const w = world()
  const { rests } = await w.start()
  const untilMs = w.timers.nowMs() + 10 * HOUR_MS
  for (const name of ['a', 'b', 'c', 'd']) rests.begin([name, '7', untilMs])
  await w.pass(WRITTEN_MS)
  const [table] = w.tables.tables.values()
  const rows = table?.rows as Map<string, string>
  const text = rows.get('a') as string
  rows.set('b', text)
  rows.set('c', text.replace('"version":"7"', '"version":"8"'))
  rows.set('d', text.replace(/"untilMs":\d+/, '"untilMs":9e15'))
  for (const [name, other] of ['null', '5', '{', '[]'].entries()) rows.set(`${name}`, other)
  let taken: readonly RestingCase[] = []
  const next = w.build()
  await next.takeOver((resting) => (taken = resting))
  t.same(taken, [['a', '7', w.timers.nowMs() + HOUR_MS]])
  await settle()
  const [, copied] = w.tables.tables.values()
  copied?.rows.set('a', text)
  t.same((await w.start()).taken, [], 'a row of a former table')
})

t.test('each group has its own table, until the number of groups changes', async (t) => {
  const w = world()
  const groups = [0, 1].map((index) => ({ group: { index, count: 2 } }))
  const started = await Promise.all(groups.map((group) => w.start(group)))
  for (const [index, { rests }] of started.entries()) rests.begin(w.rest(`acme/${index}`))
  await w.pass(WRITTEN_MS)
  for (const [index, group] of groups.entries()) {
    t.same((await w.start(group)).taken, [`acme/${index}`])
  }
  t.same((await w.start()).taken, [], 'another number')
  for (const group of groups) t.same((await w.start(group)).taken, [], 'the former number again')
})

t.test('a value that somebody else wrote names no table', async (t) => {
  for (const value of ['null', '{', '5', '{"count":1}', '{"count":1,"ids":{"0":"x"}}']) {
    const w = await restingWorld()
    w.current.value = value
    const second = await w.start()
    t.same(second.taken, [], value)
    second.rests.begin(w.rest('acme/a'))
    await second.rests.close()
    t.same((await w.start()).taken, ['acme/a'])
  }
})
