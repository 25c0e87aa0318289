/** Transactions that write objects are durable, and are finished after a kill. */
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { ASIDE_FOLDER } from '../../../../adapters/embedded/objects/large-files.ts'
import { ObjectRows, openObjectDatabase } from '../../../../adapters/embedded/objects/rows.ts'
import {
  faultOf,
  ObjectTransactions,
  type Put,
  type Write,
} from '../../../../adapters/embedded/objects/transactions.ts'

const FILE = 'large/2026-11-24/of-a'

function openTransactions(t: Test) {
  const folder = t.testdir()
  const database = openObjectDatabase(folder)
  t.teardown(() => database.close())
  const rows = new ObjectRows(database)
  const aside = join(folder, ASIDE_FOLDER, 'of-a')
  mkdirSync(dirname(aside))
  return { folder, database, rows, aside, transactions: new ObjectTransactions(folder, database) }
}

function put(key: string, file: string | null = null): Put {
  const bytes = file === null ? new Uint8Array(3) : null
  const described = { size: 3, contentType: 'text/plain', generation: `of-${key}`, updatedMs: 0 }
  return { kind: 'put', object: { key, ...described, bytes, file }, current: 'absent' }
}

const putLater = (key: string, file?: string): Put => ({ ...put(key, file), durability: 'later' })

t.test('a commit returns after the log was synchronised with the disk', async (t) => {
  const { database, transactions, aside } = openTransactions(t)
  const NORMAL = 1
  const FULL = 2
  const level = () => database.prepare('PRAGMA synchronous').get()?.synchronous
  t.equal(level(), FULL)
  t.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
  writeFileSync(aside, 'bytes')
  const cases: [Write[], number][] = [
    [[putLater('a'), putLater('b')], NORMAL],
    [[putLater('c'), put('d')], FULL],
    [[putLater('e')], NORMAL],
    [[{ kind: 'delete', key: 'e' }], FULL],
    // The file is moved right after the commit.
    [[putLater('f', FILE)], FULL],
    [[putLater('g')], NORMAL],
    // The file of the former row is removed right after the commit.
    [[{ ...putLater('f'), current: 'any' }], FULL],
  ]
  for (const [writes, expected] of cases) {
    const outcomes = transactions.commit(writes)
    t.ok(outcomes.every((outcome) => 'isDone' in outcome && outcome.isDone))
    t.equal(level(), expected, JSON.stringify(writes))
  }
})

t.test('a write that fails does not prevent those of the same transaction', async (t) => {
  const { database, rows, transactions } = openTransactions(t)
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON object WHEN NEW.key = 'b'
    BEGIN SELECT RAISE(ABORT, 'broken'); END;`)
  const outcomes = transactions.commit([put('a'), put('b'), put('c'), put('a')])
  t.match(outcomes, [{ isDone: true }, { error: /broken/ }, { isDone: true }, { isDone: false }])
  t.same(
    rows.list('', { limit: 9 }).map(({ key }) => key),
    ['a', 'c'],
  )
})

t.test('a full disk refuses an object, and callers may try again', async (t) => {
  const { database, rows, transactions } = openTransactions(t)
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count)
  database.exec(`PRAGMA max_page_count = ${pages + 2}`)
  const { object } = put('a')
  const large: Put = { ...put('a'), object: { ...object, bytes: new Uint8Array(100_000) } }
  const [refused, done] = transactions.commit([large, put('b')])
  t.match(refused, { error: /disk is full/, isDiskFull: true })
  t.match(done, { isDone: true }, 'a small one still fits')
  t.equal(rows.find('a'), undefined)
  // Between threads an error keeps only its message.
  const answer = structuredClone(refused) as { error: unknown; isDiskFull: true }
  t.match(faultOf(answer), { name: 'ServiceError', code: 'TIMEOUT', cause: /disk is full/ })
  t.match(faultOf({ error: new Error('broken') }), { name: 'Error', message: 'broken' })
})

t.test('a file is moved after the commit, also when the process was killed before', async (t) => {
  const { folder, transactions, aside, database } = openTransactions(t)
  writeFileSync(aside, 'bytes')
  t.same(transactions.commit([put('a', FILE)]), [{ isDone: true }])
  t.ok(existsSync(join(folder, FILE)))
  renameSync(join(folder, FILE), aside)
  new ObjectTransactions(folder, database).finish()
  t.ok(existsSync(join(folder, FILE)))
  t.same(database.prepare('SELECT * FROM unfinished').all(), [])
})

t.test('a file is removed after the commit, also when the process was killed before', async (t) => {
  const { folder, transactions, aside, database } = openTransactions(t)
  writeFileSync(aside, 'bytes')
  transactions.commit([put('a', FILE)])
  transactions.tidy()
  transactions.commit([{ kind: 'delete', key: 'a' }])
  t.notOk(existsSync(join(folder, FILE)))
  writeFileSync(join(folder, FILE), 'bytes')
  new ObjectTransactions(folder, database).finish()
  t.notOk(existsSync(join(folder, FILE)))
  t.same(database.prepare('SELECT * FROM unfinished').all(), [])
})

t.test('a deletion fails while its file cannot be removed, and is tried again', async (t) => {
  const { folder, transactions } = openTransactions(t)
  // A folder with an entry instead of a file.
  mkdirSync(join(folder, FILE, 'entry'), { recursive: true })
  transactions.commit([put('a', FILE)])
  t.match(transactions.commit([{ kind: 'delete', key: 'a' }]), [{ error: Error }])
  renameSync(join(folder, FILE, 'entry'), join(folder, 'entry'))
  renameSync(join(folder, FILE), join(folder, 'empty'))
  writeFileSync(join(folder, FILE), 'bytes')
  t.same(transactions.commit([put('b')]), [{ isDone: true }])
  t.notOk(existsSync(join(folder, FILE)))
})

t.test('removed bytes leave the log once no other connection uses it', async (t) => {
  const { folder, database, transactions } = openTransactions(t)
  database.exec('PRAGMA busy_timeout = 0')
  transactions.commit([put('a'), put('b')])
  const reader = openObjectDatabase(folder)
  t.teardown(() => reader.close())
  reader.exec('BEGIN; SELECT * FROM object')
  transactions.commit([{ kind: 'delete', key: 'a' }])
  transactions.tidy()
  t.ok(transactions.isUntidy)
  reader.exec('COMMIT')
  transactions.tidy()
  t.notOk(transactions.isUntidy)
  const log = join(folder, 'objects.sqlite-wal')
  t.equal(statSync(log).size, 0)
  transactions.commit([{ kind: 'delete', key: 'b' }])
  t.ok(statSync(log).size > 0)
  new ObjectTransactions(folder, database).finish()
  t.equal(statSync(log).size, 0, 'the next start does what a killed process did not')
})
