/**
 * Generates load at low cost: prepared bytes over plain sockets, one request at a time on each.
 */
import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const HEAD_END = Buffer.from('\r\n\r\n')
const CONNECTIONS = 32

export interface Target {
  port: number
  method: 'GET' | 'POST'
  path: string
  token: string
  body: string
}

/** Serialises the request. */
function requestBytes({ port, method, path, token, body }: Target): Buffer {
  const octets = Buffer.from(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${octets.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), octets])
}

/** Reads length and status of the first response in the buffer; undefined: incomplete. */
function readAnswer(buffer: Buffer): { length: number; status: number } | undefined {
  const headEnd = buffer.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const head = buffer.toString('latin1', 0, headEnd)
  const bodyLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (bodyLength === undefined) throw new Error('a response has no Content-Length')
  const length = headEnd + HEAD_END.length + Number(bodyLength)
  if (buffer.length < length) return undefined
  return { length, status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)) }
}

/** Sends one request after the other until stopped, and counts the responses. */
class Connection {
  answers = 0
  refusals = 0
  #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #request: Buffer
  #stopped = false

  constructor(target: Target) {
    this.#request = requestBytes(target)
    this.#socket = connect(target.port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    this.#socket.on('connect', () => this.#socket.write(this.#request))
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }

  #onData(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const answer = readAnswer(this.#received)
    if (!answer) return
    this.#received = this.#received.subarray(answer.length)
    this.answers++
    if (answer.status !== 200) this.refusals++
    if (!this.#stopped) this.#socket.write(this.#request)
  }
}

/**
 * Sends requests for `durationMs`.
 *
 * @returns number of responses; @throws Error when one is not 200
 */
export async function countAnswers(target: Target, durationMs: number): Promise<number> {
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(target))
  await setTimeout(durationMs)
  for (const connection of connections) connection.stop()
  const answers = connections.reduce((sum, connection) => sum + connection.answers, 0)
  const refusals = connections.reduce((sum, connection) => sum + connection.refusals, 0)
  if (answers === 0 || refusals > 0) throw new Error(`${refusals} of ${answers} were refused`)
  return answers
}
