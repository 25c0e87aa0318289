/** OutboundHttp over undici: requests reach only addresses that the egress guard allows. */
import type {
  OutboundHttp,
  OutboundRequest,
  OutboundResult,
} from '../../domain/ports/outbound-http.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import { USER_AGENT } from '../../domain/version.ts'
import { afterArrivedInput } from '../shared/in-time.ts'
import { GuardedConnector, systemResolve, type Resolve } from './connector.ts'
import { EgressPolicy } from './egress-policy.ts'
import { Exchange, type Answer } from './exchange.ts'
import { failureOf, NoAnswerError, RefusedError } from './failures.ts'
import { OriginPools } from './origin-pools.ts'

export interface GuardedHttpOptions {
  timers: Timers
  /** Addresses and CIDR ranges that are allowed although they are not public. */
  allowed?: readonly string[]
  /** PEM, trusted in addition to the runtime's authorities. */
  certificateAuthorities?: readonly string[]
  resolve?: Resolve
}

/** Headers that the URL, the body, the connection or this client determines. */
const FOREIGN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/** @throws RefusedError */
function readUrl(text: string): URL {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    throw new RefusedError('url-not-allowed')
  }
  return url
}

export class GuardedHttp implements OutboundHttp {
  readonly #timers: Timers
  readonly #pools: OriginPools
  readonly #running = new Set<Promise<Answer>>()

  /** @throws Error when an entry of `allowed` is neither an address nor a CIDR range */
  constructor({ timers, allowed = [], certificateAuthorities = [], resolve }: GuardedHttpOptions) {
    this.#timers = timers
    const connector = new GuardedConnector({
      policy: new EgressPolicy(allowed),
      resolve: resolve ?? systemResolve,
      timers,
      certificateAuthorities,
    })
    this.#pools = new OriginPools(connector.connect, timers)
  }

  async send(request: OutboundRequest): Promise<OutboundResult> {
    const startedMs = this.#timers.nowMs()
    const durationMs = () => Math.max(0, this.#timers.nowMs() - startedMs)
    try {
      const answer = await this.#exchange(request)
      return { outcome: 'answered', ...answer, durationMs: durationMs() }
    } catch (error) {
      const failure = failureOf(error)
      return failure instanceof RefusedError
        ? { outcome: 'refused', reason: failure.reason, durationMs: durationMs() }
        : { outcome: 'no-answer', reason: failure.reason, durationMs: durationMs() }
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
    await this.#pools.close()
  }

  async #exchange(request: OutboundRequest): Promise<Answer> {
    const { origin, pathname, search } = readUrl(request.url)
    if (Object.keys(request.headers).some((name) => FOREIGN_HEADERS.has(name.toLowerCase()))) {
      throw new RefusedError('request-malformed')
    }
    const pool = this.#pools.get(origin)
    const exchange = new Exchange(request.maximumResponseOctets)
    this.#running.add(exchange.answer)
    const expire = () => exchange.giveUp(new NoAnswerError('timeout'))
    const cancel = this.#timers.after(request.timeoutMs, () => {
      // A request that is not sent yet must not be sent late.
      if (exchange.isStarted) afterArrivedInput(expire)
      else expire()
    })
    try {
      pool.dispatch(
        {
          path: pathname + search,
          method: request.method,
          headers: { ...request.headers, 'user-agent': USER_AGENT },
          body: request.body ?? null,
        },
        exchange,
      )
      return await exchange.answer
    } finally {
      cancel()
      this.#running.delete(exchange.answer)
    }
  }
}
