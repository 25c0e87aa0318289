import t from 'tap'
import { parsePostgresUrl } from '../../../runtime/config/postgres-url.ts'

t.test('the URL of one database is taken as it is', async (t) => {
  for (const url of [
    'postgres://db.example/sigcase',
    'postgresql://api:p%40ss@db.example:5433/sigcase?sslmode=disable',
    'postgres://[::1]/sigcase',
  ]) {
    t.equal(parsePostgresUrl(url), url)
  }
})

t.test('other URLs are refused', async (t) => {
  for (const url of [
    '',
    'sigcase',
    'mysql://db/sigcase',
    'postgres://db',
    'postgres://db/',
    'postgres://db/a/b',
    'postgres:///sigcase',
    'postgres://a,b/sigcase',
  ]) {
    t.equal(parsePostgresUrl(url), undefined, url)
  }
})
