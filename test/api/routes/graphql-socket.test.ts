/** Changed cases of a tenant over WebSockets, from every process of the API. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { ExecutionResult } from 'graphql-ws'
import { mintTenantToken } from '../../../adapters/jose/local-identity.ts'
import { buildApi } from '../../../api/app.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { MAXIMUM_STREAMS_PER_TENANT } from '../../../api/graphql/case-updates.ts'
import { HEARTBEAT_MS, LONGEST_STREAM_MS } from '../../../api/graphql/event-stream.ts'
import { EVENT_GAP_MS } from '../../../api/graphql/update-source.ts'
import { publishUpdate } from '../../../application/cases/publish-updates.ts'
import { BASE_URL, testApi, type TestApi } from '../../fixtures/api.ts'
import {
  libraryClient,
  openSocket,
  passHeartbeat,
  RawSocket,
  tenantSocket,
} from '../../fixtures/graphql-socket.ts'
import { listen, until } from '../../fixtures/kiosk.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { CASE_ID, keyring, TENANT } from '../../fixtures/signature-case.ts'

t.setTimeout(240_000)

const QUERY = 'subscription { caseChanged { caseId case { title status } } }'
const OF_CASE = 'subscription ($id: ID) { caseChanged(caseId: $id) { caseId case { title } } }'
const OTHER_ID = CASE_ID.replace(/^./, (digit) => (digit === '1' ? '2' : '1'))

const publish = (api: TestApi, caseId = CASE_ID, tenant = TENANT) =>
  publishUpdate(api.ephemeral, { tenant, caseId })

async function open(t: Test, more: Partial<ApiDeps> = {}) {
  const metrics = new RecordingMetrics()
  const api = await testApi(t, { metrics, ...more })
  api.seed({ phase: 'IN_PROGRESS' })
  const count = (name: 'streams' | 'sockets') => metrics.values.get(`sigcase_graphql_${name}`)
  return { api, base: await listen(api), count, metrics }
}

/** Lines of the log with the text. */
const linesOf = (api: TestApi, message: string) =>
  api.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)

t.test('the client of the library receives changes of its tenant, of every process', async (t) => {
  const { api, base, count } = await open(t)
  const second = await buildApi(api.deps)
  t.teardown(() => second.close())
  await second.listen({ port: 0, host: '127.0.0.1' })
  const other = `http://127.0.0.1:${(second.server.address() as AddressInfo).port}`
  const results: ExecutionResult[][] = [[], [], []]
  for (const [index, address, tenant] of [
    [0, base, TENANT],
    [1, other, TENANT],
    [2, base, 'other'],
  ] as const) {
    const { client } = await libraryClient(t, api, address, tenant)
    const sink = {
      next: (result: ExecutionResult) => void results[index]?.push(result),
      error: (error: unknown) => t.fail(String(error)),
      complete: () => undefined,
    }
    client.subscribe({ query: QUERY }, sink)
  }
  await until('all streams', () => count('streams') === 1 || count('streams') === 2)
  await until('the changes', () => {
    if (!results[0]?.length || !results[1]?.length) publish(api)
    return Boolean(results[0]?.length && results[1]?.length)
  })
  for (const index of [0, 1]) {
    t.match(results[index]?.[0]?.data, {
      caseChanged: { caseId: CASE_ID, case: { title: 'Zmluva o dielo', status: 'IN_PROGRESS' } },
    })
  }
  t.same(results[2], [], 'another tenant is not notified')
})

t.test('a case of another tenant is never seen, even by its id', async (t) => {
  const { api, base, count } = await open(t)
  const stranger = await tenantSocket(t, api, base, 'other')
  stranger.subscribe('a', OF_CASE, { id: CASE_ID })
  await until('the stream', () => count('streams') === 1)
  publish(api)
  publish(api, CASE_ID, 'other')
  await until('an event', () => stranger.of('next').length === 1)
  t.same(stranger.of('next')[0]?.payload, {
    data: { caseChanged: { caseId: CASE_ID, case: null } },
  })
})

