/** Keep-alive connections by origin, limited in number and age. */
import { Pool, type buildConnector } from 'undici'
import type { Timers } from '../../domain/ports/timers.ts'
import { NoAnswerError } from './failures.ts'

/** Further requests to an origin wait for a connection, within their own time limit. */
const CONNECTIONS_PER_ORIGIN = 32
const MAXIMUM_ORIGINS = 256
/** After this time, every new request uses the current addresses of the name. */
export const MAXIMUM_POOL_AGE_MS = 60_000
/**
 * An idle connection is closed after this time, or two seconds before the server would close it.
 */
const KEEP_ALIVE_MS = 4_000
const MAXIMUM_KEEP_ALIVE_MS = 30_000
const MAXIMUM_HEADER_OCTETS = 16 * 1024

interface AgedPool {
  pool: Pool
  bornMs: number
}

export class OriginPools {
  readonly #connect: buildConnector.connector
  readonly #timers: Timers
  /** In order of use; the last used pool is last. */
  readonly #pools = new Map<string, AgedPool>()
  readonly #retired = new Set<Pool>()
  #closed = false

  constructor(connect: buildConnector.connector, timers: Timers) {
    this.#connect = connect
    this.#timers = timers
  }

  /**
   * @param origin scheme, host and port, as in `URL.origin`
   * @throws NoAnswerError after `close`
   */
  get(origin: string): Pool {
    if (this.#closed) throw new NoAnswerError('connection-lost')
    const nowMs = this.#timers.nowMs()
    let aged = this.#pools.get(origin)
    if (aged && Math.abs(nowMs - aged.bornMs) >= MAXIMUM_POOL_AGE_MS) {
      this.#retire(origin, aged)
      aged = undefined
    }
    aged ??= { pool: this.#newPool(origin), bornMs: nowMs }
    this.#pools.delete(origin)
    this.#pools.set(origin, aged)
    const [oldest] = this.#pools
    if (oldest && this.#pools.size > MAXIMUM_ORIGINS) this.#retire(...oldest)
    return aged.pool
  }

  /** Closes every connection at once. */
  async close(): Promise<void> {
    this.#closed = true
    const pools = [...this.#pools.values()].map(({ pool }) => pool)
    await Promise.all([...pools, ...this.#retired].map((pool) => pool.destroy()))
  }

  /** Lets its running requests finish, then closes its connections. */
  #retire(origin: string, { pool }: AgedPool): void {
    this.#pools.delete(origin)
    this.#retired.add(pool)
    void pool.close().finally(() => this.#retired.delete(pool))
  }

  #newPool(origin: string): Pool {
    return new Pool(origin, {
      connect: this.#connect,
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAXIMUM_KEEP_ALIVE_MS,
      maxHeaderSize: MAXIMUM_HEADER_OCTETS,
      // The exchange as a whole has a limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }
}
