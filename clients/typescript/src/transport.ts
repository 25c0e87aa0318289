/** Sends requests: bearer token, JSON, time limits, and attempts again where that is safe. */
import { readBaseUrl } from './base-url.ts'
import { assertSendable, readError, SigcaseError } from './errors.ts'
import { backOffMs, readRetryAfterMs, sleep } from './waiting.ts'

const MAXIMUM_ATTEMPTS = 5
const REQUEST_TIMEOUT_MS = 30_000
/** A caller decides about longer waits: the error has the time in `data.retryAfterSeconds`. */
const MAXIMUM_RETRY_AFTER_MS = 60_000
/** Statuses after which the same request can succeed. */
const RETRYABLE: readonly number[] = [429, 503]

export interface ClientOptions {
  /** URL of the service, such as `https://sign.example.com`. */
  baseUrl: string
  /** Bearer token of the tenant, or a function that returns a current one. */
  token?: string | (() => string | Promise<string>)
  /** Attempts for one request, at least 1; 5 by default. */
  maximumAttempts?: number
  /** Milliseconds for one attempt, 30 000 by default. Uploads and downloads have ten minutes. */
  requestTimeoutMs?: number
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal
}

/**
 * When another attempt is safe: `always`, or only when the service did not accept the request
 * (429), because a second execution would have an effect of its own.
 */
export type Retry = 'always' | 'refused'

export interface SendOptions extends CallOptions {
  headers?: Readonly<Record<string, string>>
  /** Makes a new body for each attempt. */
  body?: () => BodyInit
  retry?: Retry
  timeoutMs?: number
}

export interface AskOptions extends CallOptions {
  query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  retry?: Retry
  /** Whether the request has the token of the tenant; true by default. */
  isPublic?: boolean
}

/** Sends requests of one client. */
export class Transport {
  readonly #options: ClientOptions
  /** URL of the service without a slash at its end. */
  readonly baseUrl: string

  /** @throws TypeError when `baseUrl` is not a URL of HTTP */
  constructor(options: ClientOptions) {
    this.#options = options
    this.baseUrl = readBaseUrl(options.baseUrl)
  }

  /** Bearer token for the header `Authorization`. */
  async token(): Promise<string> {
    const { token = '' } = this.#options
    return typeof token === 'function' ? token() : token
  }

  /** One attempt. @throws SigcaseError NETWORK, or the reason of the caller's signal */
  async #attempt(method: string, url: string, options: SendOptions): Promise<Response> {
    const { signal, headers = {}, body } = options
    const limitMs = options.timeoutMs ?? this.#options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
    const timeout = AbortSignal.timeout(limitMs)
    const content = body?.()
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: { ...headers },
      // A redirect would take the document or the token elsewhere.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(content === undefined ? {} : { body: content }),
      ...(content instanceof ReadableStream ? { duplex: 'half' } : {}),
    }
    try {
      const answer = await (this.#options.fetch ?? fetch)(url, init)
      // The body can fail as well; it is read under the same time limit.
      return new Response(await answer.arrayBuffer().then((bytes) => nullIfEmpty(bytes)), {
        status: answer.status || 500,
        headers: answer.headers,
      })
    } catch (cause) {
      signal?.throwIfAborted()
      const message = `${method} ${pathOf(url)}: no response: ${reasonOf(cause)}`
      throw new SigcaseError('NETWORK', message, { cause })
    }
  }

  /**
   * Sends a request, again while that is safe and can help.
   *
   * @param url absolute
   * @returns a response with status 2xx
   * @throws SigcaseError with the last failure
   */
  async send(method: string, url: string, options: SendOptions = {}): Promise<Response> {
    const { maximumAttempts = MAXIMUM_ATTEMPTS } = this.#options
    const { retry = 'always', signal, headers = {} } = options
    assertSendable(headers, `${method} ${pathOf(url)}`)
    for (let attempt = 1; ; attempt++) {
      let failure: SigcaseError
      let delayMs = backOffMs(attempt)
      try {
        const answer = await this.#attempt(method, url, options)
        if (answer.ok) return answer
        failure = await readError(answer, `${method} ${pathOf(url)}`)
        delayMs = readRetryAfterMs(answer.headers.get('retry-after'), Date.now()) ?? delayMs
      } catch (error) {
        if (!(error instanceof SigcaseError)) throw error
        failure = error
      }
      const isRetryable =
        failure.status === 429 || (retry === 'always' && isTemporary(failure.status))
      const isLast = attempt >= maximumAttempts || delayMs > MAXIMUM_RETRY_AFTER_MS
      if (!isRetryable || isLast) throw failure
      await sleep(delayMs, signal)
    }
  }

  /**
   * Calls an operation of the API.
   *
   * @param path with its slash; parts of it are already encoded
   * @returns the JSON body; undefined for an empty one
   * @throws SigcaseError
   */
  async ask<T>(method: string, path: string, options: AskOptions = {}): Promise<T> {
    const { query = {}, body, headers, isPublic = false, ...sending } = options
    const url = new URL(`${this.baseUrl}${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const json = body === undefined ? undefined : JSON.stringify(body)
    const answer = await this.send(method, url.href, {
      ...sending,
      headers: {
        ...(isPublic ? {} : { authorization: `Bearer ${await this.token()}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: () => json }),
    })
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

function isTemporary(status: number): boolean {
  return status === 0 || RETRYABLE.includes(status)
}

/** A response with status 204 may not have a body. */
function nullIfEmpty(bytes: ArrayBuffer): ArrayBuffer | null {
  return bytes.byteLength === 0 ? null : bytes
}

/** The query of a presigned URL is a secret and does not belong into a message. */
function pathOf(url: string): string {
  return new URL(url).pathname
}

/**
 * `fetch` says only that it failed; its innermost cause says why, such as `ECONNREFUSED`. Deno
 * names the URL, whose query can be a secret.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  // An error of several addresses has no message.
  const reason = error.message || String('code' in error ? error.code : error.name)
  return reason.replace(/\?[^\s'")]+/g, '?…')
}
