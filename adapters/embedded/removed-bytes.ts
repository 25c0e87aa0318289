/**
 * Overwrites what was removed from a database: `openDatabase` has SQLite overwrite it in the file,
 * and its log is emptied here, which otherwise keeps the former pages until it has grown.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Faults } from '../../domain/fault-log.ts'
import { emptyLog } from './sqlite.ts'

/** Removed bytes are in the log for at most about this long. */
const EMPTY_AFTER_MS = 10_000
/** Rewriting a database copies all of it, so it is not tried more often. */
const REWRITE_AFTER_MS = 60 * 60_000
/** `PRAGMA user_version` of a database of which SQLite has always overwritten removed bytes. */
const OVERWRITTEN = 1

export interface RemovedBytesOptions {
  afterMs?: number
  /** Time between tries to rewrite a database of a former version. */
  rewriteAfterMs?: number
  /** Learns of each try, so that somebody knows when removed bytes stay. */
  faults?: Faults | undefined
}

export class RemovedBytes {
  readonly #database: DatabaseSync
  readonly #afterMs: number
  readonly #rewriteAfterMs: number
  readonly #faults: Faults | undefined
  /** Why the database could not be rewritten, and when that was tried. */
  #unwritten: { fault: unknown; atMs: number } | undefined
  #timer: NodeJS.Timeout | undefined

  /** Overwrites soon what a process that was killed had removed, or a former version. */
  constructor(
    database: DatabaseSync,
    {
      afterMs = EMPTY_AFTER_MS,
      rewriteAfterMs = REWRITE_AFTER_MS,
      faults,
    }: RemovedBytesOptions = {},
  ) {
    this.#database = database
    this.#afterMs = afterMs
    this.#rewriteAfterMs = rewriteAfterMs
    this.#faults = faults
    this.#rewrite()
    this.overwriteSoon()
  }

  /** Call it after a removal. */
  overwriteSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#overwrite()) this.overwriteSoon()
    }, this.#afterMs).unref()
  }

  /** Call it before the database is closed, which removes the log. */
  close(): void {
    clearTimeout(this.#timer)
  }

  /** What fails is tried again later: a full disk must not end the process. */
  #overwrite(): boolean {
    if (this.#unwritten && performance.now() - this.#unwritten.atMs >= this.#rewriteAfterMs) {
      this.#rewrite()
    }
    try {
      if (!emptyLog(this.#database)) throw new Error('another connection reads the database')
      if (this.#unwritten) throw this.#unwritten.fault
      this.#faults?.succeeded()
      return true
    } catch (error) {
      this.#faults?.failed(error)
      return false
    }
  }

  #rewrite(): void {
    this.#unwritten = undefined
    try {
      overwriteFormer(this.#database)
    } catch (fault) {
      this.#unwritten = { fault, atMs: performance.now() }
    }
  }
}

/**
 * Rewrites a database in which a former version has left removed bytes.
 *
 * @throws Error while another process uses it, or the disk has no room for a copy
 */
function overwriteFormer(database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()?.user_version === OVERWRITTEN) return
  database.exec(`VACUUM; PRAGMA user_version = ${OVERWRITTEN};`)
}