t.test('a stream of one case is silent about others, and ends by complete', async (t) => {
  const { api, base, count } = await open(t)
  const socket = await tenantSocket(t, api, base)
  socket.subscribe('a', OF_CASE, { id: CASE_ID })
  await until('the stream', () => count('streams') === 1)
  publish(api, OTHER_ID)
  publish(api)
  await until('the change', () => socket.of('next').length === 1)
  t.match(socket.of('next')[0], {
    id: 'a',
    payload: { data: { caseChanged: { caseId: CASE_ID } } },
  })
  socket.send({ type: 'complete', id: 'a' })
  await until('the end', () => count('streams') === 0)
  publish(api)
  await api.timers.moveTo(api.timers.nowMs() + EVENT_GAP_MS)
  t.equal(socket.of('next').length, 1)
})

t.test('a socket needs a valid token in its first message', async (t) => {
  const { api, base } = await open(t)
  const good = await api.tenantToken()
  const late = await mintTenantToken(keyring, TENANT, api.timers.now(), -1)
  for (const [payload, code] of [
    [undefined, 4401],
    [{}, 4401],
    [{ authorization: good }, 4401],
    [{ authorization: 7 }, 4401],
    [{ authorization: 'Bearer forged' }, 4401],
    [{ authorization: `Bearer ${late}` }, 4401],
    [{ authorization: `Bearer ${good}`, Authorization: `Bearer ${good}` }, 4401],
  ] as const) {
    const socket = await openSocket(t, base)
    socket.send({ type: 'connection_init', payload })
    t.equal(await socket.closed(), code, JSON.stringify(payload)?.slice(0, 40))
    t.same(socket.messages, [])
  }
  const browser = await openSocket(t, base)
  browser.send({ type: 'connection_init', payload: { Authorization: `Bearer ${good}` } })
  await until('connection_ack', () => browser.of('connection_ack').length === 1)
})

t.test('a token in a header or in the address does not count', async (t) => {
  const { api, base } = await open(t)
  const authorization = `Bearer ${await api.tenantToken()}`
  const socket = await openSocket(t, base, { headers: { authorization } })
  socket.subscribe('a', QUERY)
  t.equal(await socket.closed(), 4401, 'before connection_init')
  const byHeader = await openSocket(t, base, { headers: { authorization } })
  byHeader.send({ type: 'connection_init' })
  t.equal(await byHeader.closed(), 4401)
  t.notMatch(api.log.join(''), authorization.slice(7), 'no token in the log')
})

t.test('a token without a tenant is forbidden', async (t) => {
  const { base } = await open(t, {
    identity: { authenticate: async () => ({ outcome: 'no-tenant' }) },
  })
  const socket = await openSocket(t, base)
  socket.send({ type: 'connection_init', payload: { authorization: 'Bearer x' } })
  t.equal(await socket.closed(), 4403)
})

t.test('a socket without connection_init is closed', async (t) => {
  const { base, count } = await open(t)
  const socket = await openSocket(t, base)
  t.equal(count('sockets'), 1)
  t.equal(await socket.closed(), 4408)
  await until('its place', () => count('sockets') === 0)
})

