/** Webhooks of a started service to receivers of every bad habit, and through its restarts. */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { answering, openReceiver } from '../conformance/receiver.ts'
import { HOUR_MS, openWorld, person, type Json, type World } from '../conformance/world.ts'
import { watchCores } from '../fixtures/busy.ts'
import { httpReceiver, tcpReceiver, type Receiver } from '../fixtures/receiver.ts'
import { tlsIdentity } from '../fixtures/tls-identity.ts'

const RETRY_MS = 90_000
const ATTEMPTS = 8
/** Maximum duration of an answer, from its first octet to its last. */
const ANSWER_LIMIT_MS = 10_000
const DRIP_MS = 500
const HOLD_MS = 400
/** A process may be slow to notice, but not this slow. */
const SLACK_MS = 3_000

t.setTimeout(600_000)

/** @returns the id of a case that was cancelled at once, so that one webhook is due */
async function cancelled(world: World, url: string, more: Json = {}): Promise<string> {
  const callback = { url, authType: 'NONE', ...more }
  return (await world.cancelled({ callback })).id
}

async function readDeliveries(world: World, caseId: string): Promise<Json[]> {
  const { status, json } = await world.asTenant('GET', `/cases/${caseId}/deliveries`)
  if (status !== 200) throw new Error(`deliveries answered ${status}`)
  return json.deliveries
}

/** The only webhook of a case, once it has had so many attempts. */
const attempted = (world: World, caseId: string, count: number): Promise<Json> =>
  world.until(`attempt ${count} of ${caseId}`, async () => {
    const [event] = await readDeliveries(world, caseId)
    return event?.attempts.length >= count ? event : undefined
  })

const inState = (world: World, caseId: string, state: string): Promise<Json> =>
  world.until(`${caseId} to be ${state}`, async () => {
    const [event] = await readDeliveries(world, caseId)
    return event?.state === state ? event : undefined
  })

const redeliver = (world: World, caseId: string, eventId: string) =>
  world.asTenant('POST', `/cases/${caseId}/deliveries/${eventId}/redeliver`)

const listed = async (world: World, status: string): Promise<string[]> => {
  const { json } = await world.asTenant('GET', `/tenant/webhook-events?status=${status}`)
  return json.events.map(({ caseId }: Json) => caseId)
}

/** A receiver and the scheme that it is spoken to with. */
type Opened = [Receiver, ('http' | 'https')?]

interface Habit {
  open: () => Promise<Opened>
  /** What the attempt says, and what follows from it. */
  expected: Json
  state: 'pending' | 'delivered' | 'failed'
}

const says = (status: number, headers: Record<string, string> = {}) =>
  httpReceiver((_request, response) => void response.writeHead(status, headers).end())
const talks = (head: string, rest: string) =>
  tcpReceiver((socket) => {
    socket.write(head)
    void (async () => {
      for (const octet of rest) {
        if (socket.destroyed) return
        socket.write(octet)
        await setTimeout(DRIP_MS)
      }
    })()
  })
