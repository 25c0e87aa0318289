import t from 'tap'
import { isWithoutTls } from '../../domain/postgres-url.ts'

t.test('TLS is left out only when the URL says so', async (t) => {
  t.ok(isWithoutTls('postgres://h/d?sslmode=disable'))
  for (const query of ['', '?sslmode=prefer', '?sslmode=allow', '?ssl=false']) {
    t.notOk(isWithoutTls(`postgres://h/d${query}`))
  }
})
