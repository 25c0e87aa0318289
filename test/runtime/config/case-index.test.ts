/** Which PostgreSQL has the index of cases, and what is refused before a process starts. */
import { join } from 'node:path'
import t from 'tap'
import { readIndex } from '../../../runtime/config/case-index.ts'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

function read(environment: Environment) {
  const reader = new EnvironmentReader(environment)
  const value = readIndex(reader)
  return { value, faults: reader.faults }
}

t.test('without a URL there is no index', async (t) => {
  t.same(read({}), { value: undefined, faults: [] })
})

t.test('a URL may have a password, which no message repeats', async (t) => {
  const url = 'postgres://api:opensesame@db.example/sigcase'
  t.same(read({ INDEX_URL: url }), { value: { url }, faults: [] })
  const { faults } = read({ INDEX_URL: 'mysql://api:opensesame@db.example/sigcase' })
  t.match(faults, [/^INDEX_URL: it is not a postgres URL with a host and a database$/])
  t.notMatch(faults[0], 'opensesame')
})

t.test('a private authority needs a URL and TLS', async (t) => {
  const { authority } = await tlsIdentity(['db.example'])
  const INDEX_CA_FILE = join(t.testdir({ 'ca.pem': authority }), 'ca.pem')
  const url = 'postgres://db.example/sigcase'
  t.same(read({ INDEX_URL: url, INDEX_CA_FILE }), {
    value: { url, authorities: authority },
    faults: [],
  })
  t.match(read({ INDEX_CA_FILE }).faults, [/^INDEX_CA_FILE: INDEX_URL is required with it$/])
  const plain = read({ INDEX_URL: `${url}?sslmode=disable`, INDEX_CA_FILE })
  t.match(plain.faults, [/^INDEX_CA_FILE: INDEX_URL has sslmode=disable/])
})