const flood = () =>
  tcpReceiver((socket) => {
    const chunk = 'x'.repeat(64 * 1024)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
const closed = async () => {
  const receiver = await says(200)
  await receiver.close()
  return receiver
}
const overTls = async (names: string[]) =>
  httpReceiver(undefined, { identity: await tlsIdentity(names) })

const HABITS: Readonly<Record<string, Habit>> = {
  'headers that do not end': {
    open: async () => [await talks('HTTP/1.1 200 OK\r\nX-Slow: ', 'x'.repeat(100))],
    expected: { error: 'timeout' },
    state: 'pending',
  },
  'a body that does not end': {
    open: async () => [
      await talks('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', 'x'.repeat(100)),
    ],
    expected: { error: 'timeout' },
    state: 'pending',
  },
  'a reset': {
    open: async () => [await tcpReceiver((socket) => void socket.resetAndDestroy())],
    expected: { error: 'connection-lost' },
    state: 'pending',
  },
  'a closed port': {
    open: async () => [await closed()],
    expected: { error: 'connection-failed' },
    state: 'pending',
  },
  'no HTTP': {
    open: async () => [await talks('SSH-2.0-OpenSSH\r\n\r\n', '')],
    expected: { error: 'answer-malformed' },
    state: 'pending',
  },
  'a certificate that is not trusted': {
    open: async () => [await overTls(['127.0.0.1']), 'https'],
    expected: { error: 'tls-failed' },
    state: 'pending',
  },
  'no TLS where https is named': {
    open: async () => [await says(200), 'https'],
    expected: { error: 'tls-failed' },
    state: 'pending',
  },
  'a redirect': {
    open: async () => [await says(308, { location: 'http://127.0.0.1:1/' })],
    expected: { statusCode: 308 },
    state: 'failed',
  },
  'a refusal': {
    open: async () => [await says(403)],
    expected: { statusCode: 403 },
    state: 'failed',
  },
  'request timeout': {
    open: async () => [await says(408)],
    expected: { statusCode: 408 },
    state: 'pending',
  },
  'too many requests': {
    open: async () => [await says(429, { 'retry-after': '86400' })],
    expected: { statusCode: 429 },
    state: 'pending',
  },
  'a fault of its own': {
    open: async () => [await says(500)],
    expected: { statusCode: 500 },
    state: 'pending',
  },
  'a body without measure': {
    open: async () => [await flood()],
    expected: { statusCode: 200 },
    state: 'delivered',
  },
}

t.test('each bad habit of a receiver has its row in the log, and its consequence', async (t) => {
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.0/8' })
  const isBusy = watchCores()
  const tries = Object.entries(HABITS).map(async ([habit, { open, expected, state }]) => {
    const [receiver, scheme = 'http'] = await open()
    t.teardown(() => receiver.close())
    const caseId = await cancelled(world, `${scheme}://127.0.0.1:${receiver.port}/hook`)
    const event = await attempted(world, caseId, 1)
    t.match(event, { state, attempts: [expected] }, habit)
    const { durationMs } = event.attempts[0]
    t.ok(durationMs < ANSWER_LIMIT_MS + SLACK_MS || isBusy(), `${habit}: within its time`)
    return { habit, caseId, state }
  })
  const tried = await Promise.all(tries)
  world.clock.pass(RETRY_MS)
  for (const { habit, caseId, state } of tried) {
    const { attempts } = await attempted(world, caseId, state === 'pending' ? 2 : 1)
    t.equal(attempts.length, state === 'pending' ? 2 : 1, `${habit}: after 90 seconds`)
  }
})

t.test('what is not public and not allowed is never reached', async (t) => {
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.2' })
  const receiver = await says(200)
  t.teardown(() => receiver.close())
  const { port } = receiver
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]']) {
    const caseId = await cancelled(world, `http://${host}:${port}/`)
    const { attempts } = await inState(world, caseId, 'failed')
    t.match(attempts, [{ error: 'address-forbidden' }], host)
  }
  t.equal(receiver.connections, 0)
})

t.test('first attempts of a case are made in order, and retries hold nothing up', async (t) => {
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  let underWay = 0
  let together = 0
  const url = receiver.address('order', (response, attempt) => {
    together = Math.max(together, ++underWay)
    // The first is refused after a while, in which the others become due.
    void setTimeout(HOLD_MS).then(() => {
      underWay--
      answering(attempt === 1 ? 503 : 200)(response, attempt)
    })
  })
  const people = ['a', 'b', 'c'].map((name) => person({ email: `${name}@example.com` }))
  const { id, participants } = await world.inProgress({
    callback: { url, authType: 'NONE' },
    participants: people,
  })
  for (const participant of [2, 0, 1].map((index) => participants[index])) {
    t.equal((await world.sign(participant)).status, 200)
  }
  await world.until('four webhooks', async () => receiver.at('order')[3])
  const bodies = () => receiver.at('order').map(({ body }) => body)
  t.same(
    bodies().map(({ participantId, type }) => participantId ?? type),
    [participants[2].id, participants[0].id, participants[1].id, 'case-completed'],
  )
  t.equal(together, 1, 'one at a time')
  world.clock.pass(RETRY_MS)
  await world.until('the retry', async () => receiver.at('order')[4])
  t.equal(bodies()[4].id, bodies()[0].id)
  t.equal(bodies()[4].status, 'DONE', 'the status is that of the delivery')
  t.ok(bodies()[4].signedDocument.url, 'and so are the links')
  const events = await readDeliveries(world, id)
  t.same(
    events.map(({ type }) => type),
    [...Array.from({ length: 3 }, () => 'participant-signed'), 'case-completed'],
  )
})

