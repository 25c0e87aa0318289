/** The port for tables of values that expire as a whole and may be lost at any time. */

/** A named value of a table. */
export type Row = readonly [name: string, value: string]

/**
 * Every call fails with ServiceError `TIMEOUT` when the store is not reachable or too slow; the
 * operation may have succeeded nevertheless, or succeed later.
 */
export interface ExpiringTables {
  /**
   * Id of the current life of the stored tables. While it stays the same, what a confirmed call
   * wrote or deleted is not undone, except that a table disappears as a whole.
   */
  life(): Promise<string>
  /** Adds or replaces rows. The table disappears `ttlMs` after the last such call. */
  write(table: string, rows: readonly Row[], ttlMs: number): Promise<void>
  /** Deletes rows by their names; succeeds even if they are absent. */
  delete(table: string, names: readonly string[]): Promise<void>
  /**
   * Reads all rows of a table in steps. A row that changes meanwhile may be missing, or come more
   * than once.
   */
  read(table: string): AsyncIterable<readonly Row[]>
}
