/** The streams of a process: which go on, which end, and who takes them up. */
import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { HEARTBEAT_INTERVAL_MS, LONGEST_STREAM_MS } from '../../../api/devices/streams.ts'
import {
  CONNECTION_LIFE_MS,
  forgetConnection,
  recordConnection,
} from '../../../application/kiosks/connections.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { DEVICE_CHANGED } from '../../../domain/ports/pub-sub.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf, tokenOf } from '../../fixtures/device.ts'
import { kioskAt, listen, rawStream, until } from '../../fixtures/kiosk.ts'
import { settle } from '../../fixtures/frozen-timers.ts'
import { participant } from '../../fixtures/signature-case.ts'
import { QUICK, NOW_MS, kioskWorld, openFor } from '../../fixtures/kiosk-channel.ts'

t.test('a stream that is cut is taken up where it ended (K7)', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  const { id } = await kiosk.nextEvent(1)
  api.app.server.closeAllConnections()
  await openFor(api, 2)
  await kiosk.began(2)
  t.equal(kiosk.asked[1], id)
  t.equal((await kiosk.nextEvent(2)).data.participantId, participant(2).id)
  t.equal(kiosk.events.length, 2)
})

t.test('a long connection ends and goes on in a new one, and nothing is lost', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  const { id } = await kiosk.nextEvent(1)
  await api.timers.moveTo(NOW_MS + LONGEST_STREAM_MS / 2)
  t.equal(kiosk.asked.length, 1)
  await api.timers.moveTo(NOW_MS + LONGEST_STREAM_MS + HEARTBEAT_INTERVAL_MS)
  await openFor(api, 2)
  await kiosk.began(2)
  t.equal(kiosk.asked[1], id)
  t.equal((await kiosk.nextEvent(2)).data.participantId, participant(2).id)
})

t.test('connections that began together do not all end together', async (t) => {
  const { api, base } = await kioskWorld(t)
  const ids = Array.from({ length: 20 }, (_, index) => deviceIdOf(index))
  for (const deviceId of ids) api.devices.seed(device({ deviceId }))
  const responses: ServerResponse[] = []
  api.app.server.on('request', (_request, response) => responses.push(response))
  const kiosks = await Promise.all(
    ids.map((deviceId) => {
      const headers = { authorization: `Bearer ${tokenOf({ ...DEVICE_KEY, deviceId })}` }
      return kioskAt(t, base, { deviceId, headers })
    }),
  )
  // A kiosk connects again, and notices the end only when this process reads it.
  const first = responses.slice()
  const counts: number[] = []
  for (let minute = 11; minute <= 16; minute++) {
    await api.timers.moveTo(NOW_MS + minute * 60_000)
    counts.push(first.filter(({ writableEnded }) => writableEnded).length)
  }
  t.equal(counts[0], 0)
  t.equal(counts.at(-1), kiosks.length)
  const most = Math.max(...counts.slice(1).map((count, index) => count - (counts[index] ?? 0)))
  t.ok(most <= kiosks.length / 2, `at most half in one minute: ${counts}`)
  await until('all ends', () => kiosks.every(({ errors }) => errors.length > 0))
})

t.test(
  'the newest connection of a device wins; the older one ends and receives the reason',
  async (t) => {
    const { api, base } = await kioskWorld(t)
    const older = await rawStream(t, base)
    const newer = await kioskAt(t, base)
    await until('the end of the older', () => older.ended)
    t.match(older.text, /event: device\.replaced\nretry: 60000\ndata: \{\}\n\n$/)
    await openFor(api)
    await newer.nextEvent(1)
    t.notMatch(older.text, /open_case/)
  },
)

t.test('a newer connection to another process ends the one to this', async (t) => {
  const { api, base } = await kioskWorld(t)
  const stream = await rawStream(t, base)
  const publishConnection = (connection: string, deviceId = DEVICE_ID) =>
    api.ephemeral.publish(DEVICE_CHANGED, JSON.stringify({ ...DEVICE_KEY, deviceId, connection }))
  await publishConnection(`${NOW_MS - 1}/f`)
  await publishConnection(`${NOW_MS + 1}/0`, deviceIdOf(1))
  await api.ephemeral.publish(DEVICE_CHANGED, 'nonsense')
  await settle()
  t.notOk(stream.ended)
  await publishConnection(`${NOW_MS + 1}/0`)
  await until('the end', () => stream.ended)
})

const connectedOf = async (api: TestApi) =>
  (await api.ask('GET', '/tenant/devices')).json().devices[0].connected

t.test('the list says whether a kiosk listens', async (t) => {
  const { api, base } = await kioskWorld(t)
  t.equal(await connectedOf(api), false)
  const stream = await rawStream(t, base)
  await until('the connection', async () => (await connectedOf(api)) === true)
  await api.timers.moveTo(NOW_MS + 2 * CONNECTION_LIFE_MS)
  t.equal(await connectedOf(api), true, 'a stream records its connection again')
  api.app.server.closeAllConnections()
  await until('the end', () => stream.ended)
  await until('the kiosk is away', async () => (await connectedOf(api)) === false)
  const { get } = api.ephemeral
  api.ephemeral.get = () => Promise.reject(new ServiceError('TIMEOUT'))
  const answer = await api.ask('GET', '/tenant/devices')
  api.ephemeral.get = get
  t.equal(answer.statusCode, 200, 'the list does not need the ephemeral store')
  t.notOk('connected' in answer.json().devices[0])
})

