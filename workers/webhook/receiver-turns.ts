/** Limits the webhooks that a worker delivers to one host at a time, so that others do not wait. */

/** A quarter of the webhooks that a worker delivers at a time. */
export const MAXIMUM_OF_HOST = 16
/** Deliveries that wait in a process; further ones return to the queue. */
const MAXIMUM_WAITING = 1_000
/** Deliveries that one job takes over; then it returns the next one to the queue, and ends. */
const MAXIMUM_TAKEN_OVER = 10

interface Waiting<P> {
  id: string
  payload: P
}

export interface ReceiverTurnsOptions<P> {
  /**
   * Runs the job of a delivery that has waited, in the turn of the job that takes it over. It does
   * not fail.
   */
  resume(payload: P, turn: Pick<ReceiverTurn<P>, 'run'>): Promise<unknown>
  /** Returns a delivery to the queue after its present job has ended. It does not fail. */
  requeue(payload: P): void
}

/** The turn of one run of a job; a job whose lock was lost can run twice at a time. */
export interface ReceiverTurn<P> {
  /**
   * Runs the work if the host has a free turn, and otherwise returns at once. The job keeps the
   * turn until `end`.
   */
  run(host: string, waiting: Waiting<P>, work: () => Promise<void>): Promise<void>
  /** Uses the turn for deliveries that wait, and then frees it. */
  end(): Promise<void>
}

/**
 * Deliveries to a host that has no free turn do not occupy a job: they wait here, and the jobs that
 * have the turns of the host take them over, in order. When the process ends, they return to the
 * queue; a process that is killed loses only the order, because the controller finds what is due.
 */
export class ReceiverTurns<P> {
  readonly #options: ReceiverTurnsOptions<P>
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting<P>[]>()
  /** Ids of all waiting deliveries. */
  readonly #ids = new Set<string>()
  #isStopped = false

  constructor(options: ReceiverTurnsOptions<P>) {
    this.#options = options
  }

  /** Opens the access of one run of a job. */
  open(): ReceiverTurn<P> {
    let held: string | undefined
    return {
      run: async (host, waiting, work) => {
        const running = this.#running.get(host) ?? 0
        if (running >= MAXIMUM_OF_HOST) return this.#wait(host, waiting)
        this.#running.set(host, running + 1)
        held = host
        return work()
      },
      end: async () => {
        const host = held
        if (host === undefined) return
        held = undefined
        await this.#takeOver(host)
        this.#free(host)
      },
    }
  }

  /** Lets no further delivery wait. @returns those that wait, for the queue */
  stop(): P[] {
    this.#isStopped = true
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#ids.clear()
    return all.map(({ payload }) => payload)
  }

  #wait(host: string, waiting: Waiting<P>): void {
    if (this.#ids.has(waiting.id)) return
    if (this.#isStopped || this.#ids.size >= MAXIMUM_WAITING) {
      this.#options.requeue(waiting.payload)
      return
    }
    this.#ids.add(waiting.id)
    const queue = this.#waiting.get(host)
    if (queue) queue.push(waiting)
    else this.#waiting.set(host, [waiting])
  }

  #free(host: string): void {
    const running = (this.#running.get(host) ?? 1) - 1
    if (running === 0) this.#running.delete(host)
    else this.#running.set(host, running)
  }

  #next(host: string): Waiting<P> | undefined {
    const queue = this.#waiting.get(host)
    const next = queue?.shift()
    if (next) this.#ids.delete(next.id)
    if (queue?.length === 0) this.#waiting.delete(host)
    return next
  }

  async #takeOver(host: string): Promise<void> {
    for (let count = 0; count <= MAXIMUM_TAKEN_OVER; count++) {
      const next = this.#next(host)
      if (!next) return
      if (count === MAXIMUM_TAKEN_OVER) return this.#options.requeue(next.payload)
      await this.#options.resume(next.payload, { run: (_host, _waiting, work) => work() })
    }
  }
}
