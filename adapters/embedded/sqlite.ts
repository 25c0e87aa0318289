/** Common parts of the SQLite stores: durable files, and rows with resource versions. */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { nameDatabase } from './damaged-database.ts'
import { nameFullDisk } from './full-disk.ts'

export const BUSY_TIMEOUT_MS = 5_000
const OWNER_ONLY = 0o600
const SETTINGS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;'

/**
 * Opens a database that only its owner can read, with durable commits. Removed bytes are
 * overwritten in its file.
 *
 * @throws DamagedFileError when the file is damaged or is not a database
 * @throws Error of SQLite otherwise, as when the schema is wrong or the disk is full
 */
export function openDatabase(path: string, schema: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  // SQLite's additional files, which the first write creates, get the mode of this one.
  chmodSync(path, OWNER_ONLY)
  try {
    database.exec(SETTINGS)
    database.exec(schema)
    return database
  } catch (error) {
    database.close()
    throw nameDatabase(path, error)
  }
}

/**
 * Adds a column that databases of earlier versions lack.
 *
 * @param definition its name and type
 */
export function addColumn(database: DatabaseSync, table: string, definition: string): void {
  const [name] = definition.split(' ')
  const columns = database.prepare(`PRAGMA table_info(${table})`).all()
  if (columns.some((column) => column.name === name)) return
  database.exec(`ALTER TABLE ${table} ADD COLUMN ${definition}`)
}

/** Primary result code: another connection holds the lock. */
const SQLITE_BUSY = 5
const PRIMARY_CODE = 0xff

/** Whether another connection held the database for too long. */
export const isBusy = (error: unknown) =>
  (((error as { errcode?: number }).errcode ?? 0) & PRIMARY_CODE) === SQLITE_BUSY

/** Whether an INSERT failed because the name is in use. */
export const isTaken = (error: unknown) =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed')

/**
 * SQL for the version of the table's next write. Every write gives its row a new key from one
 * ascending sequence; the table has `resource_version INTEGER PRIMARY KEY AUTOINCREMENT`.
 */
export const nextVersion = (table: string) =>
  `(SELECT seq + 1 FROM sqlite_sequence WHERE name = '${table}')`

/**
 * Runs an UPDATE that sets `resource_version` to {@link nextVersion}, and advances the sequence in
 * the same transaction.
 *
 * @param statement returns the row
 * @param onRow runs in the transaction after the row was written
 * @returns the row, or undefined when the UPDATE matched none
 */
export function swapVersion(
  database: DatabaseSync,
  table: string,
  statement: StatementSync,
  values: readonly SQLInputValue[],
  onRow?: (row: Record<string, unknown>) => void,
): Record<string, unknown> | undefined {
  return inTransaction(database, () => {
    const row = statement.get(...values)
    if (row) {
      database
        .prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?')
        .run(Number(row.resource_version), table)
      onRow?.(row)
    }
    return row
  })
}

/**
 * Empties the log, which otherwise keeps former pages until it has grown. It does not wait.
 *
 * @returns false while another connection uses the log, such as a backup
 */
export function emptyLog(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0')
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

/**
 * Commits what `work` writes, or nothing of it when it throws.
 *
 * @throws ServiceError TIMEOUT when the disk is full
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite ends the transaction itself when, for example, the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw nameFullDisk(error)
  }
}
