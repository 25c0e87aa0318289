/** Transactions of the databases of one machine, also while the disk is full. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inTransaction, openDatabase } from '../../../adapters/embedded/sqlite.ts'

/** More than the pages that a database of this size may have. */
const TEXT = 'x'.repeat(100_000)

function opened(t: Test) {
  const schema = 'CREATE TABLE IF NOT EXISTS one (text TEXT NOT NULL) STRICT;'
  const database = openDatabase(join(t.testdir(), 'one.sqlite'), schema)
  t.teardown(() => database.close())
  const put = database.prepare('INSERT INTO one VALUES (?)')
  const count = () => database.prepare('SELECT count(*) AS rows FROM one').get()?.rows
  return { database, put, count }
}

t.test('a failure writes nothing and is passed on', (t) => {
  const { database, put, count } = opened(t)
  const failing = () =>
    inTransaction(database, () => {
      put.run('a')
      throw new Error('refused')
    })
  t.throws(failing, { message: 'refused' })
  t.equal(count(), 0)
  t.end()
})

t.test('a file that is damaged or no database is named', (t) => {
  const path = join(t.testdir(), 'one.sqlite')
  const schema = 'CREATE TABLE IF NOT EXISTS one (text TEXT NOT NULL) STRICT;'
  openDatabase(path, schema).close()
  const whole = readFileSync(path)
  const cut = whole.subarray(0, whole.length / 2)
  for (const bytes of [Buffer.alloc(4_000, 'no database'), cut]) {
    writeFileSync(path, bytes)
    t.throws(() => openDatabase(path, schema), { name: 'DamagedFileError', message: path })
  }
  t.throws(() => openDatabase(path.replace('one', 'other'), 'CREATE'), { name: 'Error' })
  t.end()
})

t.test('a full disk is the error, though SQLite has ended the transaction itself', (t) => {
  const { database, put, count } = opened(t)
  database.exec('PRAGMA max_page_count = 4')
  const growing = () =>
    inTransaction(database, () => {
      put.run('a')
      put.run(TEXT)
    })
  const cause = { message: 'database or disk is full' }
  t.throws(growing, { name: 'ServiceError', code: 'TIMEOUT', cause }, 'callers try again')
  t.equal(count(), 0)
  database.exec('PRAGMA max_page_count = 1000')
  growing()
  t.equal(count(), 2)
  t.end()
})
