/** Tables and partitions of the index of cases on a real PostgreSQL. */
import t, { type Test } from 'tap'
import { PostgresCaseIndex } from '../../../adapters/postgres/case-index.ts'
import { connectPostgres } from '../../../adapters/postgres/connect.ts'
import { createTables, monthOf } from '../../../adapters/postgres/schema.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { PostgresServer, withoutPostgres } from '../../fixtures/postgres-server.ts'
import { signatureCase } from '../../fixtures/signature-case.ts'

const NOW_MS = Date.parse('2026-11-20T00:00:00Z')
const PARTITIONS = `SELECT tableoid::regclass::text AS name FROM case_row`
const TABLES = `SELECT inhrelid::regclass::text AS name FROM pg_inherits
  WHERE inhparent = 'case_row'::regclass ORDER BY 1`
const needsPostgres = { skip: withoutPostgres }

const namesOf = (rows: Record<string, unknown>[]) => rows.map(({ name }) => name)

async function open(t: Test) {
  const server = await PostgresServer.start()
  t.teardown(() => server.close())
  const pool = connectPostgres({ url: server.url() }, () => undefined)
  t.teardown(() => pool.end())
  return { server, pool, index: new PostgresCaseIndex(pool) }
}

t.test('a month begins and ends in UTC', async (t) => {
  t.same(monthOf(Date.parse('2026-12-31T23:59:59.999Z')), {
    name: 'case_row_2026_12',
    fromMs: Date.parse('2026-12-01T00:00:00Z'),
    untilMs: Date.parse('2027-01-01T00:00:00Z'),
  })
  t.equal(monthOf(NOW_MS, 3).name, 'case_row_2027_02')
})

t.test('tables are made once, also by several processes at a time', needsPostgres, async (t) => {
  const { server, pool } = await open(t)
  const make = () => createTables(pool, { nowMs: NOW_MS }, (error) => t.fail(String(error)))
  await Promise.all([make(), make(), make()])
  const expected = ['2026_11', '2026_12', '2027_01', '2027_02', 'other']
  t.same(
    namesOf(await server.run(TABLES)),
    expected.map((month) => `case_row_${month}`),
  )
  await make()
  t.equal((await server.run(TABLES)).length, 5)
})

t.test('a row is in the partition of its month, or in the last one', needsPostgres, async (t) => {
  const { server, pool, index } = await open(t)
  const row = rowOf(signatureCase())!
  const at = (time: string) => ({ ...row, caseId: time, createdMs: Date.parse(time) })
  const [early, here, late] = ['2019-02-03', '2026-11-03', '2030-01-01'].map(at)
  await createTables(pool, { nowMs: NOW_MS, times: [early!.createdMs] }, () => undefined)
  await index.put([early!, here!, late!])
  t.same(namesOf(await server.run(`${PARTITIONS} ORDER BY created_ms`)), [
    'case_row_2019_02',
    'case_row_2026_11',
    'case_row_other',
  ])
  const inTime = createTables(pool, { nowMs: late!.createdMs }, () => undefined)
  await t.resolves(inTime, 'rows that came before their partition stay where they are')
  t.equal((await server.run(PARTITIONS)).length, 3)
})

t.test('without the extension for trigrams, the index works', needsPostgres, async (t) => {
  const { server, index } = await open(t)
  await server.run('CREATE ROLE owner LOGIN; CREATE SCHEMA own AUTHORIZATION owner')
  await server.run('ALTER ROLE owner SET search_path = own')
  const asOwner = connectPostgres({ url: server.url('postgres', 'owner') }, () => undefined)
  t.teardown(() => asOwner.end())
  const faults: unknown[] = []
  await createTables(asOwner, { nowMs: NOW_MS }, (error) => faults.push(error))
  t.match(faults, [{ code: '42501' }])
  const row = rowOf(signatureCase())!
  const own = new PostgresCaseIndex(asOwner)
  await own.put([row])
  const { tenant } = row
  const filter = { words: ['stastny'] }
  const found = await own.find({ tenant, filter, sort: 'ID', limit: 1, nowMs: NOW_MS })
  t.equal(found.length, 1)
  await t.rejects(index.find({ tenant, filter, sort: 'ID', limit: 1, nowMs: NOW_MS }))
})
