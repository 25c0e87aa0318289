/**
 * Jobs in Redis, with one BullMQ queue per kind. Jobs contain ids and are removed when they end.
 */
import {
  createNodeRedisClient,
  Queue,
  RedisConnection,
  WaitingError,
  Worker,
  type Job,
} from 'bullmq'
import type { createClient } from 'redis'
import type { AddedPayload, JobCounts, JobKind, JobQueue } from '../../domain/ports/jobs.ts'
import { inTime } from '../shared/in-time.ts'
import {
  askByMarker,
  assumeRedisVersion,
  endForGood,
  reportDuplicates,
  type EndableClient,
} from '../shared/patched-dependencies.ts'

const ID_PATTERN = /^[A-Za-z0-9_-]+$/
/** How long a job stays with a silent worker; workers renew the lock twice as often. */
const LOCK_MS = 20_000
/** The jobs of a dead worker run again after the life of the lock plus at most twice this time. */
const STALLED_CHECK_INTERVAL_MS = 5_000
/** A job whose worker died this often is removed, until the controller adds it again. */
const MAXIMUM_STALLS = 3
/** Delay before a write is repeated after a broken connection. */
const RETRY_DELAY_MS = 1_000
/** Number of ended jobs to keep. */
const NONE = { count: 0 }
/** Length of BullMQ's own event log, which the service does not read. */
const KEPT_EVENTS = 100
/** See {@link assumeRedisVersion}. This version supports blocking for fractions of a second. */
const NO_QUESTIONS = { skipVersionCheck: true }
assumeRedisVersion(RedisConnection, '7.0.8')
/** Shorter than the grace period of a pod, which is 30 seconds by default. */
const DRAIN_LIMIT_MS = 25_000

/** The client of node-redis; BullMQ duplicates it for its blocking connections. */
type RedisClient = ReturnType<typeof createClient>

/** BullMQ's wrapper of a client. */
type BullClient = ReturnType<typeof createNodeRedisClient>

export interface BullJobQueueOptions {
  /** Queues commands while it is not connected. The adapter owns it: it changes and ends it. */
  client: Pick<RedisClient, 'duplicate'> & EndableClient
  /** Prefix of every key, so that services can share one Redis. */
  prefix: string
  /** Called for a handler that threw, and for a job whose workers died repeatedly. */
  onFailed(error: unknown, kind: JobKind, id: string): void
  /** Called for failures of the connection, from which BullMQ recovers by itself. */
  onError(error: unknown): void
  lockMs?: number
  stalledCheckIntervalMs?: number
  /** Time in milliseconds that running jobs get when the queue is closed; 25 seconds by default. */
  drainLimitMs?: number
}

/** BullMQ refuses ids that are whole numbers. */
const bullId = (kind: JobKind, id: string) => `${kind}_${id}`
const portId = (kind: JobKind, id = '') => id.slice(kind.length + 1)

const isInTime = (work: Promise<unknown>) =>
  inTime(work).then(
    () => true,
    () => false,
  )

