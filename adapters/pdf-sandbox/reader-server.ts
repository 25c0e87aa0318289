/**
 * Serves a reader on a Unix socket: a client can have documents read and nothing else.
 *
 * A worker on Deno that could start the sandbox itself could start any program with all rights.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Buffer } from 'node:buffer'
import { FrameReader } from './frame-reader.ts'
import { ATTACHMENT, decode, type SandboxTask } from './frames.ts'
import type { DocumentReader, ReadingLimits } from './reader.ts'

/** The owner and the group of the shared folder may connect. */
const SOCKET_MODE = 0o660
/** More than the documents that one worker process reads at once; others wait for their retry. */
const MAXIMUM_CONNECTIONS = 16
const MAXIMUM_WALL_MS = 600_000
const MAXIMUM_LIMITS_BYTES = 1_024
const MAXIMUM_TASK_BYTES = 32 * 1024 * 1024
/** An upload of 25 MB with everything that signing appends. */
const MAXIMUM_DOCUMENT_BYTES = 64 * 1024 * 1024
/** A connection that sends nothing for this time is closed. */
const IDLE_MS = 30_000

export interface ReaderServerOptions {
  reader: DocumentReader
  /** At most 107 bytes (unix(7)); a file that is left there is replaced. */
  path: string
  /** Called for each connection that sent no document or could not be served. */
  onFault?: (fault: unknown) => void
}

/** Connections of clients that are attached, and who waits until there are none. */
class Attachments {
  readonly #sockets = new Set<Socket>()
  #onNone: (() => void) | undefined

  add(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setTimeout(0)
    // Nothing more is read; the end of the client is noticed all the same.
    socket.resume()
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (this.#sockets.size === 0) this.#onNone?.()
    })
  }

  /** Waits until every attached client has gone. */
  async none(): Promise<void> {
    if (this.#sockets.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onNone = resolve
    await promise
  }
}

async function serve(
  socket: Socket,
  reader: DocumentReader,
  attachments: Attachments,
): Promise<void> {
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  const input = new FrameReader(socket as AsyncIterable<Buffer>)
  const first = (await input.part(MAXIMUM_LIMITS_BYTES)).toString()
  if (first === ATTACHMENT) return attachments.add(socket)
  const asked = JSON.parse(first) as ReadingLimits
  const { wallMs, isAmple = false, owner } = asked
  if (!(wallMs > 0 && wallMs <= MAXIMUM_WALL_MS)) throw new RangeError('the time limit is wrong')
  const task = decode<SandboxTask>((await input.part(MAXIMUM_TASK_BYTES)).toString())
  const document = await input.part(MAXIMUM_DOCUMENT_BYTES)
  // Nothing is sent while the child works.
  socket.setTimeout(0)
  const limits = { wallMs, isAmple, ...(typeof owner === 'string' && { owner }) }
  socket.end(JSON.stringify(await reader.read(task, document, limits)))
}

/**
 * Listens until it is closed.
 *
 * @returns waits until no client is attached any more, and closes the socket; documents that are
 *   still being read are given up. The caller bounds the time.
 * @throws Error when the socket cannot be made
 */
export async function serveReader({
  reader,
  path,
  onFault = () => {},
}: ReaderServerOptions): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const attachments = new Attachments()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    serve(socket, reader, attachments).catch((fault: unknown) => {
      // A health check connects and sends nothing.
      if (socket.bytesRead > 0) onFault(fault)
      socket.destroy()
    })
  })
  server.maxConnections = MAXIMUM_CONNECTIONS
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, SOCKET_MODE)
  return async () => {
    await attachments.none()
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
}
