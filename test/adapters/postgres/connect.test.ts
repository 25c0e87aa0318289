/** Connections to PostgreSQL by TLS with a private authority. */
import t from 'tap'
import { connectPostgres } from '../../../adapters/postgres/connect.ts'
import { PostgresServer, withoutPostgres } from '../../fixtures/postgres-server.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

t.test('the certificate of the server is verified', { skip: withoutPostgres }, async (t) => {
  const identity = await tlsIdentity(['127.0.0.1'])
  const server = await PostgresServer.start(identity)
  t.teardown(() => server.close())
  const ask = async (url: string, authorities?: string) => {
    const pool = connectPostgres({ url, authorities }, () => undefined)
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    return pool
      .query<{ ssl: boolean }>(sql)
      .then(({ rows }) => rows[0]?.ssl)
      .finally(() => pool.end())
  }
  t.equal(await ask(server.url(), identity.authority), true)
  await t.rejects(ask(server.url()), 'a private authority is not trusted by itself')
  await t.rejects(ask(`${server.url()}?sslmode=no-verify`))
  const other = await tlsIdentity(['127.0.0.1'])
  await t.rejects(ask(server.url(), other.authority))
})
