/** `GET /graphql` as a WebSocket: subscriptions by `graphql-transport-ws` (decision 270). */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import websocket, { type WebSocket } from '@fastify/websocket'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handleProtocols } from 'graphql-ws'
import { OpenSockets, type OpenSocket } from '../graphql/open-sockets.ts'
import {
  socketServer,
  type SocketExtra,
  type SocketServerOptions,
} from '../graphql/socket-server.ts'
import { closeFor, CONNECT_AGAIN, giveWay, GOING_AWAY, serveSocket } from '../graphql/socket.ts'
import { describeRequest } from '../logging.ts'
import { countRequest } from '../metrics.ts'
import { addressOf } from '../origin.ts'
import { callerOf } from '../throttle.ts'

const PATH = '/graphql'
const SWITCHING_PROTOCOLS = 101
/** RFC 6455, 4.4: an answer to another version names the one that the server has. */
const WEBSOCKET_VERSION = '13'
/** As other bodies of JSON. */
const MAXIMUM_MESSAGE_BYTES = 64 * 1024
/** Clients send a message in one piece or few. */
const MAXIMUM_FRAGMENTS = 64
/** Then a client that was asked to close its socket is disconnected. */
const CLOSING_MS = 2_000

/** A page of another site; REST refuses its scripts too, because no route allows CORS. */
class ForeignOriginError extends Error {
  override readonly name = 'ForeignOriginError'
  readonly statusCode = 403
}

/** A plain request to the path of the WebSocket (RFC 9110, 15.5.22). */
class UpgradeRequiredError extends Error {
  override readonly name = 'UpgradeRequiredError'
  readonly statusCode = 426
}

/** Which requests Node hands over as upgrades; others are answered as if they asked for none. */
export function isSocketRequest({ method, url = '', headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket'
  return method === 'GET' && isWebSocket && url.split('?', 1)[0] === PATH
}

/** @throws ForeignOriginError for a browser on the page of another site */
function assertOwnOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  const { origin, host } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin) return
  if (URL.parse(origin)?.host === host) return
  throw new ForeignOriginError('WebSockets of other sites are not allowed')
}

async function requireUpgrade(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
  reply.header('upgrade', 'websocket')
  throw new UpgradeRequiredError('Send POST, or open a WebSocket')
}

/**
 * Answers handshakes that break the protocol (RFC 6455, 4.2.1). Otherwise the library would answer
 * them itself, and no hook of the answer would run: no line in the log, and no count.
 *
 * @returns the hook that keeps the answer of each request until then
 */
function answerBrokenHandshakes({ websocketServer }: FastifyInstance) {
  const replies = new WeakMap<IncomingMessage, FastifyReply>()
  websocketServer.on('wsClientError', ({ message }: Error, socket: Duplex, raw) => {
    const reply = replies.get(raw)
    if (!reply) return socket.destroy()
    const headers: Record<string, string | string[] | number | undefined> = reply.getHeaders()
    reply.raw.writeHead(400, {
      ...headers,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'sec-websocket-version': WEBSOCKET_VERSION,
    })
    reply.raw.end(JSON.stringify({ message }))
  })
  return (request: FastifyRequest, reply: FastifyReply) => void replies.set(request.raw, reply)
}

/** @returns undefined when the socket was closed, because there are too many */
function openPlace(
  sockets: OpenSockets,
  { socket, request }: Pick<SocketExtra, 'socket' | 'request'>,
): OpenSocket | undefined {
  try {
    return sockets.open(callerOf(addressOf(request)), () => giveWay(socket))
  } catch (error) {
    if (!closeFor(error, socket)) request.log.error({ err: error }, 'unexpected failure')
    return undefined
  }
}

/** The plugin for WebSockets, within limits. */
async function registerWebSockets(
  app: FastifyInstance,
  { updates }: SocketServerOptions,
): Promise<void> {
  await app.register(websocket, {
    options: {
      handleProtocols,
      maxPayload: MAXIMUM_MESSAGE_BYTES,
      maxFragments: MAXIMUM_FRAGMENTS,
      closeTimeout: CLOSING_MS,
      // A few bytes could unpack to many.
      perMessageDeflate: false,
    } as never,
    // An error of the connection has closed the socket, with its code; one of our own has not.
    errorHandler: (error, socket, request) => {
      if (socket.readyState !== socket.OPEN) return
      request.log.error({ err: error }, 'unexpected failure')
      socket.terminate()
    },
    preClose: async () => {
      const { websocketServer } = app
      for (const socket of websocketServer.clients) socket.close(GOING_AWAY, CONNECT_AGAIN)
      websocketServer.close()
      // After the sockets: a client would take its subscription as over, and not connect again.
      await updates.close()
    },
  })
}

/**
 * Adds the WebSocket, and ends the streams with the process. It needs a plugin of its own, because
 * the token comes in the first message and not in a header.
 */
export async function graphqlSocketRoute(
  app: FastifyInstance,
  options: SocketServerOptions,
): Promise<void> {
  const { timers, metrics, baseUrl } = options.deps
  const sockets = new OpenSockets(metrics)
  const server = socketServer(options)
  await registerWebSockets(app, options)
  const keepReply = answerBrokenHandshakes(app)
  app.decorateRequest('tenant', '')

  // As GET without an upgrade is answered (RFC 9110, 9.3.2).
  app.head(PATH, { schema: { hide: true } }, requireUpgrade)
  app.route({
    method: 'GET',
    url: PATH,
    exposeHeadRoute: false,
    config: { isEventStream: true },
    schema: { hide: true },
    onRequest: async (request, reply) => {
      assertOwnOrigin(request, baseUrl)
      keepReply(request, reply)
    },
    handler: requireUpgrade,
    wsHandler: (socket: WebSocket, request) => {
      countRequest(request, SWITCHING_PROTOCOLS, metrics)
      const place = openPlace(sockets, { socket, request })
      if (!place) return
      const extra: SocketExtra = { socket, request, place }
      const openedAtMs = timers.nowMs()
      socket.once('close', (closeCode) => {
        place.close()
        extra.cancelEnd?.()
        const durationMs = timers.nowMs() - openedAtMs
        request.log.info({ ...describeRequest(request), closeCode, durationMs }, 'WebSocket closed')
      })
      serveSocket({ socket, server, extra, timers })
    },
  })
}
