/** The bucket lets pages of one origin read and write, as its rules say, and no other page. */
import t from 'tap'
import { corsHeaders, preflight } from '../../../../dev/emulators/gcs/cors.ts'

const ORIGIN = 'https://sign.example'
const RULES = [
  {
    origin: [ORIGIN],
    method: ['GET', 'PUT'],
    responseHeader: ['Content-Type', 'Content-Range'],
    maxAgeSeconds: 3600,
  },
]

const request = (method: string, headers: Record<string, string>) => ({
  method,
  headers,
  url: new URL('http://127.0.0.1/bucket/object'),
  body: Buffer.alloc(0),
})

const asked = (origin: string, method: string, names: string) =>
  preflight(
    RULES,
    request('OPTIONS', {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': names,
    }),
  ).headers?.['access-control-allow-origin']

t.test('a page asks before it uploads', async (t) => {
  t.equal(asked(ORIGIN, 'PUT', 'content-type'), ORIGIN)
  t.equal(asked('https://other.example', 'PUT', 'content-type'), undefined)
  t.equal(asked(ORIGIN, 'DELETE', ''), undefined)
  t.equal(asked(ORIGIN, 'PUT', 'content-type, x-goog-acl'), undefined)
})

t.test('a page reads an answer with the names that the rule lists', async (t) => {
  const headers = corsHeaders(RULES, request('GET', { origin: ORIGIN }))
  t.equal(headers['access-control-allow-origin'], ORIGIN)
  t.match(headers['access-control-expose-headers'], 'Content-Range')
  t.same(corsHeaders(RULES, request('GET', { origin: 'null' })), {})
  t.same(corsHeaders(RULES, request('GET', {})), {}, 'no page')
})
