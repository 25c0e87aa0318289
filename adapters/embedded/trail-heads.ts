/**
 * The memory of the heads of trails on one machine, in SQLite, so that a restart notices when the
 * end of a trail was removed meanwhile (decision 171).
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import { openDatabase } from './sqlite.ts'

/**
 * A commit does not wait for the disk: a head that a power failure loses is older than its trail,
 * so nothing is reported by mistake. The database stays consistent.
 */
const SCHEMA = `
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS trail_head (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

export class SqliteTrailHeads implements Pick<ExpiringValues, 'get' | 'set'> {
  readonly #database: DatabaseSync
  readonly #now: () => Date
  readonly #select: StatementSync
  readonly #write: StatementSync

  /**
   * Opens the database and removes what has expired.
   *
   * @param path of the database file
   */
  constructor(path: string, now: () => Date) {
    this.#now = now
    this.#database = openDatabase(path, SCHEMA)
    this.#select = this.#database.prepare(
      'SELECT value FROM trail_head WHERE key = ? AND expires_at_ms > ?',
    )
    this.#write = this.#database.prepare(`
      INSERT INTO trail_head (key, value, expires_at_ms) VALUES (?, ?, ?)
      ON CONFLICT (key)
      DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms`)
    this.#database.prepare('DELETE FROM trail_head WHERE expires_at_ms <= ?').run(now().getTime())
  }

  async get(key: string): Promise<string | undefined> {
    const row = this.#select.get(key, this.#now().getTime())
    return row && String(row.value)
  }

  async set(key: string, value: string, { ttlMs }: { ttlMs: number }): Promise<boolean> {
    this.#write.run(key, value, this.#now().getTime() + ttlMs)
    return true
  }

  close(): void {
    this.#database.close()
  }
}
