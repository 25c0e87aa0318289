/** One request and its response, read up to a limit of octets within a time limit. */
import { Buffer } from 'node:buffer'
import type { Dispatcher } from 'undici'
import type { OutboundAnswer } from '../../domain/ports/outbound-http.ts'
import { failureOf, type NoAnswerError } from './failures.ts'

export type Answer = Omit<OutboundAnswer, 'outcome' | 'durationMs'>
type Headers = Answer['headers']

/** Informational responses (RFC 9110, 15.2) precede the final one. */
const FIRST_FINAL_STATUS = 200

/** Handles undici's events of one request; `answer` settles once and later events are ignored. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #maximumOctets: number
  readonly #chunks: Buffer[] = []
  #octets = 0
  #status = 0
  #headers: Headers = {}
  #controller: Dispatcher.DispatchController | undefined
  /** Set when the exchange is over, possibly before there was a connection. */
  #ended: Error | undefined

  constructor(maximumOctets: number) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#maximumOctets = maximumOctets
  }

  /** Whether the request is being sent or was sent. */
  get isStarted(): boolean {
    return this.#controller !== undefined
  }

  /** Ends the exchange without a response; a request that was not sent yet is not sent. */
  giveUp(error: NoAnswerError): void {
    this.#reject(error)
    this.#end(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) controller.abort(this.#ended)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (status < FIRST_FINAL_STATUS) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    const room = this.#maximumOctets - this.#octets
    const kept = chunk.subarray(0, room)
    this.#octets += kept.length
    // A copy, so that a small response does not retain the socket's whole buffer.
    if (kept.length > 0) this.#chunks.push(Buffer.from(kept))
    if (chunk.length <= room) return
    this.#finish(true)
    this.#end(new Error('the answer is too long'))
  }

  onResponseEnd(): void {
    this.#finish(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#reject(failureOf(error))
  }

  #finish(truncated: boolean): void {
    const body = new Uint8Array(Buffer.concat(this.#chunks, this.#octets))
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated })
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#controller?.abort(error)
  }
}