t.test('messages that the protocol does not allow close the socket', async (t) => {
  const { api, base, count, metrics } = await open(t)
  const authorization = `Bearer ${await api.tenantToken()}`
  const cases: Record<string, [number, (socket: RawSocket) => void]> = {
    'a second connection_init': [
      4429,
      (socket) => socket.send({ type: 'connection_init', payload: { authorization } }),
    ],
    'invalid JSON': [4400, (socket) => socket.ws.send('{')],
    'another type': [4400, (socket) => socket.send({ type: 'start' })],
    'a subscribe without an id': [
      4400,
      (socket) => socket.send({ type: 'subscribe', payload: { query: QUERY } }),
    ],
    'a binary frame': [
      4400,
      (socket) => socket.ws.send(Buffer.from('{"type":"ping"}'), { binary: true }),
    ],
    'a message of the server': [4400, (socket) => socket.send({ type: 'connection_ack' })],
    'a huge message': [1009, (socket) => socket.ws.send('x'.repeat(64 * 1024 + 1))],
    'many fragments': [
      1008,
      ({ ws }) => {
        for (let count = 0; count < 100; count++) ws.send(' ', { fin: false })
      },
    ],
    'text that is not UTF-8': [1007, ({ ws }) => ws.send(Buffer.from([0xff]), { binary: false })],
    'a second subscription of one id': [
      4409,
      (socket) => {
        socket.subscribe('a', QUERY)
        socket.subscribe('a', QUERY)
      },
    ],
  }
  for (const [name, [code, act]] of Object.entries(cases)) {
    const socket = await tenantSocket(t, api, base)
    act(socket)
    t.equal(await socket.closed(), code, name)
  }
  await until('all places', () => count('sockets') === 0 && count('streams') === 0)
  t.same(linesOf(api, 'unexpected failure'), [])
  const closed = linesOf(api, 'WebSocket closed')
  t.equal(closed.length, Object.keys(cases).length)
  t.match(closed[0], { closeCode: 4429, tenant: TENANT, route: '/graphql', ip: '127.0.0.1' })
  const labels = '{method="GET",route="/graphql",status="1xx"}'
  t.equal(metrics.of('sigcase_http_requests_total')[labels], Object.keys(cases).length)
})

t.test('a socket without the protocol is closed', async (t) => {
  const { base } = await open(t)
  for (const protocols of [[], ['graphql-ws']]) {
    const socket = new RawSocket(base, {}, protocols)
    t.teardown(() => socket.ws.terminate())
    await until('the refusal', () => socket.closeCode !== undefined)
    t.not(socket.closeCode, 1000)
  }
})

t.test('what is not a subscription of the schema is refused, and the socket stays', async (t) => {
  const { api, base, count } = await open(t)
  const socket = await tenantSocket(t, api, base)
  const refused = {
    query: '{ cases { nextCursor } }',
    syntax: 'subscription {',
    unknown: 'subscription { nothing }',
    two: 'subscription { caseChanged { caseId } b: caseChanged { caseId } }',
    wide: `subscription { caseChanged { ${'caseId '.repeat(501)} } }`,
    long: `subscription { caseChanged { caseId } } # ${'x'.repeat(5_000)}`,
  }
  for (const [id, query] of Object.entries(refused)) socket.subscribe(id, query)
  await until('all refusals', () => socket.of('error').length === Object.keys(refused).length)
  t.same(
    socket
      .of('error')
      .map(({ id }) => id)
      .toSorted(),
    Object.keys(refused).toSorted(),
  )
  const [query] = socket.of('error').filter(({ id }) => id === 'query')
  t.match(query?.payload, [{ message: /POST \/graphql takes queries/ }])
  t.equal(count('streams'), 0)
  socket.subscribe('good', QUERY)
  await until('the stream', () => count('streams') === 1)
})

t.test('the streams of a tenant are limited over all its sockets', async (t) => {
  const { api, base, count } = await open(t)
  const sockets = [await tenantSocket(t, api, base), await tenantSocket(t, api, base)]
  for (let number = 0; number < MAXIMUM_STREAMS_PER_TENANT; number++) {
    sockets[number % 2]?.subscribe(`s${number}`, QUERY)
  }
  await until('all streams', () => count('streams') === MAXIMUM_STREAMS_PER_TENANT)
  sockets[0]?.subscribe('more', QUERY)
  await until('the refusal', () => sockets[0]?.of('error').length === 1)
  t.match(sockets[0]?.of('error')[0], {
    id: 'more',
    payload: [{ message: 'Too many requests', extensions: { retryAfterSeconds: 30 } }],
  })
  sockets[1]?.ws.terminate()
  await until('their end', () => count('streams') === MAXIMUM_STREAMS_PER_TENANT / 2)
  sockets[0]?.subscribe('again', QUERY)
  await until('another', () => count('streams') === MAXIMUM_STREAMS_PER_TENANT / 2 + 1)
  t.same(linesOf(api, 'unexpected failure'), [])
})

