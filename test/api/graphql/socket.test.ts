/** What a socket does with a client that reads too slowly, without a network. */
import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import t from 'tap'
import type { WebSocket } from '@fastify/websocket'
import type { Server, WebSocket as ProtocolSocket } from 'graphql-ws'
import { HEARTBEAT_MS, MAXIMUM_UNREAD_BYTES } from '../../../api/graphql/event-stream.ts'
import { MAXIMUM_MESSAGES, POLICY_VIOLATION, serveSocket } from '../../../api/graphql/socket.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'

/** A socket whose client reads nothing. */
class UnreadSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  protocol = 'graphql-transport-ws'
  bufferedAmount = 0
  /** What ended it. */
  end: number | 'terminated' | undefined
  pings = 0

  send(text: string, done: () => void): void {
    this.bufferedAmount += text.length
    done()
  }

  ping(): void {
    this.pings += 1
  }

  /** Throws for a long reason, as the library does. */
  close(code: number, reason = ''): void {
    if (Buffer.byteLength(reason) > 123) throw new RangeError('the reason is too long')
    this.end ??= code
    this.readyState = 2
  }

  terminate(): void {
    this.end ??= 'terminated'
    this.readyState = 3
  }
}

function serve() {
  const socket = new UnreadSocket()
  const timers = new FrozenTimers('2026-11-02T08:00:00.000Z')
  const seen = { messages: 0, closes: 0, protocol: undefined as unknown as ProtocolSocket }
  const server: Server = {
    opened: (protocol) => {
      seen.protocol = protocol
      protocol.onMessage(async () => void (seen.messages += 1))
      return async () => void (seen.closes += 1)
    },
  }
  const extra = { request: { log: { error: () => t.fail('nothing fails') } as never } }
  serveSocket({ socket: socket as unknown as WebSocket, server: server as never, extra, timers })
  const beat = () => timers.moveTo(timers.nowMs() + HEARTBEAT_MS)
  return { socket, seen, beat }
}

t.test('a client that leaves too much unread is disconnected', async (t) => {
  const { socket, seen } = serve()
  await seen.protocol.send('x'.repeat(MAXIMUM_UNREAD_BYTES))
  t.equal(socket.end, undefined)
  await seen.protocol.send('x')
  t.equal(socket.end, 'terminated')
  await seen.protocol.send('x')
  t.equal(socket.bufferedAmount, MAXIMUM_UNREAD_BYTES + 1, 'nothing more is sent')
})

t.test('answers to pings count as unread', async (t) => {
  const { socket } = serve()
  socket.bufferedAmount = MAXIMUM_UNREAD_BYTES + 1
  socket.emit('ping')
  t.equal(socket.end, 'terminated')
})

t.test('a heartbeat disconnects a client that has read nothing since the last one', async (t) => {
  const { socket, seen, beat } = serve()
  await beat()
  socket.emit('pong')
  await beat()
  t.equal(socket.pings, 2)
  socket.emit('pong')
  await seen.protocol.send('x')
  await beat()
  t.equal(socket.end, 'terminated')
})

t.test('a heartbeat disconnects a client that did not answer the last one', async (t) => {
  const { socket, beat } = serve()
  await beat()
  t.equal(socket.end, undefined)
  await beat()
  t.equal(socket.end, 'terminated')
})

t.test('messages and pings are limited together', async (t) => {
  const { socket, seen } = serve()
  for (let count = 0; count < MAXIMUM_MESSAGES / 2; count++) {
    socket.emit('message', Buffer.from('{}'), false)
    socket.emit('ping')
  }
  t.equal(socket.end, undefined)
  socket.emit('message', Buffer.from('{}'), false)
  t.equal(socket.end, POLICY_VIOLATION)
  t.equal(seen.messages, MAXIMUM_MESSAGES / 2)
})

t.test('only pongs that answer a ping are not counted', async (t) => {
  const { socket, beat } = serve()
  for (let count = 0; count < 2; count++) {
    await beat()
    socket.emit('pong')
  }
  for (let count = 0; count < MAXIMUM_MESSAGES; count++) socket.emit('pong')
  t.equal(socket.end, undefined)
  socket.emit('pong')
  t.equal(socket.end, POLICY_VIOLATION)
})

t.test('a reason that contains a long id is cut', async (t) => {
  for (const letter of ['x', 'ž', '東', '😀']) {
    const { socket, seen } = serve()
    await seen.protocol.close(4409, `Subscriber for ${letter.repeat(200)} already exists`)
    t.equal(socket.end, 4409, letter)
  }
})

t.test('a closed socket has no heartbeats', async (t) => {
  const { socket, seen, beat } = serve()
  socket.emit('close', 1000, Buffer.from(''))
  await beat()
  t.same([socket.pings, seen.closes], [0, 1])
})
