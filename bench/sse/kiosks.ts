/** Simulates 10,000 kiosks on plain sockets, and the tenant that hands cases over to them. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { KIOSKS, kioskAt } from './devices.ts'
import type { KiosksOrder, KiosksReport } from './messages.ts'

/** Concurrent connection attempts. */
const CONNECTING = 64
const OPENING = 'event: device.open_case'
/** An event that takes longer counts as lost. */
const PATIENCE_MS = 5_000
/** Coprime to the number of kiosks, so that the order reaches each kiosk. */
const STRIDE = 3_701

const [, , port = '', tenantToken = '', caseId = '', participantId = ''] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const sockets = new Map<number, Socket>()
const waiting = new Map<number, (arrivedMs: number) => void>()

function onText(index: number, text: string): void {
  if (text.includes(OPENING)) waiting.get(index)?.(performance.now())
}

async function open(index: number): Promise<void> {
  const { deviceId, token } = kioskAt(index)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1')
  sockets.set(index, socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(index))
  const head = [
    `GET /devices/${deviceId}/events HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: text/event-stream',
    `Authorization: Bearer ${token}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [string]
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 80))
  socket.on('data', (text: string) => onText(index, text))
}

async function connectAll({ from, to }: { from: number; to: number }): Promise<KiosksReport> {
  let next = from
  const work = async () => {
    while (next < to) await open(next++)
  }
  await Promise.all(Array.from({ length: CONNECTING }, work))
  return { connected: sockets.size }
}

async function disconnectAll(): Promise<KiosksReport> {
  for (const socket of sockets.values()) socket.destroy()
  while (sockets.size > 0) await setTimeout(10)
  return { disconnected: true }
}

/** @returns the status of the answer */
async function handOver(index: number): Promise<number> {
  const body = JSON.stringify({ deviceId: kioskAt(index).deviceId })
  const asked = request({
    agent,
    port: Number(port),
    host: '127.0.0.1',
    method: 'POST',
    path: `/cases/${caseId}/participants/${participantId}/open`,
    headers: {
      authorization: `Bearer ${tenantToken}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  asked.end(body)
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.statusCode as number
}

/** @returns milliseconds from the tenant's request to the kiosk's event */
async function measureLatency(index: number): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number>()
  waiting.set(index, resolve)
  const startedMs = performance.now()
  const late = setTimeout(PATIENCE_MS, undefined, { ref: false })
  const [status, arrivedMs] = await Promise.all([handOver(index), Promise.race([promise, late])])
  waiting.delete(index)
  if (status !== 200) throw new Error(`open answered ${status}`)
  return arrivedMs === undefined ? undefined : arrivedMs - startedMs
}

async function openMany(asked: { count: number; everyMs: number }): Promise<KiosksReport> {
  const { count, everyMs } = asked
  const runs: Promise<number | undefined | null>[] = []
  const startedMs = performance.now()
  for (let n = 0; n < count; n++) {
    runs.push(measureLatency((n * STRIDE) % KIOSKS).catch(() => null))
    await setTimeout(Math.max(startedMs + (n + 1) * everyMs - performance.now(), 0))
  }
  const ends = await Promise.all(runs)
  return {
    opened: {
      latenciesMs: ends.filter((end) => typeof end === 'number'),
      lost: ends.filter((end) => end === undefined).length,
      refused: ends.filter((end) => end === null).length,
    },
  }
}

// The row has ended.
process.once('disconnect', () => process.exit())
process.on('message', async (order: KiosksOrder) => {
  if ('connect' in order) process.send?.(await connectAll(order.connect))
  if ('disconnect' in order) process.send?.(await disconnectAll())
  if ('open' in order) process.send?.(await openMany(order.open))
})
