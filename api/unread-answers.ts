/** Bounds the answers that clients do not read, so that they do not fill the memory. */
import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The most that clients leave unread, on all connections. The longest answer has some 25 MB. */
const MAXIMUM_UNREAD_BYTES = 128 * 1024 * 1024

/** Octets that wait for the clients of a server, by connection. */
class UnreadAnswers {
  readonly #maximumBytes: number
  readonly #unread = new Map<Socket, number>()
  #totalBytes = 0

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes
  }

  /** Counts octets that are sent, or (negative) that the client or its system has taken. */
  add(socket: Socket, bytes: number): void {
    const before = this.#unread.get(socket)
    if (before === undefined) return
    this.#unread.set(socket, before + bytes)
    this.#totalBytes += bytes
  }

  open(socket: Socket): void {
    this.#unread.set(socket, 0)
    socket.once('close', () => this.#forget(socket))
  }

  /** @returns the connection with the most octets, once all together are too many */
  takeLargest(): Socket | undefined {
    if (this.#totalBytes <= this.#maximumBytes) return undefined
    const [socket] = [...this.#unread].reduce((one, other) => (other[1] > one[1] ? other : one))
    this.#forget(socket)
    return socket
  }

  #forget(socket: Socket): void {
    this.#totalBytes -= this.#unread.get(socket) ?? 0
    this.#unread.delete(socket)
  }
}

const octetsOf = (payload: unknown): number =>
  typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0

/**
 * The connection of an exchange. A request whose body was refused has lost it, and an answer gets
 * it once the answers before it are sent.
 */
const connectionOf = (request: IncomingMessage, response: ServerResponse): Socket | null =>
  (request.socket as Socket | null) ?? response.socket

/**
 * Closes the connection with the most unread octets when all connections together have too many. A
 * client can ask for answers faster than it reads them: with many requests at a time on one
 * connection (RFC 9112, 9.3.2), or on many connections. Streams wait for their client themselves.
 */
export function limitUnreadAnswers(
  app: FastifyInstance,
  maximumBytes: number = MAXIMUM_UNREAD_BYTES,
): void {
  const unread = new UnreadAnswers(maximumBytes)
  app.server.on('connection', (socket: Socket) => unread.open(socket))
  app.addHook('onSend', (request, reply, payload, done) => {
    const socket = connectionOf(request.raw, reply.raw)
    if (!socket) return done(null, payload)
    const bytes = octetsOf(payload)
    // The connection was closed after the request had come.
    if (bytes > 0 && socket.destroyed) return done(null, '')
    unread.add(socket, bytes)
    reply.raw.once('close', () => unread.add(socket, -bytes))
    const largest = unread.takeLargest()
    if (largest) {
      request.log.warn({ ip: largest.remoteAddress }, 'unread answers were discarded')
      largest.destroy()
    }
    done(null, payload)
  })
}
