/** The check of the index of cases on a real PostgreSQL. */
import t from 'tap'
import { connectPostgres } from '../../../adapters/postgres/connect.ts'
import { createTables } from '../../../adapters/postgres/schema.ts'
import { indexCheck } from '../../../cli/doctor/case-index.ts'
import { PostgresServer, withoutPostgres } from '../../fixtures/postgres-server.ts'

t.test('a missing table and missing rights are named', { skip: withoutPostgres }, async (t) => {
  const server = await PostgresServer.start()
  t.teardown(() => server.close())
  await server.run('CREATE ROLE api LOGIN')
  const ask = (role: string) => indexCheck({ url: server.url('postgres', role) }).ask()
  t.match(await ask('postgres'), { outcome: 'failed', detail: 'there is no table' })
  const pool = connectPostgres({ url: server.url() }, () => undefined)
  await createTables(pool, { nowMs: Date.now() }, () => undefined)
  await pool.end()
  t.match(await ask('postgres'), { outcome: 'ok' })
  await server.run('GRANT SELECT, INSERT, UPDATE ON case_row TO api')
  t.match(await ask('api'), { outcome: 'failed', remedy: /grant .*DELETE/ })
  await server.run('GRANT DELETE ON case_row TO api')
  t.match(await ask('api'), { outcome: 'ok' })
  await server.kill()
  await t.rejects(ask('api'))
})
