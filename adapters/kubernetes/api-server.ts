/**
 * Requests to a Kubernetes API server: JSON, time limits, retries after throttling, and typed
 * refusals.
 */
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { type HttpMethod, RequestContext } from '@kubernetes/client-node/dist/gen/http/http.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as sendRequest, type Dispatcher } from 'undici'
import { ServiceError } from '../../domain/errors.ts'
import { VERSION } from '../../domain/version.ts'
import { withDeadline } from '../shared/in-time.ts'
import { keepDispatcher, setUserAgent } from '../shared/patched-dependencies.ts'

/** Includes waits for throttling; shorter than a caller of the API waits. */
const REQUEST_LIMIT_MS = 8_000
/** Delay when the server throttles without saying for how long. */
const THROTTLE_DELAY_MS = 250
const MAXIMUM_ATTEMPTS = 20
/** Default name of the service in `managedFields` and audit logs. */
const SERVICE = 'sigcase'
/** Connections to one server; each watch uses one. */
const MAXIMUM_CONNECTIONS = 32

const NOT_FOUND = 404
const TOO_MANY_REQUESTS = 429
const SERVER_FAILURE = 500

/** The server processed the request and refused it. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** Machine-readable reason, such as `AlreadyExists`. */
  readonly reason: string
  /** Name of the refused object, if the server states it. */
  readonly objectName: string | undefined
  /** Set when an expired listing can still be continued. */
  readonly continue: string | undefined

  constructor(status: number, body: string) {
    const { message, reason, details, metadata } = parseStatus(body)
    super(message ?? `the API server answered ${status}`)
    this.status = status
    this.reason = reason ?? ''
    this.objectName = details?.name
    this.continue = metadata?.continue
  }
}

interface StatusBody {
  message?: string
  reason?: string
  details?: { name?: string }
  metadata?: { continue?: string }
}

function parseStatus(body: string): StatusBody {
  try {
    return (JSON.parse(body) ?? {}) as StatusBody
  } catch {
    return {}
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute path with encoded segments; see {@link pathOf}. */
  path: string
  query?: Query
  /** Body; for a PATCH a merge patch (RFC 7396), or an array as JSON patch (RFC 6902). */
  body?: object
  /** Media type of another form of the response, such as a table. */
  accept?: string
}

/** Builds a path from segments of any origin. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('')
}

function contentTypeOf(method: ApiRequest['method'], body: object): string {
  if (method !== 'PATCH') return 'application/json'
  return Array.isArray(body) ? 'application/json-patch+json' : 'application/merge-patch+json'
}

/** HTTP/1.1 is as fast here; Deno's HTTP/2 aborts the process when a server sends GOAWAY. */
const openAgent = (connect: Agent.Options['connect']) =>
  new Agent({ connect, allowH2: false, connections: MAXIMUM_CONNECTIONS })

function retryAfterMs({ headers }: Dispatcher.ResponseData): number | undefined {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

const unavailable = (cause: unknown, delayMs?: number) =>
  new ServiceError(
    'TIMEOUT',
    delayMs === undefined ? {} : { retryAfterSeconds: Math.ceil(delayMs / 1000) },
    { cause },
  )

export class ApiServer {
  readonly config: KubeConfig
  /** Drops a connection that may be half open. */
  readonly renew: () => void
  readonly #limitMs: number
  readonly #client: string

  /**
   * @param limitMs limit of one request including its retries, in milliseconds
   * @param client name of the component, used as field manager
   */
  constructor(config: KubeConfig, limitMs = REQUEST_LIMIT_MS, client = SERVICE) {
    this.renew = keepDispatcher(config, openAgent)
    setUserAgent(config, `${client}/${VERSION}`)
    this.#client = client
    this.config = config
    this.#limitMs = limitMs
  }

  /**
   * @returns the parsed JSON response
   * @throws ApiRefusal on 4xx
   * @throws ServiceError TIMEOUT when the server is not reachable, too slow, fails, throttles or
   *   does not know the kind (yet); a write may have happened nevertheless
   */
  async send<T>(request: ApiRequest): Promise<T> {
    return withDeadline(this.#limitMs, (signal) => this.#sendUntil<T>(signal, request))
  }

  async #sendUntil<T>(signal: AbortSignal, request: ApiRequest): Promise<T> {
    const deadlineMs = performance.now() + this.#limitMs
    let delayMs: number | undefined
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const { response, text } = await this.#attempt(request, signal)
      const { statusCode: status } = response
      if (status < 400) return JSON.parse(text) as T
      const refusal = new ApiRefusal(status, text)
      delayMs = retryAfterMs(response)
      // A starting server does not know every kind yet; this 404 says nothing about the object.
      const knowsNoKind = status === NOT_FOUND && refusal.objectName === undefined
      if (status >= SERVER_FAILURE || knowsNoKind) throw unavailable(refusal, delayMs)
      if (status !== TOO_MANY_REQUESTS) throw refusal
      // A throttled request was not processed.
      const waitMs = delayMs ?? THROTTLE_DELAY_MS
      if (performance.now() + waitMs >= deadlineMs) throw unavailable(refusal, waitMs)
      await sleep(waitMs)
    }
    throw unavailable(new Error('the API server throttled every attempt'), delayMs)
  }

  async #attempt(request: ApiRequest, signal: AbortSignal) {
    const { method = 'GET', path, query = {}, body, accept = 'application/json' } = request
    const { server } = this.config.getCurrentCluster() ?? {}
    if (server === undefined) throw new Error('no cluster is configured')
    const context = new RequestContext(server + path, method as HttpMethod)
    const isWrite = method !== 'GET' && method !== 'DELETE'
    const asked = isWrite ? { fieldManager: this.#client, ...query } : query
    for (const [name, value] of Object.entries(asked)) {
      if (value !== undefined) context.setQueryParam(name, String(value))
    }
    context.setHeaderParam('accept', accept)
    if (body) {
      context.setHeaderParam('content-type', contentTypeOf(method, body))
    }
    try {
      await this.config.applySecurityAuthentication(context)
      const dispatcher = context.getDispatcher()
      // Not the client's own `fetch`, whose streams take as much time as everything else.
      const response = await sendRequest(context.getUrl(), {
        method,
        headers: context.getHeaders(),
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal,
        ...(dispatcher ? { dispatcher } : {}),
      })
      return { response, text: await response.body.text() }
    } catch (cause) {
      if (signal.aborted) this.renew()
      throw unavailable(cause)
    }
  }
}
