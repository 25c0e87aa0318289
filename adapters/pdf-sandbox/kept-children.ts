/** Processes that wait for another document of the same owner (decisions 235 and 299). */
import { availableParallelism } from 'node:os'
import type { ReadingChild } from './reading-child.ts'

/** A usual document takes 20 ms of CPU time, and a process ends after five seconds of it. */
const MAXIMUM_READINGS = 256
/** Each has about 130 MB. */
const MAXIMUM_KEPT = 4
/** How long one is kept without a document. */
export const KEPT_MS = 30_000
/**
 * With this many processes of one owner reading, a document of that owner waits for one of them.
 * More would share the cores, and each compiles the same code.
 */
const READING_OF_ONE_OWNER = Math.max(1, availableParallelism() - 1)
/**
 * How long it waits. The first document of a fresh process takes 0.4 s on an idle machine and some
 * seconds on a busy one; a document of a process that has read others 0.02 s.
 */
export const LONGEST_WAIT_MS = 1_000

interface Kept {
  owner: string
  child: ReadingChild
  timer: NodeJS.Timeout
}

/** A document that waits for a process of its owner. */
interface Waiting {
  owner: string
  /** @param child absent: a fresh process must read the document */
  go(child?: ReadingChild): void
}

/** At most {@link MAXIMUM_KEPT} processes, each for some time and for one owner. */
export class KeptChildren {
  /** The last one was used last. */
  readonly #all: Kept[] = []
  /** How many processes read documents of each owner. */
  readonly #reading = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  readonly #longestWaitMs: number
  readonly #keptMs: number
  #isClosed = false

  constructor(longestWaitMs: number, keptMs: number) {
    this.#longestWaitMs = longestWaitMs
    this.#keptMs = keptMs
  }

  /**
   * Takes a process that has read nothing but documents of this owner, and waits a little for one
   * where enough of them read. {@link giveBack} must follow.
   *
   * @returns undefined when a fresh process must read the document
   */
  async take(owner: string): Promise<ReadingChild | undefined> {
    const child = this.#find(owner) ?? (this.#isBusy(owner) ? await this.#next(owner) : undefined)
    this.#count(owner, 1)
    return child
  }

  /**
   * Ends a reading of the owner.
   *
   * @param child the process, if it waits for another document
   */
  giveBack(owner: string, child: ReadingChild | undefined): void {
    this.#count(owner, -1)
    const isUsable = child && !this.#isClosed && child.readings < MAXIMUM_READINGS
    if (!isUsable) child?.kill()
    const next = this.#waiting.find((one) => one.owner === owner)
    if (next) next.go(isUsable ? child : undefined)
    else if (isUsable) this.#keep(owner, child)
  }

  #find(owner: string): ReadingChild | undefined {
    const kept = this.#all.findLast((one) => one.owner === owner)
    if (kept) this.#remove(kept)
    return kept?.child.hasEnded === false ? kept.child : undefined
  }

  #isBusy(owner: string): boolean {
    return !this.#isClosed && (this.#reading.get(owner) ?? 0) >= READING_OF_ONE_OWNER
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#reading.get(owner) ?? 0) + change
    if (count > 0) this.#reading.set(owner, count)
    else this.#reading.delete(owner)
  }

  #next(owner: string): Promise<ReadingChild | undefined> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        owner,
        go: (child) => {
          clearTimeout(timer)
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          resolve(child)
        },
      }
      const timer = setTimeout(() => waiting.go(), this.#longestWaitMs)
      this.#waiting.push(waiting)
    })
  }

  #keep(owner: string, child: ReadingChild): void {
    for (const one of this.#all.filter((other) => other.child.hasEnded)) this.#remove(one)
    const kept: Kept = { owner, child, timer: setTimeout(() => this.#end(kept), this.#keptMs) }
    kept.timer.unref()
    this.#all.push(kept)
    const [oldest] = this.#all
    if (oldest && this.#all.length > MAXIMUM_KEPT) this.#end(oldest)
  }

  /** Ends all, and each that is given back later. */
  close(): void {
    this.#isClosed = true
    for (const waiting of [...this.#waiting]) waiting.go()
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
