import t from 'tap'
import { claimsOf } from '../../../web/console/pkce.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

t.test('claims are read for display, and anything else has none', async (t) => {
  const claims = { name: 'Žofia Kôň?>', nonce: 'a' }
  t.same(claimsOf(`${encoded({})}.${encoded(claims)}.x`), claims)
  for (const text of ['', 'opaque', 'a.b.c', '..']) t.same(claimsOf(text), {})
})
