/** Shared parts of the emulators: a server on loopback that buffers bodies and injects faults. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Maximum number of recorded requests, because a local cluster may run for days. */
const MAXIMUM_REMEMBERED = 2_000

export interface EmulatedRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface EmulatedAnswer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** An injected fault, before the request is handled or after its effect. */
export interface Fault {
  /** Selects requests by method and path. */
  matches: (request: EmulatedRequest) => boolean
  /** Response to send instead; absent: the connection is closed. */
  answer?: EmulatedAnswer
  /** Whether the request still takes effect. */
  afterEffect?: boolean
  /**
   * Sends the response of the request in two halves: after the first one the connection is closed
   * (`cut`), nothing more comes (`stalled`), or the second one follows after a pause (`slow`).
   */
  body?: 'cut' | 'stalled' | 'slow'
  times: number
}

export interface EmulatedServer {
  /** Without a slash at its end. */
  origin: string
  port: number
  /** The latest, in order. */
  requests: EmulatedRequest[]
  faults: Fault[]
  close(): Promise<void>
}

/** Builds an `application/json` response like the REST APIs of Google. */
export const json = (status: number, value: unknown): EmulatedAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
})

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

function write(response: ServerResponse, { status, headers = {}, body = '' }: EmulatedAnswer) {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers })
  response.end(body)
}

/** Longer than any pause between two packets, and shorter than every time limit of the adapters. */
const SLOW_MS = 1_000

async function writeHalves(
  response: ServerResponse,
  { status, headers = {}, body = '' }: EmulatedAnswer,
  how: NonNullable<Fault['body']>,
): Promise<void> {
  const octets = Buffer.from(body)
  const half = Math.floor(octets.length / 2)
  response.writeHead(status, { ...headers, 'content-length': String(octets.length) })
  await new Promise((resolve) => response.write(octets.subarray(0, half), resolve))
  if (how === 'stalled') return
  if (how === 'slow') await sleep(SLOW_MS)
  if (how === 'slow') response.end(octets.subarray(half))
  else response.destroy()
}

type Handler = (request: EmulatedRequest) => Promise<EmulatedAnswer> | EmulatedAnswer

async function serve(
  { faults, requests }: Pick<EmulatedServer, 'faults' | 'requests'>,
  handle: Handler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '', `http://${incoming.headers.host}`),
    headers: incoming.headers,
    body: await readBody(incoming),
  }
  requests.push(request)
  if (requests.length > MAXIMUM_REMEMBERED) requests.shift()
  const fault = faults.find(({ times, matches }) => times > 0 && matches(request))
  if (fault) fault.times--
  if (!fault || fault.afterEffect || fault.body) {
    const answer = await handle(request)
    if (!fault) return write(response, answer)
    if (fault.body) return writeHalves(response, answer, fault.body)
  }
  if (fault.answer) write(response, fault.answer)
  else incoming.socket.destroy()
}

/** @param port 0: any free one */
export async function emulatedServer(handle: Handler, port = 0): Promise<EmulatedServer> {
  const state = { requests: [] as EmulatedRequest[], faults: [] as Fault[] }
  const server = createServer((request, response) => {
    serve(state, handle, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const taken = (server.address() as AddressInfo).port
  return {
    ...state,
    origin: `http://127.0.0.1:${taken}`,
    port: taken,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
