/** Merges calls for single keys that are made in the same turn into one call for all of them. */
import { nextTick } from 'node:process'

interface Waiting<T> {
  key: string
  resolve(result: T): void
  reject(error: unknown): void
}

/** Bounds one command; further keys of the turn go into another one. */
const MAXIMUM_KEYS = 100

/**
 * Calls `callAll` once for all keys of one turn of the event loop, including those that follow in
 * it from promises.
 */
export class MergedCalls<T> {
  readonly #callAll: (keys: readonly string[]) => Promise<readonly T[]>
  #waiting: Waiting<T>[] = []

  /** @param callAll returns the results in the order of the keys */
  constructor(callAll: (keys: readonly string[]) => Promise<readonly T[]>) {
    this.#callAll = callAll
  }

  /** Resolves with the result for the key, or rejects with the error of the common call. */
  call(key: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({ key, resolve, reject })
    if (this.#waiting.length === 1) nextTick(() => this.#flush())
    else if (this.#waiting.length >= MAXIMUM_KEYS) this.#flush()
    return promise
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length === 0) return
    this.#callAll(waiting.map(({ key }) => key)).then(
      (results) => waiting.forEach(({ resolve }, index) => resolve(results[index] as T)),
      (error: unknown) => waiting.forEach(({ reject }) => reject(error)),
    )
  }
}
