/**
 * A watch that restarts whenever it ends, continues from the last version, and after a gap reports
 * everything that changed in it.
 */
import { Watch } from '@kubernetes/client-node/dist/watch.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiServer } from './api-server.ts'
import { GONE, MAXIMUM_PAGE, type KubernetesObject, type Resources } from './resources.ts'

const FIRST_DELAY_MS = 200
const MAXIMUM_DELAY_MS = 10_000
/** Pages of a listing after a gap: more objects than an API server holds. */
const MAXIMUM_PAGES = 100_000

export interface WatchLog {
  warn(details: object, message: string): void
}

export interface ObjectName {
  name: string
  namespace: string
  /** The `resourceVersion` of the change. */
  version?: string
  /** The object after the change; absent if it was deleted. */
  object?: KubernetesObject
  /** The change is its creation. */
  isCreated?: boolean
}

interface WatchedObject extends KubernetesObject {
  /** Status code of an error event. */
  code?: number
}

/** The resource version was compacted; changes since then can only be found by listing. */
class GapError extends Error {
  override readonly name = 'GapError'
}

/** Versions are increasing integers (KEP-5504); any other version counts as later. */
function isLater(version: string | undefined, than: string): boolean {
  const [one, other] = [Number(version), Number(than)]
  return !(one <= other)
}

class KeyWatch {
  readonly #api: ApiServer
  readonly #resources: Resources<KubernetesObject>
  readonly #log: WatchLog
  readonly #onChange: (name: ObjectName) => void
  readonly #stopped = new AbortController()
  /** All changes up to this version were reported. */
  #version: string | undefined
  #heardAnything = false
  /** Whether objects may have changed without a report. */
  #hasGap = false

  constructor(
    api: ApiServer,
    resources: Resources<KubernetesObject>,
    log: WatchLog,
    onChange: (name: ObjectName) => void,
  ) {
    this.#api = api
    this.#resources = resources
    this.#log = log
    this.#onChange = onChange
  }

  async run(): Promise<void> {
    let delayMs = FIRST_DELAY_MS
    while (!this.#stopped.signal.aborted) {
      try {
        this.#heardAnything = false
        if (this.#hasGap) await this.#closeGap()
        this.#version ??= await this.#resources.version()
        await this.#follow(this.#version)
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        if (!(error instanceof GapError)) this.#log.warn({ err: error }, 'watch ended')
        // Without a version, objects may change before the next attempt reads one.
        this.#hasGap ||= error instanceof GapError || this.#version === undefined
      }
      // Delays the restart, because a server may end every watch at once.
      if (this.#heardAnything) delayMs = FIRST_DELAY_MS
      await sleep(delayMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, MAXIMUM_DELAY_MS)
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Ends when the connection ends, is silent for too long, or the watch is stopped. */
  async #follow(resourceVersion: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onEvent = (type: string, object: WatchedObject) => {
      if (type === 'ERROR') {
        const message = `the watch failed with ${object.code}`
        return reject(object.code === GONE ? new GapError(message) : new Error(message))
      }
      this.#receive(type, object)
    }
    const { selection } = this.#resources
    const query = { resourceVersion, allowWatchBookmarks: true, ...selection }
    const onEnd = (error: unknown) => (isGone(error) ? reject(new GapError()) : end(error))
    const end = (error: unknown) => {
      if (isSilence(error)) this.#api.renew()
      return isFailure(error) ? reject(error) : resolve()
    }
    const watch = new Watch(this.#api.config)
    const connection = await watch.watch(this.#resources.path(), query, onEvent, onEnd)
    const close = () => {
      connection.abort()
      resolve()
    }
    this.#stopped.signal.addEventListener('abort', close, { once: true })
    if (this.#stopped.signal.aborted) close()
    try {
      await promise
    } finally {
      this.#stopped.signal.removeEventListener('abort', close)
      connection.abort()
    }
  }

  #receive(type: string, object: KubernetesObject): void {
    if (this.#stopped.signal.aborted) return
    const { metadata } = object
    this.#heardAnything = true
    if (metadata.resourceVersion !== undefined) this.#version = metadata.resourceVersion
    if (type !== 'BOOKMARK') this.#notify(object, type)
  }

  #notify(changed: KubernetesObject, type?: string): void {
    const { name, namespace = '', resourceVersion } = changed.metadata
    try {
      this.#onChange({
        name,
        namespace,
        ...(resourceVersion !== undefined && { version: resourceVersion }),
        ...(type !== 'DELETED' && { object: changed }),
        ...(type === 'ADDED' && { isCreated: true }),
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'a watch callback failed')
    }
  }

  /**
   * Reports everything that changed since the last version, or everything if no version could be
   * read at the start. The watch continues from a version before the listing.
   */
  async #closeGap(): Promise<void> {
    const since = this.#version ?? ''
    const version = await this.#resources.version()
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const from = next === undefined ? {} : { continue: next }
      const { items, continue: more } = await this.#resources.list({ limit: MAXIMUM_PAGE, ...from })
      for (const item of items) {
        if (isLater(item.metadata.resourceVersion, since)) this.#notify(item)
      }
      next = more
      if (next === undefined || this.#stopped.signal.aborted) break
    }
    this.#version = version
    this.#hasGap = false
  }
}

const isGone = (error: unknown) => (error as { statusCode?: number } | null)?.statusCode === GONE

/** Nothing arrived for long: either nothing changed, or the connection is half open. */
const isSilence = (error: unknown) => (error as Error | null)?.name === 'TimeoutError'

const isFailure = (error: unknown) =>
  error instanceof Error && !isSilence(error) && error.name !== 'AbortError'

/**
 * Reports every object that changes from now on, until the watch is stopped.
 *
 * @param onChange called with its name; errors of it are logged
 * @returns a function that ends the watch
 */
export function watchKeys(
  api: ApiServer,
  resources: Resources<never> | Resources<KubernetesObject>,
  log: WatchLog,
  onChange: (name: ObjectName) => void,
): () => void {
  const watch = new KeyWatch(api, resources as Resources<KubernetesObject>, log, onChange)
  void watch.run()
  return () => watch.stop()
}
