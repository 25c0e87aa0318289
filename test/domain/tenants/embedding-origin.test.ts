import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import {
  EMBEDDING_ORIGIN_PATTERN,
  isEmbeddingOrigin,
  MAXIMUM_EMBEDDING_ORIGINS,
} from '../../../domain/tenants/embedding-origin.ts'
import { TenantSpec } from '../../../domain/tenants/schema.ts'

const ORIGINS = [
  'https://app.example.com',
  'https://app.example.com:8443',
  'https://xn--zmlvy-9ua.example',
  'https://192.0.2.1',
  'https://intranet',
  'http://localhost:3000',
  'http://127.0.0.1',
  'http://[::1]:5173',
]
const OTHERS = [
  '',
  '*',
  'null',
  'https://*',
  'https://*.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://APP.example.com',
  'https://user@app.example.com',
  'https://app.example.com ',
  'https://app.example.com\n',
  "https://app.example.com; script-src 'unsafe-inline'",
  'https://a.example https://b.example',
  'https://a.example,https://b.example',
  'http://app.example.com',
  'http://localhost.example.com',
  'http://127.0.0.2',
  'https://-a.example',
  'https://a..example',
  'https://a.example:0',
  'https://a.example:',
  'ftp://a.example',
  "'self'",
  'data:',
]

t.test('an origin is https, or http on a loopback host, as browsers write it', async (t) => {
  for (const origin of ORIGINS) t.ok(isEmbeddingOrigin(origin), origin)
  for (const origin of OTHERS) t.notOk(isEmbeddingOrigin(origin), JSON.stringify(origin))
  const long = `https://${'a.'.repeat(200)}example`
  t.notOk(isEmbeddingOrigin(long), 'a name that is too long')
})

t.test('an origin that no browser writes would never match, so it is refused', async (t) => {
  for (const origin of [
    'https://a.example:443',
    'http://localhost:80',
    'https://a.example:65536',
    'https://1.2',
  ]) {
    t.match(origin, new RegExp(EMBEDDING_ORIGIN_PATTERN), 'the pattern alone accepts it')
    t.notOk(isEmbeddingOrigin(origin), origin)
  }
})

t.test('a tenant has a bounded list of them, and need not have any', async (t) => {
  const identity = { issuer: 'https://i.example', audience: 'a', claim: 'org', value: 'x' }
  const spec = (origins?: string[]) => ({
    namespace: 'acme',
    identity,
    ...(origins ? { embedding: { origins } } : {}),
  })
  t.ok(Value.Check(TenantSpec, spec()))
  t.ok(Value.Check(TenantSpec, spec(ORIGINS)))
  for (const origin of OTHERS) t.notOk(Value.Check(TenantSpec, spec([origin])), origin)
  const many = Array.from({ length: MAXIMUM_EMBEDDING_ORIGINS + 1 }, (_, n) => `https://a${n}.sk`)
  t.notOk(Value.Check(TenantSpec, spec(many)))
  t.ok(Value.Check(TenantSpec, spec(many.slice(1))))
})
