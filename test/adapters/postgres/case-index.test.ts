/** The index of cases on a real PostgreSQL: the contract, rights, and a server that goes away. */
import t, { type Test } from 'tap'
import { PostgresCaseIndex, statementOf } from '../../../adapters/postgres/case-index.ts'
import { connectPostgres } from '../../../adapters/postgres/connect.ts'
import { createTables } from '../../../adapters/postgres/schema.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { CASE_SORTS, type CaseQuery } from '../../../domain/ports/case-index.ts'
import { caseIndexContract } from '../../contract/case-index.ts'
import { PostgresServer, withoutPostgres } from '../../fixtures/postgres-server.ts'
import { CASE_KEY, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const NOW_MS = Date.parse('2026-11-20T00:00:00Z')
const ALL: CaseQuery = { tenant: TENANT, filter: {}, sort: 'ID', limit: 9, nowMs: NOW_MS }

let server: PostgresServer | undefined
let databases = 0

async function openDatabase(t: Test, role?: string) {
  server ??= await PostgresServer.start()
  const name = `case_index_${++databases}`
  await server.run(`CREATE DATABASE ${name}`)
  const pool = connectPostgres({ url: server.url(name) }, () => undefined)
  await createTables(pool, { nowMs: NOW_MS }, (error) => t.fail(String(error)))
  if (role === undefined) {
    t.teardown(() => pool.end())
    return { server, name, pool, index: new PostgresCaseIndex(pool) }
  }
  await pool.end()
  const asRole = connectPostgres({ url: server.url(name, role) }, () => undefined)
  t.teardown(() => asRole.end())
  return { server, name, pool: asRole, index: new PostgresCaseIndex(asRole) }
}

if (withoutPostgres) {
  t.test('the index in PostgreSQL', { skip: withoutPostgres }, async () => undefined)
} else {
  t.teardown(() => server?.close())
  caseIndexContract('PostgresCaseIndex', async (t) => (await openDatabase(t)).index)

  t.test(
    'cases that have expired since are read by their index, not in order of time',
    async (t) => {
      const { pool } = await openDatabase(t)
      // One open case of ten; few of them have expired, and they are the oldest.
      await pool.query(
        `INSERT INTO case_row
        SELECT $1, 'case-' || n, $2::bigint - 1000000 + n,
          CASE n % 10 WHEN 0 THEN 'IN_PROGRESS' ELSE 'DONE' END,
          CASE n % 10 WHEN 0 THEN $2::bigint - 1000 + n END, 'text', n, false
        FROM generate_series(0, 19999) AS n`,
        [TENANT, NOW_MS],
      )
      await pool.query('VACUUM ANALYZE case_row')
      const filter = { phases: ['NEW', 'IN_PROGRESS', 'EXPIRED'] } as const
      for (const sort of CASE_SORTS) {
        const { sql, values } = statementOf({ ...ALL, filter, sort })
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        t.match(plan, /Index Cond: \(\(tenant = '[^']*'::text\) AND \(expires_at_ms <=/, sort)
      }
    },
  )

  t.test('a role that can only read and write rows is enough', async (t) => {
    server ??= await PostgresServer.start()
    await server.run('CREATE ROLE api LOGIN')
    const { index, name, pool } = await openDatabase(t, 'api')
    await server.run('GRANT SELECT, INSERT, UPDATE, DELETE ON case_row TO api', name)
    const row = rowOf(signatureCase())!
    await index.put([row])
    await index.put([{ ...row, version: 7 }])
    t.equal((await index.find(ALL)).length, 1)
    t.equal((await index.listLiving(9)).length, 1)
    await index.remove(CASE_KEY, 'any')
    t.same(await index.find(ALL), [])
    await t.rejects(pool.query('DROP TABLE case_row'), { code: '42501' })
    await t.rejects(
      createTables(pool, { nowMs: NOW_MS }, () => undefined),
      { code: '42501' },
    )
  })

  t.test('searches leave connections to writes', async (t) => {
    const { server, name, pool } = await openDatabase(t)
    const searches = connectPostgres({ url: server.url(name), connections: 2 }, () => undefined)
    t.teardown(() => searches.end())
    const index = new PostgresCaseIndex(pool, searches)
    const taken = [await searches.connect(), await searches.connect()]
    await t.rejects(index.find(ALL), /timeout/)
    await index.put([rowOf(signatureCase())!])
    t.equal((await index.listLiving(9)).length, 1)
    for (const client of taken) client.release()
    t.equal((await index.find(ALL)).length, 1)
  })

  t.test('a server that was away is used again, and one that is silent fails soon', async (t) => {
    const { server, index } = await openDatabase(t)
    const row = rowOf(signatureCase())!
    await index.put([row])
    await server.kill()
    await t.rejects(index.find(ALL))
    t.ok(await server.restart())
    t.equal((await index.find(ALL)).length, 1)
    const { pool } = await openDatabase(t)
    const pid = 'SELECT pg_backend_pid() AS pid'
    t.ok((await pool.query<{ pid: number }>(pid)).rows[0])
    await t.rejects(pool.query('SELECT pg_sleep(60)'), { code: '57014' })
  })
}
