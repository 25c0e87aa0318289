/** Removed bytes are overwritten in the file of a database and in its log. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { RemovedBytes } from '../../../adapters/embedded/removed-bytes.ts'
import { BUSY_TIMEOUT_MS, emptyLog, openDatabase } from '../../../adapters/embedded/sqlite.ts'
import { until } from '../../fixtures/until.ts'
import { watchCores } from '../../fixtures/busy.ts'

const NAME = 'Zdislava Kvapilíková'
/** Longer than a page, so that it is on pages of its own. */
const TEXT = NAME.repeat(1_000)
const SCHEMA = 'CREATE TABLE IF NOT EXISTS one (text TEXT NOT NULL) STRICT;'

const isIn = async (file: string) => (await readFile(file)).includes(NAME)

function opened(t: Test) {
  const file = join(t.testdir(), 'one.sqlite')
  const database = openDatabase(file, SCHEMA)
  t.teardown(() => database.close())
  return { file, log: `${file}-wal`, database }
}

/** Remembers what an operator would read. */
function remembered() {
  const reports: string[] = []
  const failed = (error: unknown) => void reports.push((error as Error).message)
  return { reports, faults: { failed, succeeded: () => void reports.push('succeeded') } }
}

t.test('what is removed disappears from the log and from the file', async (t) => {
  const { file, log, database } = opened(t)
  const isLeft = async () => (await isIn(log)) || isIn(file)
  database.prepare('INSERT INTO one VALUES (?), (?)').run(TEXT, NAME)
  t.ok(await isIn(log))
  const removed = new RemovedBytes(database, { afterMs: 5 })
  t.teardown(() => removed.close())
  await until(async () => !(await isIn(log)))
  database.exec('DELETE FROM one')
  t.ok(await isLeft())
  removed.overwriteSoon()
  await until(async () => !(await isLeft()))
  t.notOk(await isLeft())
})

t.test('a connection that reads puts it off, and holds up nobody', async (t) => {
  const { file, log, database } = opened(t)
  const isLeft = async () => (await isIn(log)) || isIn(file)
  const { reports, faults } = remembered()
  const removed = new RemovedBytes(database, { afterMs: 5, faults })
  t.teardown(() => removed.close())
  const reader = new DatabaseSync(file)
  t.teardown(() => reader.close())
  database.prepare('INSERT INTO one VALUES (?)').run(TEXT)
  reader.exec('BEGIN; SELECT * FROM one')
  database.exec('DELETE FROM one')
  removed.overwriteSoon()
  // Many of its tries; each would wait for seconds.
  const isBusy = watchCores()
  const startedMs = performance.now()
  await setTimeout(100)
  t.ok(performance.now() - startedMs < BUSY_TIMEOUT_MS || isBusy())
  t.ok(await isLeft())
  t.ok(reports.includes('another connection reads the database'))
  reader.exec('COMMIT')
  await until(async () => !(await isLeft()))
  t.notOk(await isLeft())
})

t.test('a failure ends nothing, is reported, and it is tried again', async (t) => {
  const { file, log, database } = opened(t)
  const isLeft = async () => (await isIn(log)) || isIn(file)
  const { reports, faults } = remembered()
  const removed = new RemovedBytes(database, { afterMs: 5, faults })
  t.teardown(() => removed.close())
  database.prepare('INSERT INTO one VALUES (?)').run(TEXT)
  // SQLite refuses a checkpoint within a transaction of the same connection.
  database.exec('BEGIN; DELETE FROM one')
  t.throws(() => emptyLog(database))
  removed.overwriteSoon()
  await until(() => reports.length > 0)
  t.match(reports, [/locked/])
  database.exec('COMMIT')
  await until(async () => !(await isLeft()))
  t.notOk(await isLeft())
  await until(() => reports.includes('succeeded'))
})

t.test('what a former version removed is overwritten once', async (t) => {
  const file = join(t.testdir(), 'one.sqlite')
  const former = new DatabaseSync(file)
  former.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`)
  former.prepare('INSERT INTO one VALUES (?)').run(TEXT)
  former.exec("DELETE FROM one; INSERT INTO one VALUES ('stays')")
  former.close()
  t.ok(await isIn(file))
  const database = openDatabase(file, SCHEMA)
  t.teardown(() => database.close())
  new RemovedBytes(database).close()
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  t.notOk(await isIn(file))
  t.match(database.prepare('SELECT text FROM one').get(), { text: 'stays' })
})

t.test('a former database that another process holds is rewritten later', async (t) => {
  const { file, database } = opened(t)
  const other = new DatabaseSync(file)
  t.teardown(() => other.close())
  other.exec("BEGIN IMMEDIATE; INSERT INTO one VALUES ('x')")
  database.exec('PRAGMA busy_timeout = 0')
  const { reports, faults } = remembered()
  const removed = new RemovedBytes(database, { afterMs: 5, rewriteAfterMs: 50, faults })
  t.teardown(() => removed.close())
  const version = () => database.prepare('PRAGMA user_version').get()?.user_version
  t.equal(version(), 0)
  await until(() => reports.length > 0)
  other.exec('COMMIT')
  await until(() => reports.includes('succeeded'))
  t.equal(version(), 1)
})
