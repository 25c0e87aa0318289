import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { openWorld, type Json } from '../../conformance/world.ts'
import { until } from '../../fixtures/kiosk.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { missingPython, startPython } from '../python.ts'

t.setTimeout(300_000)
const skip = await missingPython()
const KINDS = ['sync', 'async'] as const
const EVENT = 'id: 1-0\nevent: device.open_case\ndata: {"caseId":"c"}\n\n'

interface Listening {
  url: string
  deviceId: string
  token: string
  count?: number
  giveUpSeconds?: number
}

/** Starts a kiosk in Python. @returns what it has printed so far, and how it ended */
function listen(t: Test, kind: string, { url, deviceId, token, ...more }: Listening) {
  const { count = 1, giveUpSeconds = 60 } = more
  const args = [kind, url, deviceId, token, String(count), String(giveUpSeconds)]
  const child = startPython('drive_kiosk.py', args)
  t.teardown(() => child.kill('SIGKILL'))
  const output: Json[] = []
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => output.push(JSON.parse(line)))
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { output, ended }
}

for (const kind of KINDS) {
  t.test(`a kiosk receives a case and its closing, ${kind}`, { skip }, async (t) => {
    const world = await openWorld(t)
    const body = { name: 'Desk' }
    const { deviceId, token } = (await world.asTenant('POST', '/tenant/devices', { body })).json
    const kiosk = listen(t, kind, { url: world.url, deviceId, token, count: 2 })
    const { id, participants } = await world.inProgress({ quickSign: true })
    await until('the connection', () => kiosk.output.length > 0)
    const path = `/cases/${id}/participants/${participants[0].id}/open`
    t.equal((await world.asTenant('POST', path, { body: { deviceId } })).status, 200)
    await until('the case', () => kiosk.output.length > 1)
    await world.sign(participants[0])
    t.equal(await kiosk.ended, 0)
    t.match(kiosk.output, [
      { connected: true },
      { event: { type: 'device.open_case', data: { caseId: id } } },
      { event: { type: 'device.close_case', data: { caseId: id, reason: 'SIGNED' } } },
    ])
    await world.asTenant('DELETE', `/tenant/devices/${deviceId}`)
    const removed = listen(t, kind, { url: world.url, deviceId, token })
    await removed.ended
    t.same(removed.output, [{ error: 'UNAUTHORIZED' }])
  })

  t.test(`a lost connection is opened again with the last id, ${kind}`, { skip }, async (t) => {
    let connections = 0
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      connections += 1
      if (connections === 1) response.end(`retry: 20\n\n${EVENT}`)
      else if (connections === 2) response.write(EVENT.replace('1-0', '2-0'))
      else response.end('event: device.replaced\ndata: {}\n\n')
    })
    t.teardown(() => receiver.close())
    const url = `http://127.0.0.1:${receiver.port}`
    const place = { url, deviceId: 'd', token: 'secret' }
    const kiosk = listen(t, kind, { ...place, count: 2 })
    t.equal(await kiosk.ended, 0)
    t.match(
      kiosk.output.filter(({ event }) => event),
      [{ event: { id: '1-0' } }, { event: { id: '2-0' } }],
    )
    const ids = receiver.requests.map(({ headers }) => headers['last-event-id'])
    t.same(ids, [undefined, '1-0'])
    const replaced = listen(t, kind, place)
    await replaced.ended
    t.same(replaced.output.at(-1), { error: 'DEVICE_REPLACED' })
  })

  t.test(`a kiosk without a connection gives up, ${kind}`, { skip }, async (t) => {
    const receiver = await httpReceiver((_request, response) => void response.writeHead(503).end())
    t.teardown(() => receiver.close())
    const url = `http://127.0.0.1:${receiver.port}`
    const kiosk = listen(t, kind, { url, deviceId: 'd', token: 'secret', giveUpSeconds: 1.5 })
    await kiosk.ended
    t.same(kiosk.output, [{ error: 'CHANNEL_LOST' }])
    t.ok(receiver.requests.length >= 2)
  })
}
