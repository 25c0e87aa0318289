/** The cases of a tenant that are written while somebody observes them, from all processes. */
import { parseUpdate } from '../../application/cases/publish-updates.ts'
import { ThrottledError } from '../../application/errors.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CASE_UPDATED } from '../../domain/ports/pub-sub.ts'
import type { ApiDeps } from '../deps.ts'

/** Streams of one tenant that one process serves; each tab of the console has one. */
export const MAXIMUM_STREAMS_PER_TENANT = 20
/** Streams that one process serves. */
const MAXIMUM_STREAMS = 2_000
/** Cases that one stream has not sent yet; a client that is further behind reads anew. */
export const MAXIMUM_PENDING = 1_000
/** Time between two events of one stream; changes of one case in it are one event. */
export const EVENT_GAP_MS = 250
/** Another process may have a free place. */
const RETRY_AFTER_SECONDS = 30

export interface CaseUpdate {
  caseId: string
}

type UpdateDeps = Pick<ApiDeps, 'ephemeral' | 'timers'>

/** The changed cases of one stream, each once; it ends when it is closed or too far behind. */
export class UpdateSource implements AsyncIterableIterator<CaseUpdate> {
  readonly tenant: string
  readonly #caseId: string | undefined
  readonly #timers: ApiDeps['timers']
  readonly #onEnd: () => void
  readonly #pending = new Set<string>()
  #waiting: ((result: IteratorResult<CaseUpdate>) => void) | undefined
  #cancelGap: (() => void) | undefined
  #hasEnded = false

  /** @param caseId absent: all cases of the tenant */
  constructor(
    { tenant, caseId }: { tenant: string; caseId: string | undefined },
    timers: ApiDeps['timers'],
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

  /** Ends the source; what is pending is not sent. */
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

/** The open streams of a process; all of them share one subscription. */
export class CaseUpdates {
  readonly #deps: UpdateDeps
  readonly #sources = new Map<string, Set<UpdateSource>>()
  #size = 0
  #listening: Promise<() => void> | undefined
  #isClosed = false

  constructor(deps: UpdateDeps) {
    this.#deps = deps
  }

  /** Subscribes once for the process. @throws ServiceError EVENTS_UNAVAILABLE when it cannot */
  async listen(): Promise<void> {
    this.#listening ??= this.#deps.ephemeral.subscribe(CASE_UPDATED, (message) => {
      const key = parseUpdate(message)
      if (!key) return
      for (const source of this.#sources.get(key.tenant) ?? []) source.add(key.caseId)
    })
    try {
      await this.#listening
    } catch (cause) {
      this.#listening = undefined
      throw new ServiceError('EVENTS_UNAVAILABLE', {}, { cause })
    }
  }

  /**
   * Observes the cases of a tenant.
   *
   * @param caseId absent: all of them
   * @throws ThrottledError when the tenant, or the process, has too many streams
   */
  open(tenant: string, caseId?: string): UpdateSource {
    const own = this.#sources.get(tenant) ?? new Set<UpdateSource>()
    if (own.size >= MAXIMUM_STREAMS_PER_TENANT || this.#size >= MAXIMUM_STREAMS) {
      throw new ThrottledError(RETRY_AFTER_SECONDS)
    }
    const source: UpdateSource = new UpdateSource(
      { tenant, caseId: caseId?.toLowerCase() },
      this.#deps.timers,
      () => this.#remove(source),
    )
    this.#sources.set(tenant, own.add(source))
    this.#size += 1
    if (this.#isClosed) source.end()
    return source
  }

  /** Ends every stream; the clients connect to another process. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const own of [...this.#sources.values()]) for (const source of [...own]) source.end()
    const stop = await this.#listening?.catch(() => undefined)
    stop?.()
  }

  #remove(source: UpdateSource): void {
    const own = this.#sources.get(source.tenant)
    if (!own?.delete(source)) return
    this.#size -= 1
    if (own.size === 0) this.#sources.delete(source.tenant)
  }
}
