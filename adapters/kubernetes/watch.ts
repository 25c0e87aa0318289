/**
 * A watch that lasts: it starts again after every end, goes on where it was, and after a gap tells
 * of everything that changed in it.
 */
import { Watch } from '@kubernetes/client-node'
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
}

interface WatchedObject extends KubernetesObject {
  /** Of an event that is an error. */
  code?: number
}

/** The place in the history was compacted away: what happened since can only be listed. */
class GapError extends Error {
  override readonly name = 'GapError'
}

/** Versions are whole numbers that grow (KEP-5504); one that is not may be later than any. */
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
  /** Everything up to this version was told of. */
  #version: string | undefined
  #heardAnything = false

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
        this.#version ??= await this.#resources.version()
        await this.#follow(this.#version)
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        if (error instanceof GapError) await this.#closeGap()
        else this.#log.warn({ err: error }, 'watch ended')
      }
      // A server that is there but ends every watch at once is not asked without pause.
      if (this.#heardAnything) delayMs = FIRST_DELAY_MS
      await sleep(delayMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, MAXIMUM_DELAY_MS)
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Until the connection ends, is silent for too long, or the watch is stopped. */
  async #follow(resourceVersion: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onEvent = (type: string, object: WatchedObject) => {
      if (type === 'ERROR') {
        const message = `the watch failed with ${object.code}`
        return reject(object.code === GONE ? new GapError(message) : new Error(message))
      }
      this.#hear(type, object)
    }
    const query = { resourceVersion, allowWatchBookmarks: true }
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

  #hear(type: string, { metadata }: KubernetesObject): void {
    if (this.#stopped.signal.aborted) return
    this.#heardAnything = true
    if (metadata.resourceVersion !== undefined) this.#version = metadata.resourceVersion
    if (type !== 'BOOKMARK') this.#tell(metadata)
  }

  #tell({ name, namespace = '' }: KubernetesObject['metadata']): void {
    try {
      this.#onChange({ name, namespace })
    } catch (error) {
      this.#log.warn({ err: error }, 'a watcher failed')
    }
  }

  /** Tells of all that changed since the last version heard of, and goes on from before that. */
  async #closeGap(): Promise<void> {
    const since = this.#version ?? ''
    try {
      const version = await this.#resources.version()
      let next: string | undefined
      for (let page = 0; page < MAXIMUM_PAGES; page++) {
        const from = next === undefined ? {} : { continue: next }
        const { items, continue: more } = await this.#resources.list({
          limit: MAXIMUM_PAGE,
          ...from,
        })
        for (const { metadata } of items) {
          if (isLater(metadata.resourceVersion, since)) this.#tell(metadata)
        }
        next = more
        if (next === undefined || this.#stopped.signal.aborted) break
      }
      this.#version = version
    } catch (error) {
      // The old version stands: the next attempt finds the same gap.
      this.#log.warn({ err: error }, 'a gap in the watch could not be listed')
    }
  }
}

const isGone = (error: unknown) => (error as { statusCode?: number } | null)?.statusCode === GONE

/** Nothing came for long: there was nothing to tell, or the connection is half open. */
const isSilence = (error: unknown) => (error as Error | null)?.name === 'TimeoutError'

const isFailure = (error: unknown) =>
  error instanceof Error && !isSilence(error) && error.name !== 'AbortError'

/**
 * Tells of every object that changes from now on, until the watch is stopped.
 *
 * @param onChange called with its name; what it throws is logged
 * @returns ends the watch
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
