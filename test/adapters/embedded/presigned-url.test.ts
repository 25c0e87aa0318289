/** A URL grants what it was made for, until the moment at which it expires. */
import { join } from 'node:path'
import t from 'tap'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { presignedUrl, readPresigned } from '../../../adapters/embedded/presigned-url.ts'

const EXPIRES_AT = new Date('2026-11-02T12:00:00Z')
const KEY = 'out/doc'

t.test('a URL is good until the moment at which it expires', async (t) => {
  const keyring = openWholeKeyring(join(t.testdir(), 'keyring'))
  const url = presignedUrl('http://127.0.0.1', keyring, {
    method: 'GET',
    key: KEY,
    expiresAt: EXPIRES_AT,
  })
  const query = new URL(url).searchParams
  const read = (beforeMs: number, method = 'GET') =>
    readPresigned(keyring, {
      method,
      key: KEY,
      query,
      now: new Date(EXPIRES_AT.getTime() - beforeMs),
    })
  t.match(read(1), { method: 'GET', key: KEY })
  t.match(read(1, 'HEAD'), { method: 'GET' })
  t.equal(read(0), undefined)
  t.equal(read(1, 'PUT'), undefined)
  t.equal(read(1, 'DELETE'), undefined)
})
