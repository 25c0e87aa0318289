/** Jobs in Redis, one BullMQ queue for each kind; they hold ids and are gone when they end. */
import { setImmediate } from 'node:timers'
import {
  createNodeRedisClient,
  Queue,
  RedisConnection,
  WaitingError,
  Worker,
  type Job,
} from 'bullmq'
import type { createClient } from 'redis'
import type { JobCounts, JobKind, JobPayloads, JobQueue } from '../../domain/ports/jobs.ts'
import { inTime } from '../in-time.ts'

const ID_PATTERN = /^[A-Za-z0-9_-]+$/
/** How long a job stays with a worker that is silent; workers speak up twice as often. */
const LOCK_MS = 20_000
/** Jobs of a worker that died run again after the lock's life and at most twice this time. */
const STALLED_CHECK_INTERVAL_MS = 5_000
/** A job that ends its worker so often is forgotten, until the controller asks for it again. */
const MAXIMUM_STALLS = 3
/** What could not be written when a connection broke is written again. */
const RETRY_DELAY_MS = 1_000
/** How many jobs that ended are kept. */
const NONE = { count: 0 }
/** BullMQ's own record of what happened, which nobody reads. */
const KEPT_EVENTS = 100
/**
 * BullMQ asks Redis for its version once, and stays unusable for ever when the connection breaks
 * just then. So it does not ask; it takes this one for granted, which blocks for parts of a second.
 */
const NO_QUESTIONS = { skipVersionCheck: true }
RedisConnection.minimumVersion = '7.0.8'
/** Shorter than the time that a cluster gives a process to end, which is 30 seconds. */
const DRAIN_LIMIT_MS = 25_000

/** Of node-redis; BullMQ makes its blocking connections by duplicating it. */
type RedisClient = ReturnType<typeof createClient>

interface Ending {
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error' | 'connect', listener: () => void): Ending
}

/** BullMQ's own view of a client. */
type BullClient = ReturnType<typeof createNodeRedisClient>

export interface BullJobQueueOptions {
  /** Lets commands wait for a connection; is the adapter's own from now on: changed, then ended. */
  client: Pick<RedisClient, 'duplicate'> & Ending
  /** Before every key, so that services can share one Redis. */
  prefix: string
  /** Is told of a handler that threw, and of a job that its workers did not survive. */
  onFailed(error: unknown, kind: JobKind, id: string): void
  /** Is told of failures of the connection, after which BullMQ goes on by itself. */
  onError(error: unknown): void
  lockMs?: number
  stalledCheckIntervalMs?: number
  /** How long running jobs have when the queue is closed, in milliseconds; 25 seconds if absent. */
  drainLimitMs?: number
}

/** BullMQ refuses ids that are whole numbers. */
const bullId = (kind: JobKind, id: string) => `${kind}_${id}`
const portId = (kind: JobKind, id = '') => id.slice(kind.length + 1)

/**
 * Ends a client and keeps it ended: a ping that was under way fails, and the client would then send
 * the next; a connection that was being made would be kept; and BullMQ connects a client again that
 * was never connected.
 */
function endForGood(client: Ending): void {
  const destroy = () => client.destroy()
  client.connect = () => Promise.reject(new Error('the queue is closed'))
  destroy()
  client.on('connect', destroy).on('error', () => setImmediate(destroy))
}

const isInTime = (work: Promise<unknown>) =>
  inTime(work).then(
    () => true,
    () => false,
  )

export class BullJobQueue implements JobQueue {
  readonly #options: BullJobQueueOptions
  /** Refuses at once while there is no connection: additions must not pile up in memory. */
  readonly #adding: ReturnType<BullJobQueueOptions['client']['duplicate']>
  /** As BullMQ wants them; it leaves their errors to nobody when it ends, which would end all. */
  readonly #toAdd: object
  readonly #toWork: object
  readonly #queues = new Map<JobKind, Queue>()
  readonly #workers = new Map<JobKind, Worker>()
  readonly #paused = new Set<JobKind>()
  /** One to work with, and its duplicates. */
  readonly #clients: Ending[] = []
  readonly #bullClients: BullClient[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(options: BullJobQueueOptions) {
    this.#options = options
    const { client } = options
    const duplicate = client.duplicate.bind(client)
    // BullMQ ends none of its own while Redis is away: each would look for it for ever.
    client.duplicate = ((...settings) => {
      const made = duplicate(...settings)
      this.#clients.push(made)
      return made
    }) as typeof duplicate
    this.#clients.push(client)
    this.#adding = client.duplicate({
      disableOfflineQueue: true,
      // An addition has its limit here already; the client's own is a third of what one costs.
      commandOptions: { timeout: 0 },
    })
    this.#toAdd = this.#bullClient(this.#adding).on('error', options.onError)
    // Its errors are told already, by who made the client and by each worker.
    this.#toWork = this.#bullClient(client).on('error', () => undefined)
  }

  /** Keeps the client, and every duplicate that BullMQ makes of it. */
  #bullClient(client: object): BullClient {
    const made = createNodeRedisClient(client as never)
    const duplicate = made.duplicate.bind(made)
    made.duplicate = (...settings) => {
      const another = duplicate(...settings)
      this.#bullClients.push(another)
      return another
    }
    this.#bullClients.push(made)
    return made
  }

  async add<K extends JobKind>(
    kind: K,
    id: string,
    payload: JobPayloads[K],
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    if (!ID_PATTERN.test(id)) throw new RangeError(`"${id}" is no job id`)
    const jobId = bullId(kind, id)
    const options = delayMs > 0 ? { jobId, delay: Math.ceil(delayMs) } : { jobId }
    await inTime(this.#queue(kind).add(kind, payload, options))
  }

  work<K extends JobKind>(
    kind: K,
    concurrency: number,
    handler: (payload: JobPayloads[K]) => Promise<void>,
  ): void {
    const { prefix, onFailed, onError, lockMs, stalledCheckIntervalMs } = this.#options
    const run = async (job: Job<JobPayloads[K], void>, token?: string) => {
      const { id, data } = job
      if (this.#paused.has(kind)) {
        // It came with the answer that this worker was waiting for when it was paused.
        await job.moveToWait(token)
        throw new WaitingError()
      }
      // A failed job is over as any other is: no word of its error goes to Redis.
      const running = handler(data).catch((error: unknown) =>
        onFailed(error, kind, portId(kind, id)),
      )
      this.#running.add(running)
      await running.finally(() => this.#running.delete(running))
    }
    const worker = new Worker<JobPayloads[K], void>(kind, run, {
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

  /** Whether this process takes jobs, and of every kind that it was told to. */
  isConsumed(): boolean {
    const workers = [...this.#workers.values()]
    return workers.length > 0 && workers.every((worker) => worker.isRunning() || worker.isPaused())
  }

  async count(kind: JobKind): Promise<JobCounts> {
    const counts = await inTime(this.#queue(kind).getJobCounts('wait', 'delayed', 'active'))
    const { wait = 0, delayed = 0, active = 0 } = counts
    return { waiting: wait, delayed, running: active }
  }

  /** Running jobs have `drainLimitMs`; those that take longer are taken up by another worker. */
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

  /** Waits for running jobs, and for Redis only as long as for any command: it may be away. */
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
