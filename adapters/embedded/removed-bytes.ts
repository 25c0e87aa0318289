/**
 * Overwrites what was removed from a database: `openDatabase` has SQLite overwrite it in the file,
 * and its log is emptied here, which otherwise keeps the former pages until it has grown.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Faults } from '../../domain/fault-log.ts'
import { emptyLog } from './sqlite.ts'

/** Removed bytes are in the log for at most about this long. */
const EMPTY_AFTER_MS = 10_000
/** `PRAGMA user_version` of a database of which SQLite has always overwritten removed bytes. */
const OVERWRITTEN = 1

export interface RemovedBytesOptions {
  afterMs?: number
  /** Learns of each try, so that somebody knows when removed bytes stay. */
  faults?: Faults | undefined
}

export class RemovedBytes {
  readonly #database: DatabaseSync
  readonly #afterMs: number
  readonly #faults: Faults | undefined
  #timer: NodeJS.Timeout | undefined

  /** Overwrites soon what a process that was killed had removed, or a former version. */
  constructor(
    database: DatabaseSync,
    { afterMs = EMPTY_AFTER_MS, faults }: RemovedBytesOptions = {},
  ) {
    this.#database = database
    this.#afterMs = afterMs
    this.#faults = faults
    this.#try(() => overwriteFormer(database))
    this.overwriteSoon()
  }

  /** Call it after a removal. */
  overwriteSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#try(() => this.#overwriteAll())) this.overwriteSoon()
      else this.#faults?.succeeded()
    }, this.#afterMs).unref()
  }

  /** Call it before the database is closed, which removes the log. */
  close(): void {
    clearTimeout(this.#timer)
  }

  #overwriteAll(): void {
    overwriteFormer(this.#database)
    if (!emptyLog(this.#database)) throw new Error('another connection reads the database')
  }

  /** What fails is tried again later: a full disk must not end the process. */
  #try(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#faults?.failed(error)
      return false
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
