/** The rows of the database of objects: what every object is, and the bytes of small ones. */
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ObjectStat } from '../../../domain/ports/object-store.ts'
import { openDatabase } from '../sqlite.ts'

/**
 * Larger objects are files. At this size both cost the same CPU time; below, a row costs one
 * synchronisation with the disk that it shares with other writes, and a file two of its own.
 */
export const MAXIMUM_ROW_BYTES = 256 * 1024

/** Pages that the log has at most before it is copied into the database: 16 MiB. */
const CHECKPOINT_PAGES = 4_096

/**
 * `bytes` is the last column, so that SQLite does not read it for a description. `unfinished` lists
 * files that are moved or removed after the commit (see `transactions.ts`).
 */
const SCHEMA = `
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  CREATE TABLE IF NOT EXISTS object (
    key TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    generation TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    file TEXT,
    bytes BLOB
  ) STRICT;
  CREATE TABLE IF NOT EXISTS unfinished (
    file TEXT PRIMARY KEY,
    work TEXT NOT NULL CHECK (work IN ('move', 'remove'))
  ) STRICT, WITHOUT ROWID;
`

const DESCRIPTION = 'key, size, content_type, generation, updated_ms, file'
/** Sorts behind every character of a key. */
const BEHIND_KEYS = '\u007f'

/** The file of the database. */
export const databaseIn = (folder: string): string => join(folder, 'objects.sqlite')

/** Opens the database in the folder, and makes both when they are absent. */
export const openObjectDatabase = (folder: string): DatabaseSync =>
  openDatabase(databaseIn(folder), SCHEMA)

interface Row {
  key: string
  size: number
  content_type: string
  generation: string
  updated_ms: number
  file: string | null
}

/** An object with its bytes, or with the name of the file that has them. */
export interface FoundObject {
  stat: ObjectStat
  content: { bytes: Uint8Array } | { file: string }
}

const statOf = ({ key, size, content_type, generation, updated_ms }: Row): ObjectStat => ({
  key,
  size,
  contentType: content_type,
  generation,
  updatedAt: new Date(updated_ms),
})

/** Reads committed rows. */
export class ObjectRows {
  readonly database: DatabaseSync
  readonly #find: StatementSync
  readonly #stat: StatementSync
  readonly #list: StatementSync

  constructor(database: DatabaseSync) {
    this.database = database
    this.#find = database.prepare(`SELECT ${DESCRIPTION}, bytes FROM object WHERE key = ?`)
    this.#stat = database.prepare(`SELECT ${DESCRIPTION} FROM object WHERE key = ?`)
    this.#list = database.prepare(`
      SELECT ${DESCRIPTION} FROM object WHERE key >= ? AND key < ? AND key > ?
      ORDER BY key LIMIT ?`)
  }

  /** @returns undefined when the object does not exist */
  find(key: string): FoundObject | undefined {
    const row = this.#find.get(key) as unknown as (Row & { bytes: Uint8Array | null }) | undefined
    if (!row) return undefined
    const { file, bytes } = row
    const content = file === null ? { bytes: bytes ?? new Uint8Array() } : { file }
    return { stat: statOf(row), content }
  }

  /** @returns undefined when the object does not exist */
  stat(key: string): ObjectStat | undefined {
    const row = this.#stat.get(key) as unknown as Row | undefined
    return row && statOf(row)
  }

  /** Keys are ASCII, so the order of octets is that of code units. */
  list(prefix: string, { limit, after = '' }: { limit: number; after?: string }): ObjectStat[] {
    const rows = this.#list.all(prefix, prefix + BEHIND_KEYS, after, limit) as unknown as Row[]
    return rows.map(statOf)
  }
}