export class BullJobQueue implements JobQueue {
  readonly #options: BullJobQueueOptions
  /** Fails at once while there is no connection, so that additions do not pile up in memory. */
  readonly #adding: ReturnType<BullJobQueueOptions['client']['duplicate']>
  /**
   * BullMQ's wrappers. When BullMQ ends, it removes its error listeners, and an unhandled error
   * would end the process.
   */
  readonly #toAdd: object
  readonly #toWork: object
  readonly #queues = new Map<JobKind, Queue>()
  readonly #workers = new Map<JobKind, Worker>()
  readonly #paused = new Set<JobKind>()
  /** The client and its duplicates. */
  readonly #clients: EndableClient[] = []
  readonly #bullClients: BullClient[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(options: BullJobQueueOptions) {
    this.#options = options
    const { client } = options
    reportDuplicates(client, (made) => this.#clients.push(made))
    this.#clients.push(client)
    this.#adding = client.duplicate({
      disableOfflineQueue: true,
      // `inTime` already limits an addition; the client's own timeout would add a third to its
      // cost.
      commandOptions: { timeout: 0 },
    })
    this.#toAdd = this.#bullClient(this.#adding).on('error', options.onError)
    // The creator of the client and each worker already report its errors.
    this.#toWork = this.#bullClient(client).on('error', () => undefined)
  }

  /** Wraps the client, and remembers every duplicate that BullMQ makes of it. */
  #bullClient(client: object): BullClient {
    const made = createNodeRedisClient(client as never)
    reportDuplicates(made, (another) => this.#bullClients.push(another))
    this.#bullClients.push(made)
    return made
  }

  async add<K extends JobKind>(
    kind: K,
    id: string,
    payload: AddedPayload<K>,
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    if (!ID_PATTERN.test(id)) throw new RangeError(`"${id}" is not a job id`)
    const jobId = bullId(kind, id)
    const options = delayMs > 0 ? { jobId, delay: Math.ceil(delayMs) } : { jobId }
    const queue = this.#queue(kind)
    // Before its first connection BullMQ would keep the job, and add it whenever Redis appears.
    await inTime(queue.waitUntilReady())
    await inTime(queue.add(kind, payload, options))
  }

  work<K extends JobKind>(
    kind: K,
    concurrency: number,
    handler: (payload: AddedPayload<K>) => Promise<void>,
  ): void {
    const { prefix, onFailed, onError, lockMs, stalledCheckIntervalMs } = this.#options
    const run = async (job: Job<AddedPayload<K>, void>, token?: string) => {
      const { id, data } = job
      if (this.#paused.has(kind)) {
        // The job arrived with the response for which this worker waited when it was paused.
        await job.moveToWait(token)
        throw new WaitingError()
      }
      // A failed job is removed like any other; its error is not written to Redis.
      const running = handler(data).catch((error: unknown) =>
        onFailed(error, kind, portId(kind, id)),
      )
      this.#running.add(running)
      await running.finally(() => this.#running.delete(running))
    }
    const worker = new Worker<AddedPayload<K>, void>(kind, run, {
      ...NO_QUESTIONS,
      connection: this.#toWork as never,
      prefix,
      concurrency,
      removeOnComplete: NONE,
      removeOnFail: NONE,
      lockDuration: lockMs ?? LOCK_MS,
      stalledInterval: stalledCheckIntervalMs ?? STALLED_CHECK_INTERVAL_MS,
      maxStalledCount: MAXIMUM_STALLS,
      runRetryDelay: RETRY_DELAY_MS,
    })
    askByMarker(worker)
    worker.on('error', onError)
    worker.on('failed', (job, error) => onFailed(error, kind, portId(kind, job?.id)))
    this.#workers.set(kind, worker)
    if (this.#paused.has(kind)) void worker.pause(true).catch(onError)
  }

  pause(kind: JobKind): void {
    if (this.#paused.has(kind)) return
    this.#paused.add(kind)
    void this.#workers.get(kind)?.pause(true).catch(this.#options.onError)
  }

  resume(kind: JobKind): void {
    if (!this.#paused.delete(kind)) return
    void this.#workers.get(kind)?.resume().catch(this.#options.onError)
  }

  /** Whether this process takes jobs, of every kind that it should handle. */
  isConsumed(): boolean {
    const workers = [...this.#workers.values()]
    return workers.length > 0 && workers.every((worker) => worker.isRunning() || worker.isPaused())
  }

  async count(kind: JobKind): Promise<JobCounts> {
    const counts = await inTime(this.#queue(kind).getJobCounts('wait', 'delayed', 'active'))
    const { wait = 0, delayed = 0, active = 0 } = counts
    return { waiting: wait, delayed, running: active }
  }

  async oldestWaitingMs(kind: JobKind): Promise<number | undefined> {
    const [oldest] = await inTime(this.#queue(kind).getJobs(['wait'], 0, 0, true))
    if (!oldest) return undefined
    return oldest.timestamp + (oldest.opts.delay ?? 0)
  }

  /** Waits `drainLimitMs` for running jobs; longer ones are repeated by another worker. */
  async close(): Promise<void> {
    const limit = Promise.withResolvers<void>()
    const timer = setTimeout(limit.resolve, this.#options.drainLimitMs ?? DRAIN_LIMIT_MS)
    await Promise.race([this.#drain(), limit.promise])
    clearTimeout(timer)
    const queues = Promise.all([...this.#queues.values()].map((queue) => queue.close()))
    await inTime(queues).catch(this.#options.onError)
    // A worker that waits for its first connection would wait, and keep its timers, for ever.
    for (const client of this.#bullClients) client.disconnect()
    for (const client of this.#clients) endForGood(client)
  }

  /**
   * Waits for running jobs, but for Redis only as long as for any command, because it may not be
   * reachable.
   */
  async #drain(): Promise<void> {
    const closed = Promise.all([...this.#workers.values()].map((worker) => worker.close()))
    while (!(await isInTime(closed)) && this.#running.size > 0)
      await Promise.allSettled(this.#running)
  }

  #queue(kind: JobKind): Queue {
    const known = this.#queues.get(kind)
    if (known) return known
    const queue = new Queue(kind, {
      ...NO_QUESTIONS,
      connection: this.#toAdd as never,
      prefix: this.#options.prefix,
      streams: { events: { maxLen: KEPT_EVENTS } },
    })
    queue.on('error', this.#options.onError)
    this.#queues.set(kind, queue)
    return queue
  }
}
