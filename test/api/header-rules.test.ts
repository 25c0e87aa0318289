/** Requests that two servers could read in two ways, and paths that lead elsewhere. */
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { rawRequest } from '../e2e/raw-request.ts'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { builtPages } from '../fixtures/built-pages.ts'
import { CASE_ID } from '../fixtures/signature-case.ts'

const LIMIT_MS = 3_000
const EVIL = 'evil.example'

interface Place {
  api: TestApi
  url: string
  /** Header of the tenant that owns the case. */
  authorization: string
}

async function listening(t: Test, more: { pagesFolder?: string } = {}): Promise<Place> {
  const api = await testApi(t, more)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const authorization = `Authorization: Bearer ${await api.tenantToken()}`
  return { api, url: `http://127.0.0.1:${port}`, authorization }
}

const message = (line: string, headers: readonly string[], body = '') =>
  [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', body].join('\r\n')

/** What was received, answer by answer. */
async function answersTo(url: string, text: string): Promise<string[]> {
  const { received } = await rawRequest(url, [Buffer.from(text, 'latin1')], LIMIT_MS)
  return received.split(/(?=HTTP\/1\.1 \d{3} )/)
}

const HOST = 'Host: sign.example.com'
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const SMUGGLED = `DELETE /cases/${CASE_ID} HTTP/1.1\r\n${HOST}\r\n\r\n`

/** Name, headers beside the token, body; each is a POST that makes a case when it is read wrong. */
const TWO_WAYS: readonly (readonly [string, readonly string[], string])[] = [
  ['two lengths', ['Content-Length: 2', 'Content-Length: 9'], '{}'],
  ['one length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
  ['lengths in a list', ['Content-Length: 2, 2'], '{}'],
  ['a length with a sign', ['Content-Length: +2'], '{}'],
  ['a length in hex', ['Content-Length: 0x2'], '{}'],
  ['length and chunks', ['Content-Length: 4', CHUNKED], `2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
  ['an unknown coding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`],
  ['a coding below chunks', ['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ['chunks with a space', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
  ['chunks behind a tab', ['Transfer-Encoding:\x0bchunked'], '0\r\n\r\n'],
  ['a chunk of negative size', [CHUNKED], '-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of immense size', [CHUNKED], 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
  ['a chunk with a long extension', [CHUNKED], `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ['chunks with bare line feeds', [CHUNKED], '2\n{}\n0\n\n'],
  ['a folded header', ['X-Folded: a', ' b', 'Content-Length: 2'], '{}'],
  ['a header without a name', [': x', 'Content-Length: 2'], '{}'],
  ['a NUL in a header', ['X-Nul: a\0b', 'Content-Length: 2'], '{}'],
  ['a bare carriage return', ['X-Bare: a\rb', 'Content-Length: 2'], '{}'],
  ['two hosts', [`Host: ${EVIL}`, 'Content-Length: 2'], '{}'],
  ['two tokens', ['Authorization: Bearer x', 'Content-Length: 2'], '{}'],
  ['two media types', ['Content-Type: text/plain', 'Content-Length: 2'], '{}'],
]

t.test('a request has one answer, also when its body cannot be read', async (t) => {
  const { url, authorization } = await listening(t)
  for (const [line, headers] of [
    ['POST /nothing', []],
    ['PUT /cases', []],
    ['POST /cases', [authorization]],
    ['POST /cases', [authorization, authorization]],
  ] as const) {
    const answers = await answersTo(url, message(line, [HOST, CHUNKED, ...headers], 'zz\r\n'))
    t.equal(answers.length, 1, `${line} ${headers.length}`)
    t.match(answers[0], /^HTTP\/1\.1 4\d\d /, line)
  }
})

t.test('what cannot be read behind a request does not get into its answer', async (t) => {
  const { url, authorization } = await listening(t)
  const body = JSON.stringify({ query: 'subscription { caseChanged { caseId } }' })
  const headers = [HOST, authorization, JSON_TYPE, `Content-Length: ${body.length}`]
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(message('POST /graphql/stream', headers, body))
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    if (received === '') socket.write('NONSENSE\r\n\r\n')
    received += String(text)
  })
  await once(socket, 'close')
  t.match(received, /^HTTP\/1\.1 200 .*text\/event-stream/s)
  t.equal(received.match(/HTTP\/1\.1/g)?.length, 1)
})

t.test('a request that two servers could read in two ways is refused whole', async (t) => {
  const { api, url, authorization } = await listening(t)
  for (const [name, headers, body] of TWO_WAYS) {
    const text = message('POST /cases', [HOST, authorization, JSON_TYPE, ...headers], body)
    const answers = await answersTo(url, text)
    t.equal(answers.length, 1, `${name}: one answer`)
    t.match(answers[0], /^HTTP\/1\.1 400 /, name)
    t.match(answers[0], /cache-control: no-store/i, name)
    t.match(answers[0], /\r\n\r\n\{"message":"[^"]+"\}$/, name)
  }
  const other = message(`GET /cases/${CASE_ID}`, [HOST, 'Authorization: Bearer x', authorization])
  t.match((await answersTo(url, other))[0], /^HTTP\/1\.1 400 /, 'whichever token is first')
  t.match((await answersTo(url, message('GET /healthz', [])))[0], /^HTTP\/1\.1 400 .*message/s)
  t.equal((await api.stored())?.spec.cancellation, undefined, 'nothing was smuggled')
})

const METHOD_OVERRIDES = [
  'X-HTTP-Method-Override: DELETE',
  'X-HTTP-Method: DELETE',
  'X-Method-Override: DELETE',
]
const OTHER_PLACES = [
  `X-Original-URL: /cases/${CASE_ID}`,
  `X-Rewrite-URL: /cases/${CASE_ID}`,
  `X-Forwarded-Host: ${EVIL}`,
  'X-Forwarded-Proto: javascript',
  'X-Forwarded-Prefix: /evil',
  `Forwarded: for=203.0.113.9;host=${EVIL};proto=http`,
]

t.test('no header says what a request is but its first line', async (t) => {
  const { api, url, authorization } = await listening(t)
  const headers = [HOST, authorization, ...METHOD_OVERRIDES, ...OTHER_PLACES]
  const [read] = await answersTo(url, message(`GET /cases/${CASE_ID}`, headers))
  t.match(read, /^HTTP\/1\.1 200 /)
  t.match(read, 'https://sign.example.com/sign/', 'links lead to the configured address')
  t.notMatch(read, EVIL)
  const [health] = await answersTo(url, message('GET /healthz', headers))
  t.match(health, '{"status":"ok"}')
  const method = message(`POST /cases/${CASE_ID}?_method=DELETE`, [...headers, 'Content-Length: 0'])
  t.match((await answersTo(url, method))[0], /^HTTP\/1\.1 405 /)
  t.equal((await api.stored())?.spec.cancellation, undefined)
})

t.test('an absolute address asks this service, and no other', async (t) => {
  const { url, authorization } = await listening(t)
  const absolute = message(`GET http://${EVIL}/cases/${CASE_ID}`, [HOST, authorization])
  const [read] = await answersTo(url, absolute)
  t.match(read, /^HTTP\/1\.1 200 /)
  t.notMatch(read, EVIL)
  for (const line of [`CONNECT ${EVIL}:443`, `GET @${EVIL}/healthz`, `GET ${EVIL}:80`]) {
    const [answer] = await answersTo(url, message(line, [HOST, authorization]))
    t.match(answer, /^$|^HTTP\/1\.1 40[04] /, line)
  }
})

t.test('no other protocol is spoken, and no expectation holds a request up', async (t) => {
  const { url } = await listening(t)
  const upgrade = (protocol: string) => [HOST, 'Connection: Upgrade', `Upgrade: ${protocol}`]
  for (const protocol of ['h2c', 'websocket', 'TLS/1.0', 'HTTP/2.0']) {
    const text = `GET /healthz HTTP/1.1\r\n${upgrade(protocol).join('\r\n')}\r\n\r\n`
    const { received } = await rawRequest(url, [text], 200, true)
    t.match(received, /^HTTP\/1\.1 200 /, protocol)
  }
  // Node drops octets that come with such a request: a proxy must not wait for answers to them.
  const next = message('GET /healthz', [HOST])
  for (const line of ['GET /healthz', 'POST /verify', 'GET /nothing']) {
    const [name, value] = ['Connection: keep-alive, Upgrade', 'Upgrade: websocket']
    const text = `${line} HTTP/1.1\r\n${HOST}\r\n${name}\r\n${value}\r\n\r\n${next}`
    const { received, hungUpBy } = await rawRequest(url, [text], LIMIT_MS)
    t.match(received, /connection: close/i, line)
    t.equal(hungUpBy, 'server', line)
  }
  for (const text of ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc']) {
    t.match((await answersTo(url, text))[0], /^HTTP\/1\.1 400 /)
  }
  const [answer] = await answersTo(url, message('GET /healthz', [HOST, 'Expect: 200-maybe']))
  t.match(answer, /^HTTP\/1\.1 200 .*referrer-policy: no-referrer/s)
  const length = ['Expect: 100-continue', JSON_TYPE, 'Content-Length: 20000000']
  const [, refused] = await answersTo(url, message('POST /cases', [HOST, ...length]))
  t.match(refused, /^HTTP\/1\.1 401 /, 'before the body is sent')
})

const PATHS: readonly string[] = [
  `/cases/${CASE_ID}.`,
  `/cases/${CASE_ID};a=b`,
  `/cases/${CASE_ID}%00`,
  `/cases/${CASE_ID}%20`,
  `/cases/${CASE_ID}%0d%0aSet-Cookie:%20a=b`,
  `/cases/%2e%2e%2f${CASE_ID}`,
  `/cases/..%5c${CASE_ID}`,
  `/cases/x/../${CASE_ID}`,
  `/cases/./${CASE_ID}`,
  `/cases%2f${CASE_ID}`,
  `/cases%252f${CASE_ID}`,
  `//cases//${CASE_ID}`,
  `/cases/${CASE_ID}/`,
  `/CASES/${CASE_ID}`,
  `/cases/{${CASE_ID}}`,
  `/cases/${CASE_ID.replaceAll('-', '')}`,
  `/cases/urn:uuid:${CASE_ID}`,
  `/cases/${'a'.repeat(9_000)}`,
  '/cases/%',
  '/cases/%ff%fe',
  '/cases/__proto__',
  `//${EVIL}/docs`,
  '/%3Cscript%3Ealert(1)%3C/script%3E',
]

t.test('a path that is not spelt as a route leads nowhere, and is not repeated', async (t) => {
  const { url, authorization } = await listening(t)
  for (const path of PATHS) {
    const [answer] = await answersTo(url, message(`GET ${path}`, [HOST, authorization]))
    t.match(answer, /^HTTP\/1\.1 40[04] /, path)
    const isText = /content-type: text\/plain/.test(answer)
    t.match(answer, isText ? /Case not found$/ : /"code":"PATH_NOT_FOUND"/, path)
    t.notMatch(answer, /set-cookie|location:/i, path)
  }
})

t.test('pages are read from their own folder, and do not redirect elsewhere', async (t) => {
  const { url } = await listening(t, { pagesFolder: builtPages(t) })
  const up = ['../../../package.json', '..%2f..%2f..%2fpackage.json', '..\\..\\package.json']
  for (const path of [...up, '%2e%2e/%2e%2e/package.json', '%00', '....//package.json']) {
    for (const folder of ['assets', 'docs']) {
      const [answer] = await answersTo(url, message(`GET /${folder}/${path}`, [HOST]))
      t.match(answer, /^HTTP\/1\.1 404 /, `${folder}/${path}`)
      t.match(answer, '"code":"PATH_NOT_FOUND"', `${folder}/${path}`)
      t.notMatch(answer, '"dependencies"', path)
    }
  }
  for (const path of ['/assets/', `/assets/${'a'.repeat(300)}`]) {
    const [answer] = await answersTo(url, message(`GET ${path}`, [HOST]))
    t.match(answer, '"code":"PATH_NOT_FOUND"', path.slice(0, 20))
  }
  for (const path of ['/docs', '/docs/', '/docs/openapi.json']) {
    const [answer] = await answersTo(url, message(`GET ${path}`, [`Host: ${EVIL}`]))
    t.match(answer, /^HTTP\/1\.1 200 /, path)
    t.notMatch(answer, EVIL, path)
  }
})
