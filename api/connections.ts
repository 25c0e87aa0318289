/** Ends the connections of the API without cutting a request (RFC 9112, 9.6). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A client that has just connected is about to send its request. */
const NEW_CONNECTION_MS = 1_000
/** How often idle connections are looked for while the server closes. */
const SWEEP_INTERVAL_MS = 100

interface Connection {
  /** Requests that are not answered yet. */
  running: number
  /** What the socket had received when the last answer was sent. */
  receivedBytes: number
  openedAtMs: number
  hasServed: boolean
}

/** Knows of every connection of a server whether a request is being received or answered. */
class Connections {
  readonly #connections = new Map<Socket, Connection>()

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const openedAtMs = performance.now()
      this.#connections.set(socket, { running: 0, receivedBytes: 0, openedAtMs, hasServed: false })
      socket.once('close', () => this.#connections.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      const connection = this.#connections.get(socket)
      if (!connection) return
      connection.running++
      response.once('close', () => {
        connection.running--
        connection.hasServed = true
        connection.receivedBytes = socket.bytesRead
      })
    })
  }

  /** Closes every connection on which no request is received or answered. */
  closeIdle(): void {
    for (const [socket, connection] of this.#connections) {
      if (connection.running > 0 || socket.bytesRead > connection.receivedBytes) continue
      const isNew = performance.now() - connection.openedAtMs < NEW_CONNECTION_MS
      if (connection.hasServed || !isNew) socket.destroySoon()
    }
  }
}

export interface EndingOptions {
  /** Whether the process was asked to end. */
  isDraining(): boolean
  /** After this time from the closing of the server, requests that still run are cut. */
  graceMs: number
}

/**
 * While the process drains, answers ask clients to close their connection. When the server closes,
 * idle connections are closed and requests in flight are finished, within the grace.
 */
export function endConnections(app: FastifyInstance, { isDraining, graceMs }: EndingOptions): void {
  const connections = new Connections(app.server)
  const timers: NodeJS.Timeout[] = []
  let isClosing = false
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing || isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    timers.push(
      setInterval(() => connections.closeIdle(), SWEEP_INTERVAL_MS),
      setTimeout(() => app.server.closeAllConnections(), graceMs),
    )
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer)
  })
}
