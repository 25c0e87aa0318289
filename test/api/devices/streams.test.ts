/** The kiosk channel over HTTP, with a client that knows nothing of the service. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { HEARTBEAT_INTERVAL_MS, LONGEST_STREAM_MS } from '../../../api/devices/streams.ts'
import { changeDevice } from '../../../domain/devices/change.ts'
import { handOver } from '../../../domain/devices/hand-over.ts'
import { HAND_OVER_LIFE_MS } from '../../../domain/limits.ts'
import { DEVICE_BELL } from '../../../domain/ports/ephemeral.ts'
import { BASE_URL, NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf, tokenOf } from '../../fixtures/device.ts'
import { kioskAt, listen, rawStream, until } from '../../fixtures/kiosk.ts'
import { settle } from '../../fixtures/memory.ts'
import { CASE_ID, CASE_KEY, participant } from '../../fixtures/signature-case.ts'

const quick = { phase: 'IN_PROGRESS', definition: { quickSign: true } } as const
const NOW_MS = Date.parse(NOW)

async function world(t: Test): Promise<{ api: TestApi; base: string }> {
  const api = await testApi(t)
  api.seed(quick)
  api.devices.seed(device())
  return { api, base: await listen(api) }
}

const openFor = (api: TestApi, position = 1, deviceId = DEVICE_ID) =>
  api.ask('POST', `/cases/${CASE_ID}/participants/${participant(position).id}/open`, {
    body: { deviceId },
  })

/** As the job `kiosk` does it. */
const closeFor = (api: TestApi, position = 1) =>
  changeDevice(DEVICE_KEY, api, (current) =>
    handOver(
      current,
      {
        state: 'closed',
        caseId: CASE_ID,
        participantId: participant(position).id,
        reason: 'SIGNED',
      },
      api.timers.nowMs(),
    ),
  )

t.test('a kiosk that listens is told what was opened, with a link that works', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  t.equal((await openFor(api)).statusCode, 200)
  const { type, id, data } = await kiosk.told(1)
  const { url = '', ...told } = data
  t.equal(type, 'device.open_case')
  t.equal(id, `${NOW_MS}-0`)
  const participantId = participant(1).id
  t.same(told, { caseId: CASE_ID, participantId, title: 'Zmluva o dielo' })
  const { origin, pathname, hash } = new URL(url)
  t.equal(origin + pathname, `${BASE_URL}/sign/${participantId}`)
  t.same(await api.links.read(hash.slice(1)), { ...CASE_KEY, participantId })
})

t.test('what was closed is told as closed, with the reason', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  await kiosk.told(1)
  await closeFor(api)
  t.same(await kiosk.told(2), {
    type: 'device.close_case',
    id: `${NOW_MS}-1`,
    data: { caseId: CASE_ID, participantId: participant(1).id, reason: 'SIGNED' },
  })
})

t.test('a stream is not kept, not collected by proxies, and says when to come back', async (t) => {
  const { api, base } = await world(t)
  const stream = await rawStream(t, base)
  const { headers, status } = stream.response
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/event-stream/)
  t.equal(headers.get('cache-control'), 'no-store')
  t.equal(headers.get('x-accel-buffering'), 'no')
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  await until('the first line', () => stream.text !== '')
  const [, retry] = /^retry: (\d+)\n\n$/.exec(stream.text) ?? []
  t.ok(Number(retry) >= 1000 && Number(retry) <= 3000, stream.text)
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  await until('a heartbeat', () => stream.text.endsWith('\n\n:\n\n'))
})

t.test('whoever comes back is told what is current and news to it, and nothing else', async (t) => {
  const { api, base } = await world(t)
  await openFor(api)
  const first = await kioskAt(t, base)
  const { id } = await first.told(1)
  first.source.close()

  const same = await rawStream(t, base, { 'last-event-id': id })
  await openFor(api, 2)
  await until('the next', () => same.text.includes('device.open_case'))
  t.equal(same.text.split('event: ').length - 1, 1, 'the first was not told again')
  t.match(same.text, participant(2).id)

  const older = await rawStream(t, base, { 'last-event-id': id })
  await until('what was missed', () => older.text.includes(participant(2).id))
  for (const unknown of ['x', '', '99999999999999-0', `${NOW_MS}-`]) {
    const stream = await rawStream(t, base, { 'last-event-id': unknown })
    await until('all anew', () => stream.text.includes(participant(2).id))
  }
})