t.test('ten thousand subscriptions close the socket, and only this one', async (t) => {
  const { api, base, count } = await open(t)
  const other = await tenantSocket(t, api, base, 'other')
  const socket = await tenantSocket(t, api, base)
  for (let number = 0; number < 10_000; number++) socket.subscribe(`s${number}`, QUERY)
  t.equal(await socket.closed(), 1008)
  await until('the end of its streams', () => count('streams') === 0)
  t.ok(socket.messages.length <= 1_000, `${socket.messages.length} answers`)
  other.subscribe('a', QUERY)
  await until('the stream of the other', () => count('streams') === 1)
})

t.test('the sockets of a tenant and requests of a tenant are limited', async (t) => {
  const { api, base, count } = await open(t)
  for (let number = 0; number < MAXIMUM_STREAMS_PER_TENANT; number++) {
    await tenantSocket(t, api, base)
  }
  const authorization = `Bearer ${await api.tenantToken()}`
  const more = await openSocket(t, base)
  more.send({ type: 'connection_init', payload: { authorization } })
  t.equal(await more.closed(), 1013)
  await tenantSocket(t, api, base, 'other')
  await until('the places', () => count('sockets') === MAXIMUM_STREAMS_PER_TENANT + 1)
})

t.test('each socket and each subscription counts as a request of the tenant', async (t) => {
  const { api, base, count } = await open(t, { requestsPerMinute: { public: 2, tenant: 2 } })
  const socket = await tenantSocket(t, api, base)
  socket.subscribe('a', QUERY)
  await until('the stream', () => count('streams') === 1)
  socket.subscribe('b', QUERY)
  await until('the refusal', () => socket.of('error').length === 1)
  t.match(socket.of('error')[0], { id: 'b', payload: [{ message: 'Too many requests' }] })
  for (const code of [4401, 4401, 1013]) {
    const guess = await openSocket(t, base)
    guess.send({ type: 'connection_init', payload: { authorization: 'Bearer guess' } })
    t.equal(await guess.closed(), code, 'guesses count for the address')
  }
})

