/**
 * Jobs within this process, with the semantics of the BullMQ adapter. The jobs of tenants take
 * turns (decision 327).
 */
import { FairOrder } from '../../domain/fair-order.ts'
import type {
  AddedPayload,
  JobCounts,
  JobKind,
  JobPayloads,
  JobQueue,
} from '../../domain/ports/jobs.ts'
import type { Timers } from '../../domain/ports/timers.ts'

const ID_PATTERN = /^[A-Za-z0-9_-]+$/
/** The group of jobs that belong to no tenant. */
const OF_NO_TENANT = ''

interface Job {
  id: string
  payload: JobPayloads[JobKind]
  /** When it became ready to run. */
  readyMs: number
}

interface Lane {
  waiting: FairOrder<Job>
  delayed: number
  running: Set<Promise<void>>
  concurrency: number
  isPaused: boolean
  handler?: (payload: never) => Promise<void>
}

export class InProcessJobQueue implements JobQueue {
  readonly #timers: Timers
  readonly #onFailed: (error: unknown, kind: JobKind, id: string) => void
  readonly #lanes = new Map<JobKind, Lane>()
  /** Waiting, delayed and running jobs. */
  readonly #present = new Set<string>()
  readonly #delayed = new Set<() => void>()
  #closed = false

  /** @param onFailed called for a handler that threw; the job is forgotten */
  constructor(timers: Timers, onFailed: (error: unknown, kind: JobKind, id: string) => void) {
    this.#timers = timers
    this.#onFailed = onFailed
  }

  async add<K extends JobKind>(
    kind: K,
    id: string,
    payload: AddedPayload<K>,
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    if (!ID_PATTERN.test(id)) throw new RangeError(`"${id}" is not a job id`)
    const name = `${kind}/${id}`
    if (this.#closed || this.#present.has(name)) return
    this.#present.add(name)
    const lane = this.#lane(kind)
    const start = () => {
      const group = 'tenant' in payload ? payload.tenant : OF_NO_TENANT
      lane.waiting.add(group, { id, payload, readyMs: this.#timers.nowMs() })
      this.#pump(kind)
    }
    if (delayMs <= 0) return start()
    lane.delayed++
    const cancel = this.#timers.after(delayMs, () => {
      lane.delayed--
      this.#delayed.delete(cancel)
      start()
    })
    this.#delayed.add(cancel)
  }

  work<K extends JobKind>(
    kind: K,
    concurrency: number,
    handler: (payload: AddedPayload<K>) => Promise<void>,
  ): void {
    const lane = this.#lane(kind)
    lane.handler = handler
    lane.concurrency = concurrency
    this.#pump(kind)
  }

  pause(kind: JobKind): void {
    this.#lane(kind).isPaused = true
  }

  resume(kind: JobKind): void {
    this.#lane(kind).isPaused = false
    this.#pump(kind)
  }

  async count(kind: JobKind): Promise<JobCounts> {
    const { waiting, delayed, running } = this.#lane(kind)
    return { waiting: waiting.size, delayed, running: running.size }
  }

  async oldestWaitingMs(kind: JobKind): Promise<number | undefined> {
    const readyMs = this.#lane(kind)
      .waiting.heads()
      .map((job) => job.readyMs)
    return readyMs.length > 0 ? Math.min(...readyMs) : undefined
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const cancel of this.#delayed) cancel()
    await Promise.all([...this.#lanes.values()].flatMap(({ running }) => [...running]))
  }

  #lane(kind: JobKind): Lane {
    const lane = this.#lanes.get(kind) ?? {
      waiting: new FairOrder(),
      delayed: 0,
      running: new Set(),
      concurrency: 1,
      isPaused: false,
    }
    this.#lanes.set(kind, lane)
    return lane
  }

  #pump(kind: JobKind): void {
    const lane = this.#lane(kind)
    const isOpen = () => !this.#closed && !lane.isPaused
    while (isOpen() && lane.handler && lane.running.size < lane.concurrency) {
      const job = lane.waiting.take()
      if (!job) return
      const run = this.#run(kind, job, lane.handler).finally(() => {
        lane.running.delete(run)
        this.#pump(kind)
      })
      lane.running.add(run)
    }
  }

  async #run(kind: JobKind, { id, payload }: Job, handler: NonNullable<Lane['handler']>) {
    try {
      await handler(payload as never)
    } catch (error) {
      this.#onFailed(error, kind, id)
    } finally {
      this.#present.delete(`${kind}/${id}`)
    }
  }
}
