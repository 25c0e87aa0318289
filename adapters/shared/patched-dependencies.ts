/**
 * Replaces members of third-party libraries where they have no option for what the service needs.
 * Each patch says which upstream change makes it unnecessary; its test fails when the patch is no
 * longer needed or no longer works. This file loads no library: callers pass the objects.
 *
 * One patch is elsewhere, because it runs in the browser: `web/docs/policy.ts`, for Scalar.
 */
import { setImmediate } from 'node:timers'
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import type { Agent, Dispatcher } from 'undici'

/** Internal members of the Kubernetes client that create its connections. */
interface KubernetesClientInternals {
  createDispatcherOptions?: (...args: unknown[]) => { type: string; connect?: object }
  createDispatcher?: (...args: unknown[]) => Dispatcher
}

/**
 * Makes the Kubernetes client use one dispatcher for all requests, instead of a new one with new
 * connections for each.
 *
 * Upstream change that removes it: `KubeConfig` keeps its dispatcher, or accepts one from its
 * caller (`@kubernetes/client-node`, `config.ts`).
 *
 * @param openAgent opens a dispatcher with the given TLS options
 * @returns a function that drops the connections; the next request opens new ones
 * @throws Error when the client has other internals
 */
export function keepDispatcher(
  config: KubeConfig,
  openAgent: (connect: Agent.Options['connect']) => Dispatcher,
): () => void {
  const client = config as unknown as KubernetesClientInternals
  const optionsOf = client.createDispatcherOptions?.bind(config)
  const create = client.createDispatcher?.bind(config)
  if (!optionsOf || !create) throw new Error('the Kubernetes client has other internals')
  const open = (...args: unknown[]) => {
    const { type, connect = {} } = optionsOf(...args)
    // The client itself handles a proxy.
    return type === 'agent' ? openAgent(connect) : create(...args)
  }
  let kept: Dispatcher | undefined
  client.createDispatcher = (...args) => (kept ??= open(...args))
  return () => {
    const old = kept
    kept = undefined
    // Requests in progress on it have their own limits.
    old?.close().catch(() => {})
  }
}

/**
 * Sets the user agent of every request of the Kubernetes client, including watches. API servers
 * write it to their audit log and use it in priority rules.
 *
 * Upstream change that removes it: an option for the user agent, also for watches.
 */
export function setUserAgent(config: KubeConfig, userAgent: string): void {
  const authenticate = config.applySecurityAuthentication.bind(config)
  config.applySecurityAuthentication = async (context) => {
    await authenticate(context)
    context.setHeaderParam('user-agent', userAgent)
  }
}

/**
 * Sets the version of Redis that BullMQ assumes when it skips its version check. The check has to
 * be skipped: BullMQ asks Redis for its version once, and stays unusable for ever when the
 * connection breaks during that request.
 *
 * Upstream change that removes it: BullMQ repeats the request, or has an option for the version.
 *
 * @param connections BullMQ's class `RedisConnection`
 */
export function assumeRedisVersion(connections: { minimumVersion: string }, version: string): void {
  connections.minimumVersion = version
}

interface Duplicating<Options extends unknown[], Client> {
  duplicate(...options: Options): Client
}

/**
 * Reports every duplicate that BullMQ makes of a client, so that the caller can end it. BullMQ does
 * not end its own clients while Redis is not reachable, and each would reconnect for ever.
 *
 * Upstream change that removes it: `Queue.close()` and `Worker.close()` of BullMQ end all clients
 * that they made, whatever state these are in.
 */
export function reportDuplicates<Options extends unknown[], Client>(
  client: Duplicating<Options, Client>,
  report: (duplicate: Client) => void,
): void {
  const duplicate = client.duplicate.bind(client)
  client.duplicate = (...options) => {
    const made = duplicate(...options)
    report(made)
    return made
  }
}

/** Members of BullMQ's `Worker` that decide when it asks Redis for a job. */
interface WorkerInternals<Job> {
  /** The last question found no job, so the next one waits for the marker of the queue. */
  drained: boolean
  /** Present while the worker waits for the marker. */
  waiting: unknown
  moveToActive(token: string, name?: string): Promise<Job | undefined>
  processJob(job: Job, token: string, fetchNext?: () => boolean): Promise<unknown>
}

/**
 * Makes a worker of BullMQ that was idle ask Redis for another job only when the marker of the
 * queue says that there may be one. Otherwise a worker that can run several jobs asks twice more
 * for each job: after it has taken the job, and when the job ends, although it already waits for
 * the marker. The scripts of BullMQ set the marker whenever a job is added or taken, so the worker
 * finds each job as soon as before. A busy worker asks as before.
 *
 * Upstream change that removes it: the main loop of `Worker` does this by itself.
 *
 * @param made a worker that has not taken a job yet
 * @throws Error when the worker has other internals
 */
export function askByMarker(made: object): void {
  const worker = made as WorkerInternals<object>
  const { moveToActive, processJob } = worker
  if (!moveToActive || !processJob || !('waiting' in worker && 'drained' in worker))
    throw new Error('the worker of BullMQ has other internals')
  worker.moveToActive = async (...args) => {
    const wasIdle = worker.drained
    const job = await moveToActive.apply(worker, args)
    if (wasIdle) worker.drained = true
    return job
  }
  worker.processJob = (job, token, fetchNext = () => true) =>
    processJob.call(worker, job, token, () => !worker.waiting && fetchNext())
}

/** A client of node-redis. */
export interface EndableClient {
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error' | 'connect', listener: () => void): EndableClient
}

/**
 * Ends a client of node-redis permanently. Otherwise a failing ping would trigger the next one, a
 * connection in progress would stay open, and BullMQ would reconnect a client that was never
 * connected.
 *
 * Upstream change that removes it: `destroy()` of node-redis also ends a connection in progress,
 * and BullMQ does not connect a client that was destroyed.
 */
export function endForGood(client: EndableClient): void {
  const destroy = () => client.destroy()
  client.connect = () => Promise.reject(new Error('the queue is closed'))
  destroy()
  client.on('connect', destroy).on('error', () => setImmediate(destroy))
}

/**
 * Observes the objects on which a property of this name is defined, until it is stopped. The worker
 * of pdf.js does not give out the document that it opens, but defines `linearization` on it.
 *
 * Upstream change that removes it: the worker of pdf.js exports its document class, or gives out
 * the object model of pages.
 */
export function observeDefinedProperty<T>(name: string) {
  const original = Object.defineProperty
  const observed: { target: T | undefined; stop(): void } = {
    target: undefined,
    stop() {
      Object.defineProperty = original
    },
  }
  Object.defineProperty = function defineProperty<O>(
    target: O,
    key: PropertyKey,
    descriptor: PropertyDescriptor & ThisType<unknown>,
  ): O {
    if (key === name) observed.target = target as unknown as T
    return original(target, key, descriptor)
  }
  return observed
}
