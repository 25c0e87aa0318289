/** Notifies the pages of the console when a case of the tenant changes (decision 52). */
import type { TenantClient } from './api.ts'
import { LISTED_FIELDS } from './listed-fields.ts'
import type { ListedCase } from './use-cases.ts'

export interface CaseChange {
  caseId: string
  /** Null once it was removed. */
  case: ListedCase | null
}

export interface LiveListener {
  onChange(change: CaseChange): void
  /** Changes may have been missed: read again. Called when a stream begins. */
  onBegin(): void
  onEnd(): void
}

const QUERY = `subscription {
  caseChanged {
    caseId
    case { ${LISTED_FIELDS} }
  }
}`
/** The service sends a heartbeat every 15 seconds. */
const SILENCE_LIMIT_MS = 40_000
const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** One stream for the whole tab; it is closed while the tab is hidden. */
export class LiveCases {
  readonly #client: TenantClient
  readonly #listeners = new Set<LiveListener>()
  #abort: AbortController | undefined
  #timer: number | undefined
  #pauseMs = SHORTEST_PAUSE_MS
  #isLive = false

  constructor(client: TenantClient) {
    this.#client = client
  }

  /** Whether changes arrive. */
  get isLive(): boolean {
    return this.#isLive
  }

  /** @returns a function that ends the notifications */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Keeps a stream open while the tab is visible. @returns a function that ends it for good */
  start(): () => void {
    const onVisibility = () => {
      this.#stop()
      if (!document.hidden) void this.#run()
    }
    document.addEventListener('visibilitychange', onVisibility)
    onVisibility()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      this.#stop()
    }
  }

  #stop(): void {
    window.clearTimeout(this.#timer)
    this.#abort?.abort()
    this.#abort = undefined
    this.#setLive(false)
  }

  #setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return
    this.#isLive = isLive
    for (const listener of this.#listeners) {
      if (isLive) listener.onBegin()
      else listener.onEnd()
    }
  }

  /** Opens one stream after the other, with pauses that grow while the service refuses. */
  async #run(): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    const isOver = await this.#readOnce(abort)
    if (this.#abort !== abort) return
    this.#setLive(false)
    this.#pauseMs = isOver ? SHORTEST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
    this.#timer = window.setTimeout(() => void this.#run(), this.#pauseMs)
  }

  /** @returns whether the service completed the stream */
  async #readOnce(abort: AbortController): Promise<boolean> {
    let silence: number | undefined
    let isOver = false
    const alive = () => {
      window.clearTimeout(silence)
      silence = window.setTimeout(() => abort.abort(), SILENCE_LIMIT_MS)
    }
    alive()
    await this.#client.subscribe(QUERY, abort.signal, (event) => {
      alive()
      this.#setLive(true)
      if (event?.type === 'complete') isOver = true
      if (event?.type === 'next') this.#report(event.data)
    })
    window.clearTimeout(silence)
    return isOver
  }

  #report(json: string): void {
    const { data } = JSON.parse(json) as { data?: { caseChanged: CaseChange } | null }
    if (!data) return
    for (const { onChange } of this.#listeners) onChange(data.caseChanged)
  }
}
