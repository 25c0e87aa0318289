/** The changed cases of one stream of a GraphQL subscription (decision 52). */
import type { Timers } from '../../domain/ports/timers.ts'

/** Cases that one stream has not sent yet; a client that is further behind subscribes again. */
export const MAXIMUM_PENDING = 1_000
/** Time between two events of one stream; changes of one case in it are one event. */
export const EVENT_GAP_MS = 250

export interface CaseUpdate {
  caseId: string
}

/** Yields changed cases until it is closed or the client is too far behind. */
export class UpdateSource implements AsyncIterableIterator<CaseUpdate> {
  readonly tenant: string
  readonly #caseId: string | undefined
  readonly #timers: Timers
  readonly #onEnd: () => void
  readonly #pending = new Set<string>()
  #waiting: ((result: IteratorResult<CaseUpdate>) => void) | undefined
  #cancelGap: (() => void) | undefined
  #hasEnded = false

  /** @param caseId absent: all cases of the tenant */
  constructor(
    { tenant, caseId }: { tenant: string; caseId: string | undefined },
    timers: Timers,
    onEnd: () => void,
  ) {
    this.tenant = tenant
    this.#caseId = caseId
    this.#timers = timers
    this.#onEnd = onEnd
  }

  /** Queues a change of a case of the tenant. */
  add(caseId: string): void {
    if (this.#hasEnded || (this.#caseId ?? caseId) !== caseId) return
    this.#pending.add(caseId)
    if (this.#pending.size > MAXIMUM_PENDING) this.end()
    else this.#deliver()
  }

  next(): Promise<IteratorResult<CaseUpdate>> {
    if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => {
      this.#waiting = resolve
      this.#deliver()
    })
  }

  async return(): Promise<IteratorResult<CaseUpdate>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Ends the source; pending changes are not sent. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#cancelGap?.()
    this.#waiting?.({ done: true, value: undefined })
    this.#onEnd()
  }

  #deliver(): void {
    const [caseId] = this.#pending
    if (caseId === undefined || !this.#waiting || this.#cancelGap) return
    this.#pending.delete(caseId)
    this.#waiting({ done: false, value: { caseId } })
    this.#waiting = undefined
    this.#cancelGap = this.#timers.after(EVENT_GAP_MS, () => {
      this.#cancelGap = undefined
      this.#deliver()
    })
  }
}
