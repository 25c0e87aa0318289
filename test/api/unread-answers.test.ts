/** Clients that ask and do not read, over real sockets. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { limitUnreadAnswers } from '../../api/unread-answers.ts'
import { testApi } from '../fixtures/api.ts'
import { until } from '../fixtures/until.ts'

const HOST = '127.0.0.1'
const PATH = '/openapi.json'
/** A few answers, which have 300 KB each. */
const MAXIMUM_UNREAD_BYTES = 1024 * 1024
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: sign.example.com\r\n\r\n`
/** Their answers are longer than what the system keeps for a connection. */
const PIPELINED = 400
const DISCARDED = 'unread answers were discarded'

async function world(t: Test) {
  const api = await testApi(t, { maximumUnreadBytes: MAXIMUM_UNREAD_BYTES })
  await api.app.listen({ port: 0, host: HOST })
  const { port } = api.app.server.address() as AddressInfo
  /** @returns the connection of a client, and the end of it that the server has */
  const open = async () => {
    const accepted = once(api.app.server, 'connection') as Promise<[Socket]>
    const socket = connect(port, HOST)
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    const [ofServer] = await accepted
    return { socket, ofServer }
  }
  const fetchWhole = async () => {
    const answer = await fetch(`http://${HOST}:${port}${PATH}`)
    return {
      status: answer.status,
      openapi: ((await answer.json()) as { openapi: string }).openapi,
    }
  }
  const discarded = () => api.log.filter((line) => line.includes(DISCARDED)).length
  return { open, fetchWhole, discarded }
}

const WHOLE = { status: 200, openapi: '3.1.0' }

t.test('a client that asks for much and reads nothing loses its connection', async (t) => {
  const { open, fetchWhole, discarded } = await world(t)
  const { socket, ofServer } = await open()
  socket.pause()
  socket.write(REQUEST.repeat(PIPELINED))
  await until(() => ofServer.destroyed)
  t.equal(discarded(), 1)
  t.same(await fetchWhole(), WHOLE, 'others are answered')
})

t.test('many connections together have as much', async (t) => {
  const { open, fetchWhole, discarded } = await world(t)
  const all = await Promise.all(Array.from({ length: PIPELINED / 20 }, open))
  for (const { socket } of all) {
    socket.pause()
    socket.write(REQUEST.repeat(20))
  }
  await until(() => discarded() > 0)
  t.not(discarded(), 0)
  t.same(await fetchWhole(), WHOLE, 'others are answered')
})

t.test('answers that are read do not count', async (t) => {
  const { fetchWhole, discarded } = await world(t)
  for (let answers = 0; answers < 20; answers++) t.same(await fetchWhole(), WHOLE)
  t.equal(discarded(), 0)
})

t.test('answers count in octets', async (t) => {
  for (const [answer, isSent] of [
    ['a'.repeat(900), true],
    ['š'.repeat(900), false],
  ] as const) {
    const app = Fastify()
    t.teardown(() => app.close())
    limitUnreadAnswers(app, 1_000)
    app.get('/', (_request, reply) => reply.send(answer))
    const fetched = fetch(await app.listen({ port: 0, host: HOST }))
    if (isSent) t.equal(await (await fetched).text(), answer)
    else await t.rejects(fetched, 'the connection is closed')
  }
})

t.test('a request whose body is refused while it comes is answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  limitUnreadAnswers(app)
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.post('/', async (request, reply) => {
    // Leaving the loop takes the connection from the request.
    const parts = request.body as AsyncIterable<Uint8Array>
    for await (const { length } of parts) if (length > 0) break
    t.equal(request.raw.socket, null)
    return reply.code(413).send('too long')
  })
  await app.listen({ port: 0, host: HOST })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, HOST)
  t.teardown(() => socket.destroy())
  const headers = 'Host: localhost\r\nContent-Type: a/b\r\nContent-Length: 9'
  socket.write(`POST / HTTP/1.1\r\n${headers}\r\n\r\nabc`)
  let answer = ''
  socket.on('data', (part) => (answer += String(part)))
  await until(() => /\r\n\r\n./s.test(answer))
  t.match(answer, /^HTTP\/1\.1 413 .*\r\n\r\ntoo long$/s)
})
