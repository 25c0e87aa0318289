import t from 'tap'
import { isSameSecret } from '../../domain/same-secret.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

t.test('secrets are the same when all octets are', async (t) => {
  t.ok(isSameSecret(bytes('secret'), bytes('secret')))
  for (const other of ['Secret', 'secreT', 'secre', 'secrets', '']) {
    t.notOk(isSameSecret(bytes(other), bytes('secret')), other)
  }
})
