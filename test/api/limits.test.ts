/** A request has bounds of time, of values, and of what it makes the service answer. */
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { answerHeaders } from '../../api/answer-headers.ts'
import { input, BASE_URL, NOW, testApi } from '../fixtures/api.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

const ANSWER_LIMIT_BYTES = 256 * 1024
const problemsIn = (body: string) =>
  (JSON.parse(body) as { validationErrors: { keyword: string }[] }).validationErrors

t.test('a body with more values than any that is valid gets one problem', async (t) => {
  const api = await testApi(t)
  const many = (count: number) => Array.from({ length: count }, () => ({}))
  const [person] = input().participants
  for (const body of [
    input({ participants: many(60_000) }),
    input({ participants: [{ ...person, signatureFields: many(60_000) }] }),
    input({ more: many(200).map(() => many(300)) }),
  ]) {
    const answer = await api.ask('POST', '/cases', { body })
    t.equal(answer.statusCode, 400)
    t.match(problemsIn(answer.body), [{ keyword: 'maxValues', params: { limit: 50_000 } }])
  }
})

t.test('the largest body that is valid is taken', async (t) => {
  const api = await testApi(t)
  const [person] = input().participants
  const place = { page: 1, x: 1, y: 1, width: 9, height: 9, unit: 'pt' }
  const signatureFields = Array.from({ length: 50 }, (_, index) => ({ id: `f${index}`, ...place }))
  const address = { country: 'SK', city: 'Košice', street: 'Hlavná 1', zip: '04001' }
  const all = {
    ...person,
    phone: '+421900123456',
    gender: 'x',
    address,
    notify: true,
    language: 'sk',
  }
  const participants = Array.from({ length: 50 }, () => ({ ...all, signatureFields }))
  t.equal((await api.ask('POST', '/cases', { body: input({ participants }) })).statusCode, 200)
})

t.test('an answer is not many times larger than its question', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const nothing = Array.from({ length: 40_000 }, () => ({}))
  const created = await api.ask('POST', '/cases', { body: input({ participants: nothing }) })
  const signed = await api.sign(1, { signatures: nothing, fieldIds: nothing.slice(0, 5_000) })
  for (const { statusCode, body } of [created, signed]) {
    t.equal(statusCode, 400)
    t.ok(problemsIn(body).length >= 1_000)
    t.ok(body.length < ANSWER_LIMIT_BYTES, `${body.length} octets`)
  }
})

t.test('a text that is far too long is judged in one pass', async (t) => {
  const api = await testApi(t)
  const letters = 'a'.repeat(100_000)
  const callback = {
    url: `https://${letters}\u0001`,
    authType: 'API_KEY',
    apiKeyHeader: `${letters} `,
    apiKeyValue: `${letters}\u0001`,
  }
  const startedMs = cpuMs()
  const body = input({ title: letters, pin: `${letters}\u0001`, validUntil: letters, callback })
  const { statusCode } = await api.ask('POST', '/cases', { body })
  t.equal(statusCode, 400)
  t.ok(cpuMs() - startedMs < 2_000)
})

/** What the API answers to octets that no client would send. */
async function answerTo(t: Test, port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (part) => (received += String(part)))
  socket.write(text)
  await once(socket, 'close')
  return received
}

const SENDINGS = 10
const TOO_LARGE = 'x'.repeat(4 * 1024 * 1024)
const CHUNK = `${TOO_LARGE.length.toString(16)}\r\n${TOO_LARGE}\r\n0\r\n\r\n`

/** Sends all before it listens, as most clients do. @returns the head of the answer */
async function answerAfter(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause().setEncoding('latin1')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(text, () => resolve())
    })
    socket.resume()
    const closed = once(socket, 'close').then(() => [''])
    const [received] = (await Promise.race([once(socket, 'data'), closed])) as [string]
    return received
  } finally {
    socket.destroy()
  }
}

t.test(
  'a client that is still sending when a body is refused gets the reason afterwards',
  async (t) => {
    const api = await testApi(t)
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.app.server.address() as AddressInfo
    const token = await api.tenantToken()
    for (const type of ['application/json', 'text/plain']) {
      for (const [framing, body] of [
        [`Content-Length: ${TOO_LARGE.length}`, TOO_LARGE],
        ['Transfer-Encoding: chunked', CHUNK],
      ]) {
        const lines = ['POST /cases HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
        const head = [...lines, `Content-Type: ${type}`, framing, '', body].join('\r\n')
        for (let sending = 0; sending < SENDINGS; sending++) {
          const received = await answerAfter(port, head)
          t.match(received, /^HTTP\/1.1 413 /, `${type} ${framing}`)
        }
      }
    }
  },
)

t.test('a request gets one answer: what breaks behind it is hung up on', async (t) => {
  const { app } = await testApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', (part) => (received += String(part)))
  socket.write('POST /cases HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await once(socket, 'data')
  socket.write('no length of a chunk\r\n')
  await once(socket, 'close')
  t.equal(received.match(/HTTP\/1\.1 /g)?.length, 1)
  t.match(received, /^HTTP\/1\.1 401 /)
})

t.test('a refusal says whether the connection stays, as every answer does', async (t) => {
  const { app } = await testApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const unknown = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n'
  const refused = 'GET /cases HTTP/1.1\r\nHost: x\r\n'
  for (const request of [unknown, refused]) {
    t.match(await answerAfter(port, `${request}\r\n`), /\r\nconnection: keep-alive\r\n/i)
    const last = await answerTo(t, port, `${request}Connection: close\r\n\r\n`)
    t.match(last, /\r\nconnection: close\r\n/i)
  }
})

t.test("what is not HTTP is answered in the contract's shape, and hung up on", async (t) => {
  const { app } = await testApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const [text, status] of [
    ['NONSENSE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const received = await answerTo(t, port, text)
    t.match(received, new RegExp(`^HTTP/1.1 ${status} .*\r\n`))
    t.match(received, /\r\n\r\n\{"message":"[^"]+"\}$/)
    for (const [name, value] of Object.entries(answerHeaders(BASE_URL))) {
      t.match(received, `\r\n${name}: ${value}\r\n`)
    }
    t.match(received, `\r\nDate: ${new Date(NOW).toUTCString()}\r\n`)
  }
})

t.test('a request that does not come, and an idle connection, have an end', async (t) => {
  const { app } = await testApi(t)
  t.ok(app.server.requestTimeout > 0 && app.server.requestTimeout <= 10 * 60_000)
  t.ok(app.server.headersTimeout > 0 && app.server.headersTimeout <= 60_000)
  t.ok(app.server.timeout > 0 && app.server.timeout <= 5 * 60_000)
})
