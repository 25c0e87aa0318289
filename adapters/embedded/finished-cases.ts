/**
 * Columns that say which cases are finished, and an index on them, so that a listing can leave such
 * cases out without reading them (decision 289).
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { finishedOf } from '../../domain/cases/finished.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Phase } from '../../domain/cases/status.ts'
import type { LeftOut } from '../../domain/ports/stores.ts'
import { addColumn } from './sqlite.ts'

const COLUMNS = ['ended_ms INTEGER', 'logged_ms INTEGER', 'ended_phase TEXT'] as const
/** Part of each UPDATE that changes a case; `mark` follows it. */
export const UNMARKED = 'ended_ms = NULL, logged_ms = NULL, ended_phase = NULL'

/** The columns of one row; null in all of them: the case is not finished. */
interface Columns {
  resource_version: number
  ended_ms: number | null
  logged_ms: number | null
  ended_phase: string | null
}

/** The columns of the table of cases. */
export class FinishedCases {
  readonly #database: DatabaseSync
  readonly #table: string
  readonly #index: string
  readonly #mark: StatementSync
  #page: StatementSync | undefined
  #count: StatementSync | undefined

  /** @param table of the cases; columns that it lacks are added */
  constructor(database: DatabaseSync, table: string) {
    for (const column of COLUMNS) addColumn(database, table, column)
    // A former version changes a case, but not these columns.
    database.exec(`
      CREATE TRIGGER IF NOT EXISTS ${table}_unmark
      AFTER UPDATE OF resource_version ON ${table} WHEN NEW.ended_ms IS NOT NULL
      BEGIN
        UPDATE ${table} SET ${UNMARKED} WHERE resource_version = NEW.resource_version;
      END`)
    this.#database = database
    this.#table = table
    this.#index = `${table}_finished`
    this.#mark = database.prepare(`
      UPDATE ${table} SET ended_ms = ?, logged_ms = ?, ended_phase = ? WHERE resource_version = ?`)
  }

  /** Whether every row has been marked; otherwise the caller marks them and calls `complete`. */
  isComplete(): boolean {
    const find = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?"
    return this.#database.prepare(find).get(this.#index) !== undefined
  }

  /**
   * Makes the index, which also says that every row has been marked. A change of `finishedOf` needs
   * another name of the index, so that all rows are marked again.
   */
  complete(): void {
    this.#database.exec(`
      CREATE INDEX ${this.#index}
      ON ${this.#table} (tenant, case_id, ended_ms, logged_ms, ended_phase)`)
  }

  /** Writes the columns of a row, if they differ. */
  mark(row: Columns, signatureCase: SignatureCase): void {
    const { endedMs = null, loggedMs = null, phase = null } = finishedOf(signatureCase) ?? {}
    const isSame =
      row.ended_ms === endedMs && row.logged_ms === loggedMs && row.ended_phase === phase
    if (!isSame) this.#mark.run(endedMs, loggedMs, phase, row.resource_version)
  }

  /** Returns at most `limit` rows of cases that are not left out, in order of their names. */
  list(
    after: readonly [string, string],
    limit: number,
    { endedFromMs, createdFromMs }: LeftOut,
  ): Record<string, unknown>[] {
    this.#page ??= this.#database.prepare(`
      SELECT * FROM ${this.#table} INDEXED BY ${this.#index}
      WHERE (tenant, case_id) > (?, ?) AND (ended_ms IS NULL OR ended_ms < ? OR logged_ms < ?)
      ORDER BY tenant, case_id LIMIT ?`)
    return this.#page.all(...after, endedFromMs, createdFromMs, limit)
  }

  /** Counts the cases that are left out. A million take a tenth of a second. */
  count({ endedFromMs, createdFromMs }: LeftOut): ReadonlyMap<Phase, number> {
    this.#count ??= this.#database.prepare(`
      SELECT ended_phase AS phase, COUNT(*) AS cases FROM ${this.#table} INDEXED BY ${this.#index}
      WHERE ended_ms >= ? AND (logged_ms IS NULL OR logged_ms >= ?) GROUP BY ended_phase`)
    const rows = this.#count.all(endedFromMs, createdFromMs)
    return new Map(rows.map(({ phase, cases }) => [phase as Phase, Number(cases)]))
  }
}
