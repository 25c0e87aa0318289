/**
 * Throttling: so many requests in a minute from one address, or of one tenant, and then 429. The
 * counters are shared through the ephemeral store; while that is unavailable, every request is
 * admitted.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { ApiDeps } from './deps.ts'
import { AuthenticationError } from './errors.ts'
import { ThrottledError } from '../application/errors.ts'
import { originOf } from './origin.ts'

const WINDOW_MS = 60_000
const SECOND_MS = 1000
/** A store that answers later than this counts as unavailable. */
const PATIENCE_MS = 250
/** One subscriber has a /64 at least (RFC 6177): their addresses count as one. */
const IPV6_NETWORK_GROUPS = 4

export type ThrottleDeps = Pick<ApiDeps, 'ephemeral' | 'requestsPerMinute' | 'now'>
type Bucket = keyof NonNullable<ApiDeps['requestsPerMinute']>

/** The network that counts as one caller. */
export function callerOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const groups = ipaddr.parse(ip).toNormalizedString().split(':')
  return groups.slice(0, IPV6_NETWORK_GROUPS).join('_')
}

/** How many requests came under the name in this window, this one among them. */
async function count(key: string, { ephemeral }: ThrottleDeps): Promise<number> {
  const late = Promise.withResolvers<never>()
  const patience = setTimeout(
    () => late.reject(new Error('the ephemeral store does not answer')),
    PATIENCE_MS,
  )
  try {
    return await Promise.race([ephemeral.increment(key, WINDOW_MS), late.promise])
  } finally {
    clearTimeout(patience)
  }
}

/** @throws ThrottledError when the name has had all requests of this minute */
async function countFor(
  request: FastifyRequest,
  bucket: Bucket,
  name: string,
  deps: ThrottleDeps,
): Promise<void> {
  const limit = deps.requestsPerMinute?.[bucket] ?? Number.POSITIVE_INFINITY
  if (!Number.isFinite(limit)) return
  const nowMs = deps.now().getTime()
  const window = Math.floor(nowMs / WINDOW_MS)
  const requests = await count(`throttle/${bucket}/${name}/${window}`, deps).catch(
    (err: unknown) => {
      request.log.warn({ err, bucket }, 'requests are not counted')
      return 0
    },
  )
  if (requests <= limit) return
  throw new ThrottledError(Math.ceil(((window + 1) * WINDOW_MS - nowMs) / SECOND_MS))
}

/**
 * Counts a request of the address that calls: also by itself for one whose credential was refused,
 * where those with a good one are not counted by address (decision 172).
 * @throws ThrottledError
 */
export function countPublic(request: FastifyRequest, deps: ThrottleDeps): Promise<void> {
  return countFor(request, 'public', callerOf(originOf(request).ip), deps)
}

/**
 * Asks who calls; a credential that is refused counts for the address that it came from.
 * @throws ThrottledError, and what `identify` throws
 */
export async function countingGuesses<T>(
  request: FastifyRequest,
  deps: ThrottleDeps,
  identify: () => Promise<T>,
): Promise<T> {
  try {
    return await identify()
  } catch (error) {
    if (error instanceof AuthenticationError) await countPublic(request, deps)
    throw error
  }
}

/**
 * Throttles the routes of a plugin that anybody can call, by the address that calls; goes before
 * whatever else asks who it is.
 */
export function throttlePublic(app: FastifyInstance, deps: ThrottleDeps): void {
  app.addHook('onRequest', (request) => countPublic(request, deps))
}

/** Counts a request of the tenant that `tenantRoute` found. @throws ThrottledError */
export function countTenant(request: FastifyRequest, deps: ThrottleDeps): Promise<void> {
  return countFor(request, 'tenant', request.tenant, deps)
}
