import t from 'tap'
import { claimsOf, isForUs } from '../../../web/console/pkce.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

t.test('claims are read for display, and anything else has none', async (t) => {
  const claims = { name: 'Žofia Kôň?>', nonce: 'a' }
  t.same(claimsOf(`${encoded({})}.${encoded(claims)}.x`), claims)
  const values = ['null', '"text"', '5', '[1]'].map((text) => `a.${btoa(text)}.c`)
  for (const text of ['', 'opaque', 'a.b.c', '..', ...values]) t.same(claimsOf(text), {})
})

t.test('an ID token counts only from the provider, for this client and this request', async (t) => {
  const provider = {
    kind: 'provider',
    issuer: 'https://login.example',
    clientId: 'desk',
    scope: 'openid',
    token: 'access_token',
  } as const
  const good = { iss: provider.issuer, aud: 'desk', nonce: 'n' }
  const judge = (change: object) =>
    isForUs(`${encoded({})}.${encoded({ ...good, ...change })}.x`, provider, 'n')
  t.ok(judge({}))
  t.ok(judge({ aud: ['other', 'desk'], azp: 'desk' }))
  const others: object[] = [
    { iss: 'https://login.example.evil' },
    { iss: undefined },
    { aud: 'other' },
    { aud: [] },
    { aud: undefined },
    { aud: ['other', 'desk'], azp: 'other' },
    { nonce: 'm' },
    { nonce: undefined },
  ]
  for (const change of others) t.notOk(judge(change), JSON.stringify(change))
  for (const text of ['', 'opaque', 'a.b.c']) t.notOk(isForUs(text, provider, 'n'))
})
