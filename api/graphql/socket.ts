/** One WebSocket with the protocol `graphql-transport-ws`, within limits (decision 270). */
import { Buffer } from 'node:buffer'
import type { WebSocket } from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import { CloseCode, MessageType, parseMessage, type Server } from 'graphql-ws'
import { ServiceError } from '../../domain/errors.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import { ThrottledError } from '../../application/errors.ts'
import { AuthenticationError } from '../errors.ts'
import { HEARTBEAT_MS, MAXIMUM_UNREAD_BYTES } from './event-stream.ts'

/** Messages, pings and unasked pongs of a client in the at most five minutes of a socket. */
export const MAXIMUM_MESSAGES = 1_000

/** RFC 6455, 7.4.1, and the registry of IANA: a client connects again. */
export const GOING_AWAY = 1001
/** Reason of {@link GOING_AWAY}. */
export const CONNECT_AGAIN = 'Connect again'
export const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
/** Octets of a reason (RFC 6455, 5.5.1), and characters that never take more. */
const MAXIMUM_REASON_BYTES = 123
const SHORT_REASON_CHARACTERS = 40

/** The library puts ids of subscriptions into reasons, and clients choose ids. */
const shortReason = (reason = '') =>
  Buffer.byteLength(reason) <= MAXIMUM_REASON_BYTES
    ? reason
    : reason.slice(0, SHORT_REASON_CHARACTERS)

/** Makes room for another socket. */
export const giveWay = (socket: Pick<WebSocket, 'close'>) =>
  socket.close(TRY_AGAIN_LATER, 'Too many sockets')

/** Where errors are logged. */
interface Logging {
  request: Pick<FastifyRequest, 'log'>
}

export interface SocketOptions<Extra extends Logging> {
  socket: WebSocket
  server: Server<Extra>
  /** What the hooks of the server get with each message. */
  extra: Extra
  timers: Timers
}

/** Closes a socket because of an error of its hooks, as REST answers the same error. */
export function closeFor(error: unknown, socket: Pick<WebSocket, 'close'>): boolean {
  if (error instanceof AuthenticationError) {
    const isForbidden = error.statusCode === 403
    socket.close(isForbidden ? CloseCode.Forbidden : CloseCode.Unauthorized, error.message)
  } else if (error instanceof ThrottledError || error instanceof ServiceError) {
    socket.close(TRY_AGAIN_LATER, error.message)
  } else {
    socket.close(CloseCode.InternalServerError, 'Internal Server Error')
    return false
  }
  return true
}

/** Messages that only a server sends; the library throws an error for them. */
const OF_SERVER = new Set([MessageType.ConnectionAck, MessageType.Next, MessageType.Error])

function isOfServer(text: string): boolean {
  try {
    return OF_SERVER.has(parseMessage(text).type)
  } catch {
    return false
  }
}

/**
 * Cuts clients that do not read, or do not answer a ping.
 *
 * @param onUnexpected called for a pong that answers no ping
 * @returns stops it
 */
function sendHeartbeats(
  socket: WebSocket,
  timers: Timers,
  onUnexpected: () => unknown,
): () => void {
  let isAlive = true
  let cancel = () => undefined as void
  socket.on('pong', () => {
    if (isAlive) onUnexpected()
    isAlive = true
  })
  const arm = () => {
    cancel = timers.after(HEARTBEAT_MS, () => {
      // Everything before this heartbeat should have left the process by now.
      if (!isAlive || socket.bufferedAmount > 0) return socket.terminate()
      isAlive = false
      socket.ping()
      arm()
    })
  }
  arm()
  return () => cancel()
}

/** Serves a socket until it closes. The library has the protocol; this has the limits. */
export function serveSocket<Extra extends Logging>(options: SocketOptions<Extra>): void {
  const { socket, server, extra, timers } = options
  let messages = 0
  /** Whether the client may go on. */
  const admit = () => {
    messages += 1
    if (messages > MAXIMUM_MESSAGES) socket.close(POLICY_VIOLATION, 'Too many messages')
    if (socket.bufferedAmount > MAXIMUM_UNREAD_BYTES) socket.terminate()
    return socket.readyState === socket.OPEN
  }
  const fail = (error: unknown) => {
    if (!closeFor(error, socket)) extra.request.log.error({ err: error }, 'unexpected failure')
  }
  const send = (text: string) =>
    new Promise<void>((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve()
      // An error closes the socket, which ends the subscriptions.
      socket.send(text, () => resolve())
      if (socket.bufferedAmount > MAXIMUM_UNREAD_BYTES) socket.terminate()
    })
  const stopHeartbeats = sendHeartbeats(socket, timers, admit)
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send,
      close: (code, reason) => socket.close(code, shortReason(reason)),
      onMessage: (take) =>
        socket.on('message', (data: Buffer, isBinary: boolean) => {
          if (!admit()) return
          if (isBinary) return socket.close(CloseCode.BadRequest, 'Send text frames')
          const text = String(data)
          if (isOfServer(text)) return socket.close(CloseCode.BadRequest, 'Unexpected message')
          take(text).catch(fail)
        }),
    },
    extra,
  )
  socket.on('ping', admit)
  socket.once('close', (code: number, reason: Buffer) => {
    stopHeartbeats()
    void closed(code, String(reason)).catch(fail)
  })
}