t.test('after five minutes a socket connects again, or needs another token', async (t) => {
  const { api, base, count } = await open(t)
  const { client, closes, sockets } = await libraryClient(t, api, base)
  const errors: unknown[] = []
  client.subscribe(
    { query: QUERY },
    { next: () => undefined, error: (error) => errors.push(error), complete: () => undefined },
  )
  const lifeSeconds = LONGEST_STREAM_MS / 2_000
  const short = await mintTenantToken(keyring, TENANT, api.timers.now(), lifeSeconds)
  const socket = await openSocket(t, base)
  socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${short}` } })
  await until('both', () => count('streams') === 1 && socket.of('connection_ack').length === 1)
  const beats = LONGEST_STREAM_MS / HEARTBEAT_MS
  for (let beat = 1; beat < beats; beat++) await passHeartbeat(api, [socket.ws, ...sockets])
  t.same([socket.closeCode, closes], [undefined, []], 'both live until then')
  await api.timers.moveTo(api.timers.nowMs() + HEARTBEAT_MS)
  t.equal(await socket.closed(), 4401, 'the token has expired')
  await until('the first end', () => closes.length === 1)
  t.equal(closes[0]?.code, 1001)
  await until('the second socket', () => sockets.length === 2 && count('streams') === 1)
  t.same(errors, [])
})

t.test('a client that answers no ping is disconnected', async (t) => {
  const { api, base, count } = await open(t)
  const deaf = await tenantSocket(t, api, base)
  const socket = await tenantSocket(t, api, base)
  deaf.subscribe('a', QUERY)
  await until('the stream', () => count('streams') === 1)
  deaf.ws.pause()
  await passHeartbeat(api, [socket.ws])
  await passHeartbeat(api, [socket.ws])
  await until('the end of one', () => count('sockets') === 1 && count('streams') === 0)
  t.equal(socket.closeCode, undefined)
})

t.test('a page of another site cannot open a socket', async (t) => {
  const { api, base } = await open(t)
  for (const origin of ['https://evil.example', 'null', 'https://sign.example.com.evil.example']) {
    const socket = new RawSocket(base, { origin })
    await until('the refusal', () => socket.status !== undefined)
    t.equal(socket.status, 403, origin)
  }
  for (const origin of [BASE_URL, base]) await openSocket(t, base, { origin })
  t.match(linesOf(api, 'answered')[0], { statusCode: 403 })
})

t.test('other paths and protocols are answered as if no upgrade was asked for', async (t) => {
  const { base } = await open(t)
  const ask = (path: string, upgrade: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade }
      request(`${base}${path}`, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
  t.equal(await ask('/healthz', 'websocket'), 200)
  t.equal(await ask('/nothing', 'websocket'), 404)
  t.equal(await ask('/graphql', 'h2c'), 426)
  t.equal(await ask('/graphql', 'websocket'), 400, 'without a key')
  const plain = await fetch(`${base}/graphql`)
  t.equal(plain.status, 426)
  t.equal(plain.headers.get('upgrade'), 'websocket')
  t.match(await plain.json(), { message: /WebSocket/ })
  const head = await fetch(`${base}/graphql`, { method: 'HEAD' })
  t.same([head.status, head.headers.get('upgrade')], [426, 'websocket'])
})

t.test('a handshake that breaks the protocol has an answer, a log line and a count', async (t) => {
  const { api, base, metrics } = await open(t)
  const key = Buffer.alloc(16).toString('base64')
  const broken: Record<string, Record<string, string>> = {
    'no key': { 'sec-websocket-version': '13' },
    'another version': { 'sec-websocket-version': '7', 'sec-websocket-key': key },
    'a protocol that is not a token': {
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': 'a,,b',
    },
  }
  for (const [what, headers] of Object.entries(broken)) {
    const asked = request(`${base}/graphql`, {
      headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers },
    }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    t.equal(response.statusCode, 400, what)
    t.equal(response.headers['sec-websocket-version'], '13')
    t.match(response.headers, { 'x-request-id': /./, 'x-content-type-options': 'nosniff' })
    t.match(await json(response), { message: /Sec-WebSocket/ })
  }
  const lines = () => linesOf(api, 'answered')
  await until('the lines of the log', () => lines().length === Object.keys(broken).length)
  for (const line of lines()) t.match(line, { route: '/graphql', statusCode: 400, ip: '127.0.0.1' })
  const labels = '{method="GET",route="/graphql",status="4xx"}'
  t.equal(metrics.of('sigcase_http_requests_total')[labels], Object.keys(broken).length)
})

t.test('the end of the process closes sockets, and clients connect again', async (t) => {
  const { api, base, count } = await open(t)
  const socket = await tenantSocket(t, api, base)
  socket.subscribe('a', QUERY)
  await until('the stream', () => count('streams') === 1)
  const waiting = await openSocket(t, base)
  const deaf = await tenantSocket(t, api, base)
  deaf.ws.pause()
  await api.app.close()
  t.equal(await socket.closed(), 1001)
  t.equal(await waiting.closed(), 1001)
  t.same(socket.of('complete'), [], 'the subscription is not over')
  t.equal(count('streams'), 0)
  await until('the end of the last one', () => count('sockets') === 0)
})

t.test('without the ephemeral store a subscription is refused', async (t) => {
  const { api, base } = await open(t)
  const socket = await tenantSocket(t, api, base)
  api.ephemeral.subscribe = () => Promise.reject(new Error('the store is down'))
  socket.subscribe('a', QUERY)
  await until('the refusal', () => socket.of('error').length === 1)
  t.match(socket.of('error')[0]?.payload, [{ extensions: { code: 'EVENTS_UNAVAILABLE' } }])
})

t.test('a failure of the identity provider closes the socket', async (t) => {
  const { api, base } = await open(t, {
    identity: { authenticate: () => Promise.reject(new Error('secret detail')) },
  })
  const socket = await openSocket(t, base)
  socket.send({ type: 'connection_init', payload: { authorization: 'Bearer x' } })
  t.equal(await socket.closed(), 4500)
  t.notMatch(socket.reason, 'secret')
  t.equal(linesOf(api, 'unexpected failure').length, 1)
})
