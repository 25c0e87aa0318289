/** How the API ends: nothing in flight is cut, over real sockets. */
import { once } from 'node:events'
import { Agent, request as send, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { kioskWorld } from '../fixtures/kiosk-channel.ts'
import { input, testApi, type TestApi } from '../fixtures/api.ts'
import { rawStream } from '../fixtures/kiosk.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { until } from '../fixtures/until.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { watchCores } from '../fixtures/busy.ts'

const REQUESTS = 16
const CREATE_MS = 300
const GRACE_MS = 400
const HOST = '127.0.0.1'

class SlowCaseStore extends MemoryCaseStore {
  creating = 0

  override async create(...value: Parameters<MemoryCaseStore['create']>) {
    this.creating++
    await this.beforeCreate()
    return super.create(...value)
  }

  async beforeCreate(): Promise<void> {
    await sleep(CREATE_MS)
  }
}

/** Creates nothing until it is released. */
class HeldCaseStore extends SlowCaseStore {
  readonly #gate = Promise.withResolvers<void>()

  release(): void {
    this.#gate.resolve()
  }

  override async beforeCreate(): Promise<void> {
    await this.#gate.promise
  }
}

class SilentCaseStore extends SlowCaseStore {
  override async create(): Promise<never> {
    this.creating++
    return new Promise(() => {})
  }
}

interface World {
  api: TestApi
  port: number
  cases: SlowCaseStore
  /** Sends a POST that makes a case. */
  post(agent?: Agent): Promise<{ status: number; connection: string | undefined }>
  startDraining(): void
}

async function world(t: Test, more: Partial<ApiDeps> = {}, cases = new SlowCaseStore()) {
  let isDraining = false
  const api = await testApi(t, { cases, isDraining: () => isDraining, ...more })
  await api.app.listen({ port: 0, host: HOST })
  const { port } = api.app.server.address() as AddressInfo
  const token = await api.tenantToken()
  const post: World['post'] = async (agent) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = send({ port, host: HOST, method: 'POST', path: '/cases', headers, agent })
    asked.end(JSON.stringify(input()))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return { status: answer.statusCode as number, connection: answer.headers.connection }
  }
  const startDraining = () => void (isDraining = true)
  return { api, port, cases, post, startDraining } satisfies World
}

/** A connection of a client that only listens for what comes. */
async function connection(port: number) {
  const socket: Socket = connect(port, HOST)
  await once(socket, 'connect')
  let received = ''
  let failed = false
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => (failed = true))
  const closed = once(socket, 'close')
  return { socket, closed, received: () => received, isReset: () => failed }
}

const keepAlive = (t: Test) => {
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  return agent
}

async function rawPost({ api }: World): Promise<{ head: string; body: string }> {
  const body = JSON.stringify(input())
  const head = [
    'POST /cases HTTP/1.1',
    'Host: sign.example.com',
    `Authorization: Bearer ${await api.tenantToken()}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n')
  return { head, body }
}

t.test('requests in flight are answered, and their connections close', async (t) => {
  const cases = new HeldCaseStore()
  const { api, post } = await world(t, {}, cases)
  const agent = keepAlive(t)
  const answers = Array.from({ length: REQUESTS }, () => post(agent))
  await until(() => cases.creating === REQUESTS)
  const closed = api.app.close()
  await until(() => !api.app.server.listening)
  cases.release()
  const expected = Array.from({ length: REQUESTS }, () => ({ status: 200, connection: 'close' }))
  t.same(await Promise.all(answers), expected)
  await closed
  t.equal(cases.creating, REQUESTS)
})

t.test('while it drains it serves new requests and asks clients to leave', async (t) => {
  const { port, post, startDraining } = await world(t)
  const agent = keepAlive(t)
  t.same(await post(agent), { status: 200, connection: 'keep-alive' })
  const ready = async () => (await fetch(`http://${HOST}:${port}/readyz`)).status
  t.equal(await ready(), 200)
  startDraining()
  t.same(await post(agent), { status: 200, connection: 'close' })
  t.same(await post(), { status: 200, connection: 'close' }, 'over a new connection')
  const answer = await fetch(`http://${HOST}:${port}/readyz`)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { code: 'SHUTTING_DOWN' })
})

t.test('an idle connection is closed at once and is not reset', async (t) => {
  const place = await world(t)
  const { socket, closed, received, isReset } = await connection(place.port)
  socket.write('GET /healthz HTTP/1.1\r\nHost: sign.example.com\r\n\r\n')
  await until(() => received().includes('"ok"'))
  const isBusy = watchCores()
  const startedMs = performance.now()
  await place.api.app.close()
  await closed
  t.ok(performance.now() - startedMs < 1_000 || isBusy())
  t.notOk(isReset())
})

t.test('a connection that never sent anything holds nothing up', async (t) => {
  const place = await world(t)
  const { closed, isReset } = await connection(place.port)
  await place.api.app.close()
  await closed
  t.notOk(isReset())
})

for (const [name, cut] of [
  ['head', 20],
  ['body', -10],
] as const) {
  t.test(`a request that has come in part of its ${name} is served`, async (t) => {
    const place = await world(t)
    const { head, body } = await rawPost(place)
    const whole = head + body
    const { server } = place.api.app
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const { socket, closed, received, isReset } = await connection(place.port)
    const [ofServer] = await accepted
    const first = whole.slice(0, cut)
    socket.write(first)
    await until(() => ofServer.bytesRead === Buffer.byteLength(first))
    const ended = place.api.app.close()
    await until(() => !server.listening)
    socket.write(whole.slice(cut))
    await closed
    t.match(received(), /^HTTP\/1\.1 200 OK\r\n/)
    t.match(received(), /\r\nconnection: close\r\n/i)
    t.notOk(isReset())
    await ended
  })
}

t.test('a request that does not end is cut at the end of the grace', async (t) => {
  const { api, cases, post } = await world(t, { closeGraceMs: GRACE_MS }, new SilentCaseStore())
  const answer = t.rejects(post(), { code: 'ECONNRESET' })
  await until(() => cases.creating === 1)
  const isBusy = watchCores()
  const startedMs = performance.now()
  await api.app.close()
  const tookMs = performance.now() - startedMs
  t.ok(tookMs >= GRACE_MS - 10, 'not earlier')
  t.ok(tookMs < 10 * GRACE_MS || isBusy())
  await answer
})

t.test('a stream ends cleanly, and its kiosk comes back soon', async (t) => {
  const { api, base } = await kioskWorld(t)
  const stream = await rawStream(t, base)
  await api.app.close()
  await until(() => stream.ended)
  const retryMs = Number(/\nretry: (\d+)\n\n$/.exec(stream.text)?.[1])
  t.ok(retryMs >= 250 && retryMs <= 2_000, `${retryMs} ms`)
  t.equal(stream.error, undefined, 'the answer is whole')
})