t.test('the end of an older stream does not hide a newer one', async (t) => {
  const { api } = await kioskWorld(t)
  await recordConnection(DEVICE_KEY, 'newer', api)
  await forgetConnection(DEVICE_KEY, 'older', api)
  t.equal(await connectedOf(api), true)
  await forgetConnection(DEVICE_KEY, 'newer', api)
  t.equal(await connectedOf(api), false)
})

t.test('a removed device loses its stream at once and is not let in again', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  t.equal((await api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`)).statusCode, 204)
  await until('the refusal', () => kiosk.errors.includes(401))
  t.equal(kiosk.source.readyState, kiosk.source.CLOSED, 'it does not ask again')
})

t.test('fifty opens at once end in one record, and the kiosk ends up with it', async (t) => {
  const { api, base } = await kioskWorld(t)
  const people = Array.from({ length: 50 }, (_, index) => participant(index + 1))
  api.seed({ ...QUICK, participants: people })
  const kiosk = await kioskAt(t, base)
  const answers = await Promise.all(people.map((_, index) => openFor(api, index + 1)))
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  const record = (await api.devices.get(DEVICE_KEY))!.spec.handOver!
  t.equal(record.eventId, `${NOW_MS}-49`, 'each of them was written once')
  await until('the last', () => kiosk.events.at(-1)?.id === record.eventId)
  t.equal(kiosk.events.at(-1)?.data.participantId, record.participantId)
  const ids = kiosk.events.map(({ id }) => Number(id.split('-')[1]))
  t.same(
    ids,
    [...ids].sort((a, b) => a - b),
  )
})

t.test('a stream whose process cannot subscribe is not opened', async (t) => {
  const { api } = await kioskWorld(t)
  api.ephemeral.subscribe = () => Promise.reject(new Error('away'))
  const answer = await api.ask('GET', `/devices/${DEVICE_ID}/events`, { token: tokenOf() })
  t.equal(answer.statusCode, 503)
  t.equal(answer.json().code, 'EVENTS_UNAVAILABLE')
})

t.test('one subscription serves all streams of a process, and ends with it', async (t) => {
  const { api, base } = await kioskWorld(t)
  const listened: string[] = []
  const { subscribe: receive } = api.ephemeral
  let stopped = 0
  api.ephemeral.subscribe = async (channel, onMessage) => {
    listened.push(channel)
    const stop = await receive.call(api.ephemeral, channel, onMessage)
    return () => {
      stopped++
      stop()
    }
  }
  for (const index of [1, 2, 3]) {
    const deviceId = deviceIdOf(index)
    api.devices.seed(device({ deviceId }))
    const headers = { authorization: `Bearer ${tokenOf({ ...DEVICE_KEY, deviceId })}` }
    await kioskAt(t, base, { deviceId, headers })
  }
  t.same(listened, [DEVICE_CHANGED])
  await api.app.close()
  t.equal(stopped, 1)
})

t.test('a service that ends does not wait for its kiosks', async (t) => {
  const { api, base } = await kioskWorld(t)
  const stream = await rawStream(t, base)
  await until('the first line', () => stream.text !== '')
  await api.app.close()
  await until('the end', () => stream.ended)
})

t.test('a stream outlives the time that a request has', async (t) => {
  // Enough for each request of a busy machine.
  const BUDGET_MS = 1_000
  const api = await testApi(t, { requestBudgetMs: BUDGET_MS })
  api.seed(QUICK)
  api.devices.seed(device())
  const stream = await rawStream(t, await listen(api))
  await until('the first line', () => stream.text !== '')
  await setTimeout(1.2 * BUDGET_MS)
  t.equal((await openFor(api)).statusCode, 200)
  await until('the event', () => stream.text.includes('device.open_case'))
  t.notOk(stream.ended)
  t.notMatch(api.log.join(''), /TIMEOUT/)
})

t.test('notifications lost with the connection are made up for at once', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  const { publish } = api.ephemeral
  api.ephemeral.publish = async () => {}
  await openFor(api)
  await api.timers.moveTo(NOW_MS + 3_000)
  await setTimeout(100)
  t.same(kiosk.events, [], 'no notification arrived')
  api.ephemeral.publish = publish
  api.ephemeral.wipe()
  await api.timers.moveTo(NOW_MS + 5_000)
  t.match(await kiosk.nextEvent(1), { type: 'device.open_case' })
})

t.test('while nothing was lost no record is read', async (t) => {
  const { api, base } = await kioskWorld(t)
  await kioskAt(t, base)
  await openFor(api)
  await setTimeout(100)
  let reads = 0
  const { get } = api.devices
  api.devices.get = (key) => {
    reads++
    return get.call(api.devices, key)
  }
  api.ephemeral.epoch = async () => {
    throw new Error('the store is away')
  }
  await api.timers.moveTo(NOW_MS + 10_000)
  t.equal(reads, 0, 'not during the outage either: the store reports a new epoch afterwards')
})