/** Lets time pass until an event has had so many attempts. */
async function retryUntil(world: World, caseId: string, from: number, to: number): Promise<void> {
  for (let count = from; count <= to; count++) {
    await attempted(world, caseId, count)
    if (count < to) world.clock.pass(RETRY_MS)
  }
}

t.test('restarts in the middle of retries neither add an attempt nor lose one', async (t) => {
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const url = receiver.address('restart', (response) => {
    void setTimeout(HOLD_MS).then(() => answering(500)(response, 0))
  })
  const caseId = await cancelled(world, url)
  await retryUntil(world, caseId, 1, 3)
  await world.restart()
  t.equal((await attempted(world, caseId, 3)).attempts.length, 3, 'a start sends nothing early')
  world.clock.pass(RETRY_MS)
  await world.until('attempt 4 to be under way', async () => receiver.at('restart')[3])
  await world.restart()
  await retryUntil(world, caseId, 4, ATTEMPTS)
  const { attempts, endedAt } = await inState(world, caseId, 'dead')
  t.equal(attempts.length, ATTEMPTS)
  t.ok(endedAt)
  await world.restart()
  world.clock.pass(HOUR_MS)
  await setTimeout(HOLD_MS)
  t.equal(receiver.at('restart').length, ATTEMPTS)
  const names = receiver.at('restart').map(({ headers }) => headers['service-delivery'])
  t.same(
    names,
    attempts.map(({ deliveryId }: Json) => deliveryId),
    'each under its own name',
  )
})

async function assertDeadAndRedelivered(t: Test, world: World): Promise<void> {
  const receiver = await openReceiver(t)
  let status = 500
  const url = receiver.address('again', (response) => answering(status)(response, 0))
  const { id: caseId } = await world.done({ callback: { url, authType: 'NONE' } })
  const last = async () => (await readDeliveries(world, caseId)).at(-1)
  const until = (what: string, holds: (event: Json) => boolean) =>
    world.until(what, async () => {
      const event = await last()
      return event && holds(event) ? event : undefined
    })
  const first = await until('the first attempt', ({ attempts }) => attempts.length > 0)
  const { eventId } = first
  t.match(await redeliver(world, caseId, eventId), {
    status: 409,
    json: { code: 'WEBHOOK_PENDING' },
  })
  for (let count = 1; count < ATTEMPTS; count++) {
    // An event whose attempt began after the time passed would be one behind at the end.
    await world.until(`attempt ${count} of both events`, async () => {
      const events = await readDeliveries(world, caseId)
      return events.every(({ attempts }) => attempts.length === count) || undefined
    })
    world.clock.pass(RETRY_MS)
  }
  await until('its end', ({ state }) => state === 'dead')
  await world.until('the list', async () =>
    (await listed(world, 'dead')).filter((one) => one === caseId).length === 2 ? true : undefined,
  )

  status = 204
  const asked = await redeliver(world, caseId, eventId)
  t.match(asked, { status: 202, json: { eventId, state: 'pending' } })
  const { attempts } = await until('redelivery', ({ state }) => state === 'delivered')
  t.equal(attempts.length, ATTEMPTS + 1)
  t.match(attempts.at(-1), { round: 2, statusCode: 204 })
  const sent = receiver.at('again').filter(({ body }) => body.id === eventId)
  const deliveryIds = sent.map(({ headers }) => headers['service-delivery'])
  t.equal(new Set(deliveryIds).size, ATTEMPTS + 1, 'the same id, another Service-Delivery')
  const [before, after] = [sent[0], sent.at(-1)].map((one) => one?.body.signedDocument.url)
  t.not(before, after, 'fresh links')
  t.ok((await world.download(after)).length > 0)
  t.equal((await listed(world, 'dead')).filter((one) => one === caseId).length, 1)
}

t.test('what is dead is listed over all cases, and delivered when it is asked for', async (t) => {
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1' })
  await assertDeadAndRedelivered(t, world)
})
