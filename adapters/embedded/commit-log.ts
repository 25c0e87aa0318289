/**
 * Makes commits of a database durable without holding the event loop (decision 302). Commits that
 * come while the disk is being synchronised share the next synchronisation.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Starts to write the file to the disk, and calls `done` when it is there. */
export type Synchronise = (descriptor: number, done: (error: Error | null) => void) => void

export interface CommitLogOptions {
  /** Another one in tests. */
  synchronise?: Synchronise | undefined
  /** Called once, when the disk failed: every later call fails until the next start. */
  onFault?: ((error: unknown) => void) | undefined
}

/** The log (WAL) of one database, whose only connection that writes is the one given. */
export class CommitLog {
  readonly #path: string
  readonly #synchronise: Synchronise
  readonly #onFault: (error: unknown) => void
  /** The file of the log stays the same until the database is closed. */
  #descriptor: number | undefined
  /** Whether something was committed after the last synchronisation began. */
  #isStale = false
  #running: Promise<void> | undefined
  /** Begins when the running one ends. */
  #next: Promise<void | undefined> | undefined
  #fault: unknown
  #isClosed = false

  /** @param path of the database */
  constructor(
    database: DatabaseSync,
    path: string,
    { synchronise = fdatasync, onFault = () => {} }: CommitLogOptions = {},
  ) {
    // SQLite still synchronises the log before it copies pages into the database.
    database.exec('PRAGMA synchronous = NORMAL')
    this.#path = `${path}-wal`
    this.#synchronise = synchronise
    this.#onFault = onFault
  }

  /** Call it right after a commit, before anything else can run. */
  committed(): void {
    this.#isStale = true
  }

  /**
   * Waits until everything that was committed before is on the disk. Nobody may learn of a commit
   * earlier, so readers wait too.
   *
   * @throws Error when the disk failed once; what is on it is unknown until the next start
   */
  async durable(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    if (!this.#running || !this.#isStale) return this.#start()
    this.#next ??= this.#running.then(() => this.#start())
    return this.#next
  }

  /** Call it before the database is closed. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const isRunning = this.#running !== undefined
    if (this.#isStale) fdatasyncSync(this.#open())
    this.#isStale = false
    if (!isRunning) this.#closeFile()
  }

  /** Synchronises what was committed since, if anything was. */
  #start(): Promise<void> | undefined {
    this.#next = undefined
    if (!this.#isStale) return this.#running
    this.#isStale = false
    this.#running = new Promise<void>((resolve, reject) => {
      this.#synchronise(this.#open(), (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
      .catch((error: unknown) => {
        this.#fault = error
        this.#onFault(error)
        throw error
      })
      .finally(() => {
        this.#running = undefined
        if (this.#isClosed) this.#closeFile()
      })
    return this.#running
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, 'r+')
    return this.#descriptor
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