t.test('never an open of a case that ended, of who signed, or of ten minutes ago', async (t) => {
  const reasons = {
    CANCELLED: (api: TestApi) => api.seed({ ...quick, phase: 'CANCELLED' }),
    SIGNED: (api: TestApi) => api.seed({ ...quick, signed: 1 }),
    EXPIRED: (api: TestApi) => api.seed({ ...quick, definition: { validUntil: NOW } }),
    '': (api: TestApi) => api.timers.moveTo(NOW_MS + HAND_OVER_LIFE_MS + 1),
  }
  for (const [reason, happen] of Object.entries(reasons)) {
    const { api, base } = await world(t)
    await openFor(api)
    await happen(api)
    if (reason === 'EXPIRED') await api.timers.moveTo(NOW_MS + 5_000)
    const { type, data } = await (await kioskAt(t, base)).told(1)
    t.equal(type, 'device.close_case')
    t.notOk(data.url)
    t.equal(data.reason ?? '', reason)
  }
})

t.test('a stream that is cut is taken up where it ended (K7)', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  const { id } = await kiosk.told(1)
  api.app.server.closeAllConnections()
  await openFor(api, 2)
  await kiosk.began(2)
  t.equal(kiosk.asked[1], id)
  t.equal((await kiosk.told(2)).data.participantId, participant(2).id)
  t.equal(kiosk.events.length, 2)
})

t.test('a long connection ends and goes on in a new one, and nothing is lost', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  const { id } = await kiosk.told(1)
  await api.timers.moveTo(NOW_MS + LONGEST_STREAM_MS / 2)
  t.equal(kiosk.asked.length, 1)
  await api.timers.moveTo(NOW_MS + LONGEST_STREAM_MS + HEARTBEAT_INTERVAL_MS)
  await openFor(api, 2)
  await kiosk.began(2)
  t.equal(kiosk.asked[1], id)
  t.equal((await kiosk.told(2)).data.participantId, participant(2).id)
})

t.test('connections that began together do not all end together', async (t) => {
  const { api, base } = await world(t)
  const ids = Array.from({ length: 20 }, (_, index) => deviceIdOf(index))
  for (const deviceId of ids) api.devices.seed(device({ deviceId }))
  const kiosks = await Promise.all(
    ids.map((deviceId) => {
      const headers = { authorization: `Bearer ${tokenOf({ ...DEVICE_KEY, deviceId })}` }
      return kioskAt(t, base, { deviceId, headers })
    }),
  )
  const ended = () => kiosks.filter(({ errors }) => errors.length > 0).length
  const counts: number[] = []
  for (let minute = 11; minute <= 16; minute++) {
    await api.timers.moveTo(NOW_MS + minute * 60_000)
    await setTimeout(50)
    counts.push(ended())
  }
  t.equal(counts[0], 0)
  t.equal(counts.at(-1), kiosks.length)
  const most = Math.max(...counts.slice(1).map((count, index) => count - (counts[index] ?? 0)))
  t.ok(most <= kiosks.length / 2, `at most half in one minute: ${counts}`)
})

t.test('the newest connection of a device wins; the older one ends and is told why', async (t) => {
  const { api, base } = await world(t)
  const older = await rawStream(t, base)
  const newer = await kioskAt(t, base)
  await until('the end of the older', () => older.ended)
  t.match(older.text, /event: device\.replaced\nretry: 60000\ndata: \{\}\n\n$/)
  await openFor(api)
  await newer.told(1)
  t.notMatch(older.text, /open_case/)
})

t.test('a newer connection to another process ends the one to this', async (t) => {
  const { api, base } = await world(t)
  const stream = await rawStream(t, base)
  const ring = (connection: string, deviceId = DEVICE_ID) =>
    api.ephemeral.ring(DEVICE_BELL, JSON.stringify({ ...DEVICE_KEY, deviceId, connection }))
  await ring(`${NOW_MS - 1}/f`)
  await ring(`${NOW_MS + 1}/0`, deviceIdOf(1))
  await api.ephemeral.ring(DEVICE_BELL, 'nonsense')
  await settle()
  t.notOk(stream.ended)
  await ring(`${NOW_MS + 1}/0`)
  await until('the end', () => stream.ended)
})

