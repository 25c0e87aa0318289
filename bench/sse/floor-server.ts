/** Floor of the row `sse` with only node:http: streams, heartbeats, and a hand-over request. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { participant, CASE_ID } from '../../test/fixtures/signature-case.ts'
import { answerOrders } from './answer-orders.ts'

const SLOTS = 150
const SLOT_MS = 100
/** Padding, as long as the token of a signing link. */
const EVENT = `event: device.open_case\ndata: ${'x'.repeat(500)}\n\n`

const streams = new Map<string, ServerResponse>()
const slots = Array.from({ length: SLOTS }, () => new Set<ServerResponse>())
let begun = 0
let turn = 0

function listen(deviceId: string, response: ServerResponse): void {
  const slot = slots[begun++ % SLOTS]
  streams.set(deviceId, response)
  slot?.add(response)
  response.once('close', () => {
    streams.delete(deviceId)
    slot?.delete(response)
  })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('retry: 1000\n\n')
}

async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { deviceId } = JSON.parse(await text(request)) as { deviceId: string }
  streams.get(deviceId)?.write(EVENT)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ deviceId }))
}

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (method === 'GET') return listen(url.split('/')[2] ?? '', response)
  void open(request, response)
})
setInterval(() => {
  turn = (turn + 1) % SLOTS
  for (const response of slots[turn] ?? []) response.write(':\n\n')
}, SLOT_MS)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerOrders({ port, tenantToken: 'none', caseId: CASE_ID, participantId: participant(1).id })
