/** Has documents read by the reader that listens on a socket beside this process. */
import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import { ATTACHMENT, encode, frame, type SandboxTask } from './frames.ts'
import type { DocumentReader, Ending, ReadingLimits } from './reader.ts'

/** The reader ends a child at its limit; after this time more, the client stops waiting. */
const ANSWER_GRACE_MS = 5_000
/** Shorter than the time that readiness gives a check; a reader answers within milliseconds. */
const PING_LIMIT_MS = 2_000
/** A reader that was started again is found after this time. */
const REATTACH_DELAY_MS = 1_000
/** Size of a child's answer, encoded as JSON within JSON. */
const MAXIMUM_ENDING_BYTES = 40 * 1024 * 1024
const SILENT = 'the reader does not answer'

/** Collects what the reader answers until it closes the connection. */
async function readAnswer(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of socket as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAXIMUM_ENDING_BYTES) throw new Error('the reader answers without end')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

export class SocketReader implements DocumentReader {
  readonly #path: string
  #attached: Socket | undefined
  #reattach: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param path of the socket; see `reader-server.ts` */
  constructor(path: string) {
    this.#path = path
  }

  async read(task: SandboxTask, document: Uint8Array, limits: ReadingLimits): Promise<Ending> {
    const socket = connect({ path: this.#path })
    const timer = setTimeout(
      () => socket.destroy(new Error(SILENT)),
      limits.wallMs + ANSWER_GRACE_MS,
    )
    try {
      const bounds = Buffer.from(JSON.stringify(limits))
      for (const part of [bounds, Buffer.from(encode(task)), document]) {
        for (const piece of frame(part)) socket.write(piece)
      }
      const answer = await readAnswer(socket)
      if (answer === '') throw new Error('the reader closed the connection')
      return JSON.parse(answer) as Ending
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }

  /**
   * Whether the reader works: it closes a connection that sends nothing. One that hangs accepts
   * connections all the same, because the kernel does.
   *
   * @throws Error when it does not answer
   */
  async ping(limitMs = PING_LIMIT_MS): Promise<void> {
    const socket = connect({ path: this.#path })
    const timer = setTimeout(() => socket.destroy(new Error(SILENT)), limitMs)
    try {
      socket.end()
      await readAnswer(socket)
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }

  /** Keeps the reader from ending before this client is closed, also after it was started again. */
  attach(): void {
    if (this.#isClosed) return
    const socket = connect({ path: this.#path })
    this.#attached = socket
    for (const piece of frame(Buffer.from(ATTACHMENT))) socket.write(piece)
    socket.unref()
    socket.resume()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      if (this.#isClosed) return
      this.#reattach = setTimeout(() => this.attach(), REATTACH_DELAY_MS)
      this.#reattach.unref()
    })
  }

  /** Lets the reader end. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#reattach)
    this.#attached?.destroy()
  }
}
