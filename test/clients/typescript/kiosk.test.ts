import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import {
  listenKiosk,
  SigcaseClient,
  type KioskEvent,
} from '../../../clients/typescript/src/index.ts'
import { EventStreamParser } from '../../../clients/typescript/src/event-stream.ts'
import { openWorld } from '../../conformance/world.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { scriptedServer } from '../scripted.ts'

t.setTimeout(300_000)
const HAND_OVER = { caseId: 'c', participantId: 'p', url: 'u', title: 't' }
const opened = (id: string) =>
  `id: ${id}\nevent: device.open_case\ndata: ${JSON.stringify(HAND_OVER)}\n\n`

/** A channel that runs one script for each connection, the last one for all further ones. */
async function channel(t: Test, scripts: readonly ((response: ServerResponse) => void)[]) {
  let count = 0
  const receiver = await httpReceiver((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const script = scripts[Math.min(count++, scripts.length - 1)]
    script?.(response)
  })
  t.teardown(() => receiver.close())
  const kiosk = { baseUrl: `http://127.0.0.1:${receiver.port}`, deviceId: 'd', token: 'secret' }
  return { kiosk, requests: receiver.requests }
}

async function take(events: AsyncGenerator<KioskEvent>, count: number): Promise<KioskEvent[]> {
  const taken: KioskEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

t.test('a token that HTTP cannot send ends the channel at once', async (t) => {
  const { kiosk, requests } = await channel(t, [])
  await t.rejects(take(listenKiosk({ ...kiosk, token: 'secret…' }), 1), {
    code: 'VALIDATION_FAILED',
    message: /^channel of the kiosk: \/authorization must /,
  })
  t.equal(requests.length, 0)
})

t.test('a kiosk of the service receives cases and their closing', async (t) => {
  const world = await openWorld(t)
  const client = new SigcaseClient({ baseUrl: world.url, token: () => world.token() })
  const { deviceId, token } = await client.registerDevice('Reception')
  const devices: string[] = []
  for await (const { name } of client.devices()) devices.push(name)
  t.same(devices, ['Reception'])

  const connected = Promise.withResolvers<void>()
  const onConnection = (isConnected: boolean) => isConnected && connected.resolve()
  const events = listenKiosk({ baseUrl: world.url, deviceId, token, onConnection })
  const taking = take(events, 2)
  await connected.promise
  const { id, participants } = await world.inProgress({ quickSign: true })
  const participantId = participants[0].id
  t.same(await client.openOnDevice(id, participantId, deviceId), {
    caseId: id,
    participantId,
    deviceId,
  })
  await world.sign(participants[0])
  t.match(await taking, [
    { type: 'device.open_case', data: { caseId: id, participantId, title: 'Zmluva o dielo' } },
    { type: 'device.close_case', data: { caseId: id, reason: 'SIGNED' } },
  ])

  await client.removeDevice(deviceId)
  const removed = listenKiosk({ baseUrl: world.url, deviceId, token }).next()
  await t.rejects(removed, { code: 'UNAUTHORIZED', status: 401 })
})

t.test('a lost connection is opened again with the last id', async (t) => {
  const { kiosk, requests } = await channel(t, [
    (response) => response.end(`retry: 20\n\n${opened('1-0')}`),
    (response) => response.write(opened('2-0'), () => response.destroy()),
    (response) => void response.write(opened('3-0')),
  ])
  const changes: boolean[] = []
  const onConnection = (isConnected: boolean) => void changes.push(isConnected)
  const events = await take(listenKiosk({ ...kiosk, onConnection }), 3)
  t.same(
    events.map(({ id }) => id),
    ['1-0', '2-0', '3-0'],
  )
  t.same(events[0]?.data, HAND_OVER)
  t.same(
    requests.map(({ headers }) => headers['last-event-id']),
    [undefined, '1-0', '2-0'],
  )
  t.equal(requests[0]?.headers.authorization, 'Bearer secret')
  t.same(changes, [true, false, true, false, true, false])
})

t.test('a kiosk goes on where it was before it was restarted', async (t) => {
  const { kiosk, requests } = await channel(t, [(response) => void response.write(opened('9-0'))])
  await take(listenKiosk({ ...kiosk, lastEventId: '8-0' }), 1)
  t.equal(requests[0]?.headers['last-event-id'], '8-0')
})

t.test('a replaced kiosk does not take its channel back', async (t) => {
  const { kiosk, requests } = await channel(t, [
    (response) => response.end('event: device.replaced\nretry: 60000\ndata: {}\n\n'),
  ])
  await t.rejects(listenKiosk(kiosk).next(), { code: 'DEVICE_REPLACED' })
  t.equal(requests.length, 1)
})

t.test('a kiosk without a connection gives up after its time', async (t) => {
  const { url: baseUrl, requests } = await scriptedServer(t, [{ status: 503, body: 'busy' }])
  const kiosk = { baseUrl, deviceId: 'd', token: 'secret', giveUpAfterMs: 1_500 }
  await t.rejects(listenKiosk(kiosk).next(), { code: 'CHANNEL_LOST' })
  t.ok(requests.length >= 2)
})

t.test('a signal ends a kiosk that waits', async (t) => {
  const { kiosk } = await channel(t, [() => undefined])
  const signal = AbortSignal.timeout(300)
  await t.rejects(listenKiosk({ ...kiosk, signal }).next(), { name: 'TimeoutError' })
})

t.test('a stream is parsed in any pieces', async (t) => {
  const text =
    ': hi\r\n\r\nid: 1\r\nevent: a\r\ndata: x\r\ndata:y\r\n\r\nretry: 50\ndata\n\nid: 2\n\n'
  const expected = [
    { type: 'a', data: 'x\ny', id: '1' },
    { type: 'message', data: '', id: '1' },
  ]
  for (const size of [1, 2, 3, 7, text.length]) {
    const parser = new EventStreamParser()
    const events = []
    for (let at = 0; at < text.length; at += size)
      events.push(...parser.push(text.slice(at, at + size)))
    t.same(events, expected, `pieces of ${size}`)
    t.equal(parser.retryMs, 50)
  }
  t.throws(() => new EventStreamParser().push('x'.repeat(100_000)), RangeError)
})