t.test('a removed device loses its stream at once and is not let in again', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  t.equal((await api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`)).statusCode, 204)
  await until('the refusal', () => kiosk.errors.includes(401))
  t.equal(kiosk.source.readyState, kiosk.source.CLOSED, 'it does not ask again')
})

t.test('a bell that nobody heard costs a minute', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  const current = (await api.devices.get(DEVICE_KEY))!
  const showing = { caseId: CASE_ID, participantId: participant(1).id }
  await api.devices.replace(handOver(current, { state: 'open', ...showing }, NOW_MS))
  await settle()
  t.equal(kiosk.events.length, 0)
  await api.timers.moveTo(NOW_MS + 4 * HEARTBEAT_INTERVAL_MS)
  await kiosk.told(1)
})

t.test('a store that fails is asked again with the next heartbeat', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  const { get } = api.cases
  await openFor(api, 1)
  await kiosk.told(1)
  let fails = true
  api.cases.get = (key) => (fails ? Promise.reject(new Error('away')) : get.call(api.cases, key))
  await changeDevice(DEVICE_KEY, api, (current) =>
    handOver(
      current,
      { state: 'open', caseId: CASE_ID, participantId: participant(2).id },
      NOW_MS + 1,
    ),
  )
  await settle()
  fails = false
  t.equal(kiosk.events.length, 1)
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  t.equal((await kiosk.told(2)).data.participantId, participant(2).id)
})

t.test('fifty opens at once end in one record, and the kiosk ends up with it', async (t) => {
  const { api, base } = await world(t)
  const people = Array.from({ length: 50 }, (_, index) => participant(index + 1))
  api.seed({ ...quick, participants: people })
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

t.test('a browser gets in by the cookie of its pairing (K8)', async (t) => {
  const { api, base } = await world(t)
  const pair = await api.ask('POST', '/kiosk/pair', { token: '', body: { token: tokenOf() } })
  const [cookie = ''] = String(pair.headers['set-cookie']).split(';')
  const kiosk = await kioskAt(t, base, { headers: { cookie: `a=b; ${cookie}; c` } })
  await openFor(api)
  await kiosk.told(1)
  const stream = await rawStream(t, base, { authorization: '', cookie })
  t.equal(stream.response.status, 401, 'a header goes before a cookie')
})

t.test('only the token of the device opens its channel', async (t) => {
  const { api } = await world(t)
  api.devices.seed(device({ deviceId: deviceIdOf(1) }))
  const path = `/devices/${DEVICE_ID}/events`
  const good = tokenOf()
  const bad = [
    '',
    'x',
    `${good}x`,
    good.slice(0, -1),
    good.replace(/S{43}/, 'T'.repeat(43)),
    good.replace('acme', 'other'),
    good.toUpperCase(),
    tokenOf({ ...DEVICE_KEY, deviceId: deviceIdOf(1) }),
    await api.tenantToken(),
    await api.link(1),
  ]
  for (const token of bad) {
    const answer = await api.ask('GET', path, { token })
    t.equal(answer.statusCode, 401, token)
    t.same(answer.json(), { message: 'Unauthorized' })
  }
  const query = await api.ask('GET', `${path}?token=${good}`, { token: '' })
  t.equal(query.statusCode, 401)
  t.equal((await api.ask('HEAD', path, { token: good })).statusCode, 405)
  t.notOk(api.log.join('').includes('S'.repeat(43)), 'no token is logged')
})

t.test('a channel that could not hear the bell is not opened', async (t) => {
  const { api } = await world(t)
  api.ephemeral.listen = () => Promise.reject(new Error('away'))
  const answer = await api.ask('GET', `/devices/${DEVICE_ID}/events`, { token: tokenOf() })
  t.equal(answer.statusCode, 503)
  t.equal(answer.json().code, 'EVENTS_UNAVAILABLE')
})

t.test('one ear serves all streams of a process, and ends with it', async (t) => {
  const { api, base } = await world(t)
  const listened: string[] = []
  const { listen: hear } = api.ephemeral
  let stopped = 0
  api.ephemeral.listen = async (bell, onRing) => {
    listened.push(bell)
    const stop = await hear.call(api.ephemeral, bell, onRing)
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
  t.same(listened, [DEVICE_BELL])
  await api.app.close()
  t.equal(stopped, 1)
})

/** Opens the channel and reads nothing of it. @returns the service's end of the connection */
async function deafClient(t: Test, api: TestApi, base: string): Promise<Socket> {
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>
  const socket = connect(Number(new URL(base).port), '127.0.0.1').pause()
  socket.on('error', () => undefined)
  t.teardown(() => void socket.destroy())
  const head = [
    `GET /devices/${DEVICE_ID}/events HTTP/1.1`,
    'Host: kiosk',
    `Authorization: Bearer ${tokenOf()}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [end] = await accepted
  await until('the first line', () => end.bytesWritten > 0)
  return end
}

/** Hands over until the condition holds; each event is about as long as one can be. */
async function handOverUntil(api: TestApi, condition: () => boolean): Promise<void> {
  api.seed({ ...quick, definition: { quickSign: true, title: '\u{1f58b}'.repeat(255) } })
  for (let events = 0; events < 50_000 && !condition(); events++) {
    const participantId = participant((events % 2) + 1).id
    await changeDevice(DEVICE_KEY, api, (current) =>
      handOver(current, { state: 'open', caseId: CASE_ID, participantId }, NOW_MS),
    )
    await setImmediate()
  }
}

t.test('a client that does not read is cut when too much waits for it', async (t) => {
  const { api, base } = await world(t)
  const end = await deafClient(t, api, base)
  let most = 0
  await handOverUntil(api, () => {
    most = Math.max(most, end.writableLength)
    return end.destroyed
  })
  t.ok(end.destroyed)
  t.ok(end.bytesWritten > 64 * 1024, `the machine took ${end.bytesWritten} bytes before`)
  t.ok(most <= 20 * 1024, `at most ${most} bytes waited`)
})

t.test('a client that reads nothing between two heartbeats is cut', async (t) => {
  const { api, base } = await world(t)
  const end = await deafClient(t, api, base)
  await handOverUntil(api, () => end.writableLength > 0)
  t.notOk(end.destroyed)
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  t.ok(end.destroyed)
})

t.test('a client that reads nothing is cut when its stream ends, too', async (t) => {
  const { api, base } = await world(t)
  const end = await deafClient(t, api, base)
  await handOverUntil(api, () => end.writableLength > 0)
  await api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`)
  await settle()
  t.notOk(end.destroyed, 'what is unread may still be read')
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  t.ok(end.destroyed)
})

t.test('a bell that is rung while a look ends is heard', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  const ring = () => api.ephemeral.ring(DEVICE_BELL, JSON.stringify(DEVICE_KEY))
  for (let turns = 0; turns < 12; turns++) {
    void ring()
    // So many turns later the look that was asked for is somewhere on its way.
    for (let turn = 0; turn < turns; turn++) await undefined
    const current = (await api.devices.get(DEVICE_KEY)) ?? device()
    const participantId = participant((turns % 2) + 1).id
    api.devices.seed(handOver(current, { state: 'open', caseId: CASE_ID, participantId }, NOW_MS))
    void ring()
    await kiosk.told(turns + 1)
  }
  t.equal(kiosk.events.length, 12)
})

t.test('a service that ends does not wait for its kiosks', async (t) => {
  const { api, base } = await world(t)
  const stream = await rawStream(t, base)
  await until('the first line', () => stream.text !== '')
  await api.app.close()
  await until('the end', () => stream.ended)
})

t.test('a stream outlives the time that a request has', async (t) => {
  const api = await testApi(t, { requestBudgetMs: 50 })
  api.seed(quick)
  api.devices.seed(device())
  const stream = await rawStream(t, await listen(api))
  await setTimeout(200)
  await openFor(api)
  await until('the event', () => stream.text.includes('device.open_case'))
  t.notOk(stream.ended)
  t.notMatch(api.log.join(''), /TIMEOUT/)
})

t.test('rings that may have been lost with the connection are made up for at once', async (t) => {
  const { api, base } = await world(t)
  const kiosk = await kioskAt(t, base)
  const { ring } = api.ephemeral
  api.ephemeral.ring = async () => {}
  await openFor(api)
  await api.timers.moveTo(NOW_MS + 3_000)
  await setTimeout(100)
  t.same(kiosk.events, [], 'nobody heard the bell')
  api.ephemeral.ring = ring
  api.ephemeral.wipe()
  await api.timers.moveTo(NOW_MS + 5_000)
  t.match(await kiosk.told(1), { type: 'device.open_case' })
})

t.test('while nothing was lost no record is read', async (t) => {
  const { api, base } = await world(t)
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
  t.equal(reads, 0, 'not while it is away either: it names another life when it is back')
})
