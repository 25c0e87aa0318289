/**
 * Overwrites what was removed from a database: `openDatabase` has SQLite overwrite it in the file,
 * and its log is emptied here, which otherwise keeps the former pages until it has grown.
 */
import type { DatabaseSync } from 'node:sqlite'
import { emptyLog } from './sqlite.ts'

/** Removed bytes are in the log for at most about this long. */
const EMPTY_AFTER_MS = 10_000
/** `PRAGMA user_version` of a database of which SQLite has always overwritten removed bytes. */
const OVERWRITTEN = 1

export class RemovedBytes {
  readonly #database: DatabaseSync
  readonly #afterMs: number
  #timer: NodeJS.Timeout | undefined

  /** Overwrites soon what a process that was killed had removed, or a former version. */
  constructor(database: DatabaseSync, { afterMs = EMPTY_AFTER_MS } = {}) {
    this.#database = database
    this.#afterMs = afterMs
    overwriteFormer(database)
    this.overwriteSoon()
  }

  /** Call it after a removal. */
  overwriteSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#tryToEmptyLog()) this.overwriteSoon()
    }, this.#afterMs).unref()
  }

  /** What fails is tried again later: a full disk must not end the process. */
  #tryToEmptyLog(): boolean {
    try {
      return emptyLog(this.#database)
    } catch {
      return false
    }
  }

  /** Call it before the database is closed, which removes the log. */
  close(): void {
    clearTimeout(this.#timer)
  }
}

/** Rewrites a database in which a former version has left removed bytes. */
function overwriteFormer(database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()?.user_version === OVERWRITTEN) return
  try {
    database.exec(`VACUUM; PRAGMA user_version = ${OVERWRITTEN};`)
  } catch {
    // Another process uses it, or the disk has no room for a copy; the next start tries again.
  }
}
