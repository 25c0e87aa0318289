import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SqliteSecretStore } from '../../../adapters/embedded/secret-store.ts'
import { secretStoreContract } from '../../contract/secret-store.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

const now = () => new Date()

secretStoreContract('SqliteSecretStore', async (t) => {
  const store = new SqliteSecretStore(join(t.testdir(), 'secrets.sqlite'), now)
  t.teardown(() => store.close())
  return store
})

t.test('only the owner of the service reads the secrets', async (t) => {
  const folder = t.testdir()
  const store = new SqliteSecretStore(join(folder, 'secrets.sqlite'), now)
  t.teardown(() => store.close())
  await store.create(CASE_KEY, { clientSecret: 's3cret' })
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
  t.ok(modes.length > 1, 'the log is a file of its own')
  t.same(new Set(modes), new Set([0o600]))
})
