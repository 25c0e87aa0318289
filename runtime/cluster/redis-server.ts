/**
 * Connects to Redis, and checks that `REDIS_URL` leads to a server that the queue and the counters
 * can work with.
 */
import { connectRedis, type RedisClient } from '../../adapters/redis/connect.ts'
import type { ServerFacts } from '../../adapters/redis/server-facts.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { RedisConfig } from '../config/redis.ts'
import type { Check } from './readiness.ts'

/** The policy under which Redis never evicts a part of a queue. */
const SAFE_POLICY = 'noeviction'

interface Log {
  error(details: object, message: string): void
}

/** A connection to a server; both functions throw when the server does not answer. */
export interface AskedServer {
  describeServer(): Promise<ServerFacts>
  /** Reads and writes a key. */
  epoch(): Promise<unknown>
}

/** Returns why the service cannot use the server, or undefined when it can. */
function describeServerFault({ mode, role }: ServerFacts): string | undefined {
  if (mode === 'sentinel') {
    return 'REDIS_URL points to a Sentinel; use an address that always points to the primary'
  }
  // Scripts of the queue and transactions use several keys, which a cluster may put on different
  // nodes.
  if (mode === 'cluster') {
    return 'REDIS_URL points to a server in cluster mode, which is not supported'
  }
  if (role === 'slave') {
    return 'REDIS_URL points to a read-only replica; use an address that points to the primary'
  }
  return undefined
}

/**
 * Builds a check of readiness: the server has answered since the start of the process, and the
 * service can work with it. A server that answered once is not asked again, so that a later
 * outage does not make the process unready.
 *
 * An eviction policy other than `noeviction` is logged and not refused: queues that lose jobs are
 * filled again, but only after a delay.
 *
 * @returns a check that throws when the server does not answer
 */
export function checkRedisServer(server: AskedServer, log: Log): Check {
  let isUsable = false
  let loggedFault: string | undefined
  let loggedPolicy: string | undefined
  return async () => {
    if (isUsable) return undefined
    const facts = await server.describeServer()
    const { evictionPolicy } = facts
    const fault = describeServerFault(facts)
    if (fault !== undefined && fault !== loggedFault) {
      log.error({ ...facts, fault }, 'Redis cannot be used')
    }
    if (
      evictionPolicy !== SAFE_POLICY &&
      evictionPolicy !== '' &&
      evictionPolicy !== loggedPolicy
    ) {
      log.error({ evictionPolicy }, 'Redis may evict jobs: set its maxmemory-policy to noeviction')
    }
    loggedFault = fault
    loggedPolicy = evictionPolicy
    if (fault !== undefined) return fault
    await server.epoch()
    isUsable = true
    return undefined
  }
}

/** Connects to Redis and reports whether the connection can be used. */
export function connectReported(
  { url, authorities }: Pick<RedisConfig, 'url' | 'authorities'>,
  metrics: Metrics,
  { onError, onReady }: { onError(error: unknown): void; onReady(): void },
): RedisClient {
  const report = (isConnected: boolean) =>
    metrics.set('sigcase_redis_connected', {}, Number(isConnected))
  report(false)
  const onLost = (error: unknown) => {
    report(false)
    onError(error)
  }
  const onConnected = () => {
    report(true)
    onReady()
  }
  return connectRedis(url, onLost, { onReady: onConnected, authorities })
}
