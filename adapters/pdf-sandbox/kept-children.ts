/** Processes that wait for another document of the same owner (decision 235). */
import type { ReadingChild } from './reading-child.ts'

/** A usual document takes 20 ms of CPU time, and a process ends after five seconds of it. */
const MAXIMUM_READINGS = 256
/** Each has about 130 MB. */
const MAXIMUM_KEPT = 4
/** How long one is kept without a document. */
const KEPT_MS = 30_000

interface Kept {
  owner: string
  child: ReadingChild
  timer: NodeJS.Timeout
}

/** At most {@link MAXIMUM_KEPT} processes, each for {@link KEPT_MS} and for one owner. */
export class KeptChildren {
  /** The last one was used last. */
  readonly #all: Kept[] = []
  #isClosed = false

  /** Takes a process that has read nothing but documents of this owner; undefined without one. */
  take(owner: string): ReadingChild | undefined {
    const kept = this.#all.findLast((one) => one.owner === owner)
    if (kept) this.#remove(kept)
    return kept?.child.hasEnded === false ? kept.child : undefined
  }

  /** Keeps a process that waits, or ends it. */
  put(owner: string, child: ReadingChild): void {
    if (this.#isClosed || child.readings >= MAXIMUM_READINGS) return child.kill()
    for (const one of this.#all.filter((other) => other.child.hasEnded)) this.#remove(one)
    const kept: Kept = { owner, child, timer: setTimeout(() => this.#end(kept), KEPT_MS) }
    kept.timer.unref()
    this.#all.push(kept)
    const [oldest] = this.#all
    if (oldest && this.#all.length > MAXIMUM_KEPT) this.#end(oldest)
  }

  /** Ends all, and each that is put later. */
  close(): void {
    this.#isClosed = true
    for (const kept of [...this.#all]) this.#end(kept)
  }

  #end(kept: Kept): void {
    this.#remove(kept)
    kept.child.kill()
  }

  #remove(kept: Kept): void {
    clearTimeout(kept.timer)
    this.#all.splice(this.#all.indexOf(kept), 1)
  }
}
