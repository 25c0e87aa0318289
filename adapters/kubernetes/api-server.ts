/** Requests to a Kubernetes API server: JSON both ways, limits of time, refusals by status. */
import { type HttpMethod, RequestContext, type KubeConfig } from '@kubernetes/client-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as sendRequest, type Dispatcher } from 'undici'
import { ServiceError } from '../../domain/errors.ts'
import { VERSION } from '../../domain/version.ts'

/** Waits for throttling included; less than a caller of the API waits. */
const REQUEST_LIMIT_MS = 8_000
/** When the server throttles and does not say for how long. */
const THROTTLE_DELAY_MS = 250
const MAXIMUM_ATTEMPTS = 20
/** How the service appears in `managedFields` and audit logs when no component is named. */
const SERVICE = 'sigcase'
/** To one server; a watch holds one. */
const MAXIMUM_CONNECTIONS = 32

const NOT_FOUND = 404
const TOO_MANY_REQUESTS = 429
const SERVER_FAILURE = 500

/** The server understood and said no. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** The word for machines, `AlreadyExists` for example. */
  readonly reason: string
  /** What was refused, where the server knows it by name. */
  readonly objectName: string | undefined
  /** Set when an expired listing can go on nevertheless. */
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
  /** From the root, with its parts encoded: see {@link pathOf}. */
  path: string
  query?: Query
  /** Of a PATCH: a merge patch (RFC 7396), or as a list a JSON patch (RFC 6902). */
  body?: object
  /** Another form of the answer, a table for example. */
  accept?: string
}

/** A path of names that may come from anywhere. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('')
}

function contentTypeOf(method: ApiRequest['method'], body: object): string {
  if (method !== 'PATCH') return 'application/json'
  return Array.isArray(body) ? 'application/json-patch+json' : 'application/merge-patch+json'
}

/** What the client keeps to itself: how it reaches a server. */
interface ClientInternals {
  createDispatcherOptions?: (...args: unknown[]) => { type: string; connect?: object }
  createDispatcher?: (...args: unknown[]) => Dispatcher
}

/**
 * One dispatcher for all requests: the client makes one, with its connections, for each. It speaks
 * HTTP/1.1, which is as fast here: Deno's HTTP/2 aborts the process when a server that ends says
 * so.
 *
 * @returns lets go of the connections: the next request opens new ones
 */
function keepDispatcher(config: KubeConfig): () => void {
  const client = config as unknown as ClientInternals
  const optionsOf = client.createDispatcherOptions?.bind(config)
  const create = client.createDispatcher?.bind(config)
  if (!optionsOf || !create) throw new Error('the Kubernetes client has other internals')
  const open = (...args: unknown[]) => {
    const { type, connect = {} } = optionsOf(...args)
    // A proxy is the client's own matter.
    if (type !== 'agent') return create(...args)
    return new Agent({ connect, allowH2: false, connections: MAXIMUM_CONNECTIONS })
  }
  let kept: Dispatcher | undefined
  client.createDispatcher = (...args) => (kept ??= open(...args))
  return () => {
    const old = kept
    kept = undefined
    // Requests that are under way there have limits of their own.
    old?.close().catch(() => {})
  }
}

/**
 * Names the client in every request, watches included: API servers write it to their audit log, and
 * apply their rules of priority by it.
 */
function nameClient(config: KubeConfig, client: string): void {
  const authenticate = config.applySecurityAuthentication.bind(config)
  config.applySecurityAuthentication = async (context) => {
    await authenticate(context)
    context.setHeaderParam('user-agent', `${client}/${VERSION}`)
  }
}

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
  /** Leaves a connection that may be half open. */
  readonly renew: () => void
  readonly #limitMs: number
  readonly #client: string

  /**
   * @param limitMs how long one request may take, its retries included
   * @param client name of the component: the manager of the fields that it writes
   */
  constructor(config: KubeConfig, limitMs = REQUEST_LIMIT_MS, client = SERVICE) {
    this.renew = keepDispatcher(config)
    nameClient(config, client)
    this.#client = client
    this.config = config
    this.#limitMs = limitMs
  }

  /**
   * @returns the answer's JSON
   * @throws ApiRefusal on 4xx
   * @throws ServiceError TIMEOUT when the server cannot be reached, is slow, fails, throttles or
   *   does not know the kind (yet); a write may have happened nevertheless
   */
  async send<T>(request: ApiRequest): Promise<T> {
    const deadlineMs = performance.now() + this.#limitMs
    const signal = AbortSignal.timeout(this.#limitMs)
    let delayMs: number | undefined
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const { response, text } = await this.#attempt(request, signal)
      const { statusCode: status } = response
      if (status < 400) return JSON.parse(text) as T
      const refusal = new ApiRefusal(status, text)
      delayMs = retryAfterMs(response)
      // A server that begins does not know each kind yet: not a word about any object.
      const knowsNoKind = status === NOT_FOUND && refusal.objectName === undefined
      if (status >= SERVER_FAILURE || knowsNoKind) throw unavailable(refusal, delayMs)
      if (status !== TOO_MANY_REQUESTS) throw refusal
      // What was throttled was not looked at.
      const waitMs = delayMs ?? THROTTLE_DELAY_MS
      if (performance.now() + waitMs >= deadlineMs) throw unavailable(refusal, waitMs)
      await sleep(waitMs)
    }
    throw unavailable(new Error('throttled again and again'), delayMs)
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
      // Not the client's own `fetch`, whose streams take as much time as all the rest.
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
