/** The events that one kiosk receives, with a client that knows nothing of the service. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { HEARTBEAT_INTERVAL_MS } from '../../../api/devices/streams.ts'
import { changeDevice } from '../../../application/kiosks/change.ts'
import { handOver } from '../../../domain/devices/handover.ts'
import { HAND_OVER_LIFE_MS } from '../../../domain/limits.ts'
import { DEVICE_CHANGED } from '../../../domain/ports/pub-sub.ts'
import { BASE_URL, NOW, type TestApi } from '../../fixtures/api.ts'
import { device, DEVICE_ID, DEVICE_KEY, tokenOf } from '../../fixtures/device.ts'
import { kioskAt, rawStream, until } from '../../fixtures/kiosk.ts'
import { settle } from '../../fixtures/frozen-timers.ts'
import { CASE_ID, CASE_KEY, participant } from '../../fixtures/signature-case.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { QUICK, NOW_MS, kioskWorld, openFor } from '../../fixtures/kiosk-channel.ts'

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

t.test('a kiosk that listens is notified of what was opened, with a link that works', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  t.equal((await openFor(api)).statusCode, 200)
  const { type, id, data } = await kiosk.nextEvent(1)
  const { url = '', ...shown } = data
  t.equal(type, 'device.open_case')
  t.equal(id, `${NOW_MS}-0`)
  const participantId = participant(1).id
  t.same(shown, { caseId: CASE_ID, participantId, title: 'Zmluva o dielo' })
  const { origin, pathname, hash } = new URL(url)
  t.equal(origin + pathname, `${BASE_URL}/sign/${participantId}`)
  t.same(await api.links.read(hash.slice(1)), { ...CASE_KEY, participantId })
})

t.test('what was closed is reported as closed, with the reason', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  await openFor(api)
  await kiosk.nextEvent(1)
  await closeFor(api)
  t.same(await kiosk.nextEvent(2), {
    type: 'device.close_case',
    id: `${NOW_MS}-1`,
    data: { caseId: CASE_ID, participantId: participant(1).id, reason: 'SIGNED' },
  })
})

t.test('the time from an event to its kiosk is measured while the kiosk listens', async (t) => {
  const metrics = new RecordingMetrics()
  const { api, base } = await kioskWorld(t, { metrics })
  await openFor(api)
  await api.timers.moveTo(NOW_MS + 60_000)
  const kiosk = await kioskAt(t, base)
  await kiosk.nextEvent(1)
  const measured = () => metrics.observed.get('sigcase_kiosk_delivery_seconds')
  t.equal(measured(), undefined, 'nobody listened when the first event was published')
  const get = api.devices.get.bind(api.devices)
  api.devices.get = async (key) => {
    const found = await get(key)
    if (found?.spec.handOver?.state === 'closed') await api.timers.moveTo(NOW_MS + 60_250)
    return found
  }
  await closeFor(api)
  await kiosk.nextEvent(2)
  t.same(measured(), [0.25])
})

t.test('a stream is not kept, not collected by proxies, and says when to come back', async (t) => {
  const { api, base } = await kioskWorld(t)
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

t.test(
  'a kiosk that reconnects gets what is current and new to it, and nothing else',
  async (t) => {
    const { api, base } = await kioskWorld(t)
    await openFor(api)
    const first = await kioskAt(t, base)
    const { id } = await first.nextEvent(1)
    first.source.close()

    const same = await rawStream(t, base, { 'last-event-id': id })
    await openFor(api, 2)
    await until('the next', () => same.text.includes('device.open_case'))
    t.equal(same.text.split('event: ').length - 1, 1, 'the first was not sent again')
    t.match(same.text, participant(2).id)

    const older = await rawStream(t, base, { 'last-event-id': id })
    await until('what was missed', () => older.text.includes(participant(2).id))
    for (const unknown of ['x', '', '99999999999999-0', `${NOW_MS}-`]) {
      const stream = await rawStream(t, base, { 'last-event-id': unknown })
      await until('all anew', () => stream.text.includes(participant(2).id))
    }
  },
)

t.test('never an open of a case that ended, of who signed, or of ten minutes ago', async (t) => {
  const reasons = {
    CANCELLED: (api: TestApi) => api.seed({ ...QUICK, phase: 'CANCELLED' }),
    SIGNED: (api: TestApi) => api.seed({ ...QUICK, signed: 1 }),
    EXPIRED: (api: TestApi) => api.seed({ ...QUICK, definition: { validUntil: NOW } }),
    '': (api: TestApi) => api.timers.moveTo(NOW_MS + HAND_OVER_LIFE_MS + 1),
  }
  for (const [reason, happen] of Object.entries(reasons)) {
    const { api, base } = await kioskWorld(t)
    await openFor(api)
    await happen(api)
    if (reason === 'EXPIRED') await api.timers.moveTo(NOW_MS + 5_000)
    const { type, data } = await (await kioskAt(t, base)).nextEvent(1)
    t.equal(type, 'device.close_case')
    t.notOk(data.url)
    t.equal(data.reason ?? '', reason)
  }
})

t.test('a lost notification costs a minute', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  const current = (await api.devices.get(DEVICE_KEY))!
  const showing = { caseId: CASE_ID, participantId: participant(1).id }
  await api.devices.replace(handOver(current, { state: 'open', ...showing }, NOW_MS))
  await settle()
  t.equal(kiosk.events.length, 0)
  await api.timers.moveTo(NOW_MS + 4 * HEARTBEAT_INTERVAL_MS)
  await kiosk.nextEvent(1)
})

t.test('a store that fails is asked again with the next heartbeat', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  const { get } = api.cases
  await openFor(api, 1)
  await kiosk.nextEvent(1)
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
  t.equal((await kiosk.nextEvent(2)).data.participantId, participant(2).id)
})

t.test('a notification during a refresh is not lost', async (t) => {
  const { api, base } = await kioskWorld(t)
  const kiosk = await kioskAt(t, base)
  const publishChange = () => api.ephemeral.publish(DEVICE_CHANGED, JSON.stringify(DEVICE_KEY))
  for (let turns = 0; turns < 12; turns++) {
    void publishChange()
    // So many turns later the look that was asked for is somewhere on its way.
    for (let turn = 0; turn < turns; turn++) await undefined
    const current = (await api.devices.get(DEVICE_KEY)) ?? device()
    const participantId = participant((turns % 2) + 1).id
    api.devices.seed(handOver(current, { state: 'open', caseId: CASE_ID, participantId }, NOW_MS))
    void publishChange()
    await kiosk.nextEvent(turns + 1)
  }
  t.equal(kiosk.events.length, 12)
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
  api.seed({ ...QUICK, definition: { quickSign: true, title: '\u{1f58b}'.repeat(255) } })
  for (let events = 0; events < 50_000 && !condition(); events++) {
    const participantId = participant((events % 2) + 1).id
    await changeDevice(DEVICE_KEY, api, (current) =>
      handOver(current, { state: 'open', caseId: CASE_ID, participantId }, NOW_MS),
    )
    await setImmediate()
  }
}

t.test('a client that does not read is cut when too much waits for it', async (t) => {
  const { api, base } = await kioskWorld(t)
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
  const { api, base } = await kioskWorld(t)
  const end = await deafClient(t, api, base)
  await handOverUntil(api, () => end.writableLength > 0)
  t.notOk(end.destroyed)
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  t.ok(end.destroyed)
})

t.test('a client that reads nothing is cut when its stream ends, too', async (t) => {
  const { api, base } = await kioskWorld(t)
  const end = await deafClient(t, api, base)
  await handOverUntil(api, () => end.writableLength > 0)
  await api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`)
  await settle()
  t.notOk(end.destroyed, 'what is unread may still be read')
  await api.timers.moveTo(NOW_MS + HEARTBEAT_INTERVAL_MS)
  t.ok(end.destroyed)
})
