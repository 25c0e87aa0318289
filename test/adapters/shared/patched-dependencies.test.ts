/** Each patch of a third-party library is needed, and works; otherwise a test fails. */
import { KubeConfig } from '@kubernetes/client-node'
import { HttpMethod, RequestContext } from '@kubernetes/client-node/dist/gen/http/http.js'
import { createNodeRedisClient, RedisConnection, Worker } from 'bullmq'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import * as pdfJs from 'pdfjs-dist/build/pdf.worker.min.mjs'
import { createClient } from 'redis'
import t, { type Test } from 'tap'
import { Agent } from 'undici'
import {
  assumeRedisVersion,
  endForGood,
  keepDispatcher,
  observeDefinedProperty,
  reportDuplicates,
  setUserAgent,
} from '../../../adapters/shared/patched-dependencies.ts'
import { until } from '../../fixtures/until.ts'

/** A fixed library would end its clients in less than this. */
const CLOSE_LIMIT_MS = 300
const DESTROY_LIMIT_MS = 50
const NOT_NEEDED = 'the library changed: remove the patch'

function kubernetesClient(): KubeConfig {
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'c', server: 'https://127.0.0.1:1', skipTLSVerify: true }],
    users: [{ name: 'c', token: 'c' }],
    contexts: [{ name: 'c', cluster: 'c', user: 'c' }],
    currentContext: 'c',
  })
  return config
}

async function authenticated(config: KubeConfig): Promise<RequestContext> {
  const context = new RequestContext('https://127.0.0.1:1/', HttpMethod.GET)
  await config.applySecurityAuthentication(context)
  return context
}

async function openDispatchers(config: KubeConfig) {
  const [first, second] = [await authenticated(config), await authenticated(config)]
  return [first.getDispatcher(), second.getDispatcher()] as const
}

t.test('the Kubernetes client opens new connections for each request', async (t) => {
  const [first, second] = await openDispatchers(kubernetesClient())
  t.ok(first && second)
  t.not(first, second, NOT_NEEDED)
})

t.test('with keepDispatcher it uses one dispatcher, until that is dropped', async (t) => {
  const config = kubernetesClient()
  const drop = keepDispatcher(config, (tls) => new Agent({ connect: tls, allowH2: false }))
  const [first, second] = await openDispatchers(config)
  t.ok(first)
  t.equal(first, second)
  drop()
  t.not((await authenticated(config)).getDispatcher(), first)
  drop()
})

t.test('with setUserAgent requests name the service, which they otherwise do not', async (t) => {
  const config = kubernetesClient()
  const readUserAgent = async () => (await authenticated(config)).getHeaders()['user-agent']
  t.equal(await readUserAgent(), undefined, NOT_NEEDED)
  setUserAgent(config, 'sigcase/1')
  t.equal(await readUserAgent(), 'sigcase/1')
})

/** Asks BullMQ which version of Redis it assumes when it skips the check. */
async function assumedVersion(): Promise<string> {
  const { getRedisVersionAndType } = RedisConnection.prototype as unknown as {
    getRedisVersionAndType(this: object): Promise<{ version: string }>
  }
  return (await getRedisVersionAndType.call({ skipVersionCheck: true })).version
}

t.test('BullMQ assumes the version that assumeRedisVersion sets', async (t) => {
  t.equal(await assumedVersion(), '5.0.0', NOT_NEEDED)
  assumeRedisVersion(RedisConnection, '7.0.8')
  t.equal(await assumedVersion(), '7.0.8')
})

/** A server that accepts connections and never answers. */
async function silentServer(t: Test) {
  const sockets: Socket[] = []
  // A socket that reads nothing does not see that the other side has closed it.
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}).resume())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

function redisClient(port: number) {
  const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 20 } })
  client.on('error', () => {})
  return client
}

t.test('BullMQ leaves a duplicate open, which reportDuplicates gives to the caller', async (t) => {
  const { port, sockets } = await silentServer(t)
  const client = redisClient(port)
  const wrapped = createNodeRedisClient(client as never).on('error', () => {})
  const made: ReturnType<typeof createNodeRedisClient>[] = []
  reportDuplicates(wrapped, (duplicate) => made.push(duplicate))
  const worker = new Worker('k', async () => {}, {
    connection: wrapped as never,
    skipVersionCheck: true,
  })
  worker.on('error', () => {})
  const open = () => sockets.filter(({ destroyed }) => !destroyed).length
  await until(() => open() === 2)
  await Promise.race([worker.close(), setTimeout(CLOSE_LIMIT_MS)])
  t.equal(open(), 2, NOT_NEEDED)
  t.equal(made.length, 1)
  for (const one of made) one.disconnect()
  await until(() => open() === 1)
  t.equal(open(), 1)
  wrapped.disconnect()
  endForGood(client)
})

t.test('a client that is destroyed while it connects stays connected', async (t) => {
  const { port, sockets } = await silentServer(t)
  const client = redisClient(port)
  client.connect().catch(() => {})
  client.destroy()
  await until(() => sockets.length === 1)
  await setTimeout(DESTROY_LIMIT_MS)
  t.equal(sockets[0]?.destroyed, false, NOT_NEEDED)
  t.notOk(client.isOpen)
  void client.connect().catch(() => {})
  t.ok(client.isOpen, `it connects again; ${NOT_NEEDED}`)
  endForGood(client)
})

t.test('a client that endForGood ends closes its connection and opens no other', async (t) => {
  const { port, sockets } = await silentServer(t)
  const client = redisClient(port)
  client.connect().catch(() => {})
  endForGood(client)
  await until(() => sockets.length === 1)
  await until(() => sockets[0]?.destroyed === true)
  await t.rejects(client.connect(), { message: 'the queue is closed' })
  t.notOk(client.isOpen)
})

t.test('observeDefinedProperty finds the object, and ends', async (t) => {
  const original = Object.defineProperty
  const observed = observeDefinedProperty<{ a: number }>('b')
  const target = { a: 1 }
  Object.defineProperty(target, 'a', { value: 2 })
  t.equal(observed.target, undefined)
  Object.defineProperty(target, 'b', { value: 3 })
  observed.stop()
  t.equal(observed.target, target)
  t.equal(Object.defineProperty, original)
  // That it finds the document of pdf.js is tested with the second reader.
  t.strictSame(Object.keys(pdfJs), ['WorkerMessageHandler'], NOT_NEEDED)
})
