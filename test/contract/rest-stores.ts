/** The contracts of the ports that store which cases rest: tables, and a value to swap. */
import t from 'tap'
import type { ExpiringTables, Row } from '../../domain/ports/expiring-tables.ts'
import type { SwappedValue } from '../../domain/ports/swapped-value.ts'
import { until } from '../fixtures/until.ts'

const LONG_MS = 60_000
const SHORT_MS = 200
/** More than one step of reading. */
const MANY = 2_500

/** Reads a whole table. */
export async function readAll(tables: ExpiringTables, table: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const page of tables.read(table)) {
    for (const [name, value] of page) found.set(name, value)
  }
  return found
}

/** Contract of `ExpiringTables`. `open` opens an empty store. */
export function expiringTablesContract(name: string, open: () => Promise<ExpiringTables>): void {
  t.test(`${name}: rows are added, replaced and deleted`, async (t) => {
    const tables = await open()
    t.same(await readAll(tables, 'one'), new Map())
    await tables.write('one', [['a', '1'], ['b', '2']], LONG_MS) // prettier-ignore
    await tables.write('one', [['b', '3'], ['c', '']], LONG_MS) // prettier-ignore
    await tables.write('two', [['a', 'other']], LONG_MS)
    await tables.write('two', [], LONG_MS)
    await tables.delete('one', ['a', 'absent'])
    await tables.delete('one', [])
    await tables.delete('none', ['a'])
    t.same(await readAll(tables, 'one'), new Map([['b', '3'], ['c', '']])) // prettier-ignore
    t.same(await readAll(tables, 'two'), new Map([['a', 'other']]))
  })

  t.test(`${name}: a table with many rows is read whole`, async (t) => {
    const tables = await open()
    const rows = Array.from({ length: MANY }, (_, index): Row => [`name ${index}`, String(index)])
    await tables.write('many', rows, LONG_MS)
    t.same(await readAll(tables, 'many'), new Map(rows))
  })

  t.test(`${name}: a table expires as a whole, after its last write`, async (t) => {
    const tables = await open()
    await tables.write('one', [['a', '1']], LONG_MS)
    await tables.write('two', [['a', '1']], LONG_MS)
    await tables.write('two', [['b', '2']], SHORT_MS)
    await until(async () => (await readAll(tables, 'two')).size === 0)
    t.equal((await readAll(tables, 'two')).size, 0)
    t.equal((await readAll(tables, 'one')).size, 1)
  })

  t.test(`${name}: the life stays the same while nothing is lost`, async (t) => {
    const tables = await open()
    const life = await tables.life()
    await tables.write('one', [['a', '1']], LONG_MS)
    t.equal(await tables.life(), life)
  })
}

/** Contract of `SwappedValue`. `open` opens a value that was not written yet. */
export function swappedValueContract(name: string, open: () => Promise<SwappedValue>): void {
  t.test(`${name}: a value is replaced only as it was read`, async (t) => {
    const value = await open()
    const none = await value.read()
    t.same(none, { value: undefined, version: undefined })
    t.ok(await value.swap('one', none.version))
    t.notOk(await value.swap('two', none.version), 'it exists already')
    const one = await value.read()
    t.equal(one.value, 'one')
    t.ok(await value.swap('two', one.version))
    t.notOk(await value.swap('three', one.version), 'another writer was first')
    t.equal((await value.read()).value, 'two')
  })

  t.test(`${name}: of several writers at once, one succeeds`, async (t) => {
    const value = await open()
    for (const round of ['create', 'replace']) {
      const { version } = await value.read()
      const writers = Array.from({ length: 8 }, (_, index) =>
        value.swap(`${round} ${index}`, version),
      )
      const won = await Promise.all(writers)
      t.equal(won.filter(Boolean).length, 1, round)
      t.equal((await value.read()).value, `${round} ${won.indexOf(true)}`)
    }
  })
}
