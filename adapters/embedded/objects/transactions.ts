/**
 * Transactions that write objects. The database decides which object a key has; files are complete
 * before the commit, and are moved to their places or removed after it.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ServiceError } from '../../../domain/errors.ts'
import type { Durability } from '../../../domain/ports/object-store.ts'
import { emptyLog, inTransaction, isBusy } from '../sqlite.ts'
import { foldersOf, moveLarge, removeLarge } from './large-files.ts'

/** An object to be written; exactly one of `bytes` and `file` is set. */
export interface NewObject {
  key: string
  size: number
  contentType: string
  generation: string
  updatedMs: number
  bytes: Uint8Array | null
  file: string | null
}

export interface Put {
  kind: 'put'
  object: NewObject
  /** What the key must have: nothing, anything, or an object of one generation. */
  current: 'absent' | 'any' | { generation: string }
  /** Absent: `now`. */
  durability?: Durability
}

export type Write = Put | { kind: 'delete'; key: string }

/**
 * Whether the object was written: false when the key had something else. An error loses its class
 * and its code on the way between threads.
 */
export type Outcome = { isDone: boolean } | Failure

/** Why an object was not written. */
export interface Failure {
  error: unknown
  isDiskFull?: boolean
}

/** Whether removed bytes were overwritten. */
export type Tidied = { tidied: true } | { error: unknown }

type Work = 'move' | 'remove'

const CARRY_OUT: Record<Work, (folder: string, file: string) => void> = {
  move: moveLarge,
  remove: removeLarge,
}

