/** The cases of tenants that any process of the service writes, for the streams of one process. */
import { parseUpdate } from '../../application/cases/publish-updates.ts'
import { ThrottledError } from '../../application/errors.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CASE_UPDATED } from '../../domain/ports/pub-sub.ts'
import type { ApiDeps } from '../deps.ts'
import { UpdateSource } from './update-source.ts'

/** Streams of one tenant that one process serves; each tab of the console has one. */
export const MAXIMUM_STREAMS_PER_TENANT = 20
/** Streams that one process serves. */
export const MAXIMUM_STREAMS = 2_000
/** By then another process may accept the stream. */
export const RETRY_AFTER_SECONDS = 30

type UpdateDeps = Pick<ApiDeps, 'ephemeral' | 'timers' | 'metrics'>

/** The open streams of a process; all of them share one subscription. */
export class CaseUpdates {
  readonly #deps: UpdateDeps
  readonly #sources = new Map<string, Set<UpdateSource>>()
  #size = 0
  #listening: Promise<() => void> | undefined
  #isClosed = false

  constructor(deps: UpdateDeps) {
    this.#deps = deps
    this.#reportSize()
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
    this.#reportSize()
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
    this.#reportSize()
  }

  #reportSize(): void {
    this.#deps.metrics.set('sigcase_graphql_streams', {}, this.#size)
  }
}