function syncFolderNow(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch (error) {
    // Nothing was written there yet.
    if ((error as { code?: string }).code === 'ENOENT') return
    throw error
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A row is on the disk before its file is moved, or the file of its former row removed. */
const mayBeDurableLater = (write: Write) =>
  write.kind === 'put' &&
  write.current === 'absent' &&
  write.durability === 'later' &&
  write.object.file === null

const failed = (error: unknown): Failure =>
  error instanceof ServiceError ? { error: error.cause, isDiskFull: true } : { error }

/** Returns the error that callers of a write get: ServiceError TIMEOUT when the disk is full. */
export const faultOf = ({ error, isDiskFull }: Failure): unknown =>
  isDiskFull ? new ServiceError('TIMEOUT', {}, { cause: error }) : error

/** One connection that writes. */
export class ObjectTransactions {
  readonly #folder: string
  readonly #database: DatabaseSync
  readonly #current: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #delete: StatementSync
  readonly #addWork: StatementSync
  /** Work on files that a transaction plans, and that is due once it is committed. */
  #planned = new Map<string, Work>()
  readonly #due = new Map<string, Work>()
  /** Work that was carried out, and is not durable before its folders are synchronised. */
  readonly #carriedOut = new Map<string, Work>()
  /** Whether the log is synchronised at each commit, as `openDatabase` sets it. */
  #isSynchronised = true
  /** Whether the log still has bytes of an object that was removed. */
  #isStale = false

  constructor(folder: string, database: DatabaseSync) {
    this.#folder = folder
    this.#database = database
    this.#current = database.prepare('SELECT generation, file FROM object WHERE key = ?')
    this.#insert = database.prepare(`
      INSERT INTO object (key, size, content_type, generation, updated_ms, file, bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
    this.#update = database.prepare(`
      UPDATE object SET size = ?, content_type = ?, generation = ?, updated_ms = ?, file = ?,
        bytes = ? WHERE key = ?`)
    this.#delete = database.prepare('DELETE FROM object WHERE key = ?')
    this.#addWork = database.prepare(`
      INSERT INTO unfinished (file, work) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET work = excluded.work`)
  }

  /** Whether {@link tidy} has something to do. */
  get isUntidy(): boolean {
    return this.#isStale || this.#carriedOut.size > 0
  }

  /**
   * Commits all writes at once, and durably unless all may be so later (decision 317). When that
   * fails, each is committed alone, so that a write that cannot be done does not prevent the
   * others.
   *
   * @returns one outcome for each write
   */
  commit(writes: readonly Write[]): Outcome[] {
    this.#planned = new Map()
    this.#synchroniseCommits(!writes.every(mayBeDurableLater))
    let areDone: boolean[]
    try {
      areDone = inTransaction(this.#database, () => writes.map((write) => this.#write(write)))
    } catch (error) {
      if (writes.length === 1 || isBusy(error)) return writes.map(() => failed(error))
      return writes.flatMap((write) => this.commit([write]))
    }
    for (const [file, work] of this.#planned) this.#due.set(file, work)
    const failure = this.#tryWorkOnFiles()
    return areDone.map((isDone, index) => {
      // A file that could not be removed still has the bytes.
      if (failure !== undefined && writes[index]?.kind === 'delete') return { error: failure }
      return { isDone }
    })
  }

  /**
   * Carries out what a process that was killed left unfinished. Another process may do the same
   * work at the same time.
   */
  finish(): void {
    const rows = this.#database.prepare('SELECT file, work FROM unfinished').all()
    for (const { file, work } of rows) this.#due.set(String(file), work as Work)
    this.#workOnFiles()
    this.#isStale = true
    this.tidy()
  }

  /** Makes work on files durable, and overwrites removed bytes in the log. */
  tidy(): void {
    const folders = [...this.#carriedOut.keys()].flatMap((file) => foldersOf(this.#folder, file))
    for (const folder of new Set(folders)) syncFolderNow(folder)
    if (this.#carriedOut.size > 0) {
      const done = this.#database.prepare('DELETE FROM unfinished WHERE file = ? AND work = ?')
      inTransaction(this.#database, () => {
        for (const [file, work] of this.#carriedOut) done.run(file, work)
      })
    }
    this.#carriedOut.clear()
    if (this.#isStale) this.#isStale = !emptyLog(this.#database)
  }

  /** A synchronisation of the log makes all commits before it durable as well. */
  #synchroniseCommits(isNow: boolean): void {
    if (this.#isSynchronised === isNow) return
    this.#database.exec(`PRAGMA synchronous = ${isNow ? 'FULL' : 'NORMAL'}`)
    this.#isSynchronised = isNow
  }

  #write(write: Write): boolean {
    if (write.kind === 'put') return this.#put(write)
    const current = this.#current.get(write.key)
    if (!current) return false
    this.#delete.run(write.key)
    this.#drop(current.file)
    return true
  }

  #put({ object, current: expected }: Put): boolean {
    const { key, size, contentType, generation, updatedMs, file, bytes } = object
    const columns = [size, contentType, generation, updatedMs, file, bytes]
    const current = expected === 'absent' ? undefined : this.#current.get(key)
    if (typeof expected === 'object' && current?.generation !== expected.generation) return false
    if (current) {
      this.#update.run(...columns, key)
      this.#drop(current.file)
    } else if (Number(this.#insert.run(key, ...columns).changes) === 0) {
      return false
    }
    if (file !== null) this.#plan(file, 'move')
    return true
  }

  /** Plans what a removed object requires. @param file its column */
  #drop(file: unknown): void {
    if (typeof file === 'string') this.#plan(file, 'remove')
    else this.#isStale = true
  }

  #plan(file: string, work: Work): void {
    this.#addWork.run(file, work)
    this.#planned.set(file, work)
  }

  /** @returns why some work failed, which is tried again after the next commit */
  #tryWorkOnFiles(): unknown {
    try {
      this.#workOnFiles()
      return undefined
    } catch (error) {
      return error
    }
  }

  #workOnFiles(): void {
    for (const [file, work] of this.#due) {
      CARRY_OUT[work](this.#folder, file)
      this.#carriedOut.set(file, work)
      this.#due.delete(file)
    }
  }
}
