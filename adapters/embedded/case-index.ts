/** The index of cases in SQLite, in the database of the cases (decision 233). */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CaseIndex, CaseQuery, CaseRow, FoundCase } from '../../domain/ports/case-index.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { foundCase, selectCases } from '../shared/case-query.ts'
import type { CommitLog } from './commit-log.ts'
import { CaseTexts } from './case-texts.ts'
import { inTransaction } from './sqlite.ts'

/** Name of the table. */
export const ROWS = 'case_row'
/** Queries differ in the number of states and words. */
const MAXIMUM_STATEMENTS = 100

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${ROWS} (
    tenant TEXT NOT NULL,
    case_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    phase TEXT NOT NULL,
    expires_at_ms INTEGER,
    text TEXT NOT NULL,
    version INTEGER NOT NULL,
    is_archived INTEGER NOT NULL,
    PRIMARY KEY (tenant, case_id)
  ) STRICT, WITHOUT ROWID;
  -- With all columns of a result, because otherwise SQLite reads all rows of the tenant.
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_phase
    ON ${ROWS} (tenant, phase, case_id, created_ms, expires_at_ms, is_archived);
  -- A page of archived cases passes the newer ones that are not archived without reading them.
  DROP INDEX IF EXISTS ${ROWS}_by_time;
  DROP INDEX IF EXISTS ${ROWS}_by_phase_and_time;
  CREATE INDEX IF NOT EXISTS ${ROWS}_in_time ON ${ROWS} (tenant, created_ms, case_id, is_archived);
  CREATE INDEX IF NOT EXISTS ${ROWS}_of_phase_in_time
    ON ${ROWS} (tenant, phase, created_ms, case_id, is_archived, expires_at_ms);
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_expiry ON ${ROWS} (tenant, expires_at_ms)
    WHERE expires_at_ms IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${ROWS}_archived
    ON ${ROWS} (tenant, case_id, created_ms, is_archived) WHERE is_archived;
`

/** Its methods run at once, so that the store can call `write` and `erase` in a transaction. */
export class SqliteCaseIndex implements CaseIndex {
  readonly #database: DatabaseSync
  readonly #onRemoved: () => void
  readonly #log: Pick<CommitLog, 'committed' | 'durable'> | undefined
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #list: StatementSync
  readonly #texts: CaseTexts
  readonly #statements = new Map<string, StatementSync>()

  /**
   * @param onRemoved called after a row was removed; its bytes are still in the log
   * @param log absent: each commit is durable when it returns
   */
  constructor(
    database: DatabaseSync,
    onRemoved: () => void = () => undefined,
    log?: Pick<CommitLog, 'committed' | 'durable'>,
  ) {
    database.exec(SCHEMA)
    this.#database = database
    this.#onRemoved = onRemoved
    this.#log = log
    this.#texts = new CaseTexts(database, ROWS)
    this.#put = database.prepare(`
      INSERT INTO ${ROWS}
        (tenant, case_id, created_ms, phase, expires_at_ms, text, version, is_archived)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, case_id) DO UPDATE SET
        created_ms = excluded.created_ms, phase = excluded.phase,
        expires_at_ms = excluded.expires_at_ms, text = excluded.text,
        version = excluded.version, is_archived = excluded.is_archived
      WHERE (excluded.version, excluded.is_archived) > (version, is_archived)`)
    this.#remove = database.prepare(
      `DELETE FROM ${ROWS} WHERE tenant = ? AND case_id = ? AND is_archived <= ?`,
    )
    this.#list = database.prepare(`
      SELECT tenant, case_id FROM ${ROWS}
      WHERE (tenant, case_id) > (?, ?) AND is_archived = 0 ORDER BY tenant, case_id LIMIT ?`)
  }

  /** Writes one row; see `put`. */
  write(row: CaseRow): void {
    const { tenant, caseId, createdMs, phase, expiresAtMs = null, text, version } = row
    const flag = row.isArchived ? 1 : 0
    this.#put.run(tenant, caseId, createdMs, phase, expiresAtMs, text, version, flag)
  }

  /** Removes one row; see `remove`. */
  erase({ tenant, caseId }: CaseKey, which: 'living' | 'any'): void {
    this.#remove.run(tenant, caseId, which === 'any' ? 1 : 0)
    this.#onRemoved()
  }

  async put(rows: readonly CaseRow[]): Promise<void> {
    inTransaction(this.#database, () => {
      for (const row of rows) this.write(row)
    })
    await this.#durable()
  }

  async remove(key: CaseKey, which: 'living' | 'any'): Promise<void> {
    this.erase(key, which)
    await this.#durable()
  }

  async find(query: CaseQuery): Promise<FoundCase[]> {
    const texts = this.#texts.narrow(query.filter)
    const { sql, values } = selectCases(texts?.table ?? ROWS, query)
    const found = texts
      ? this.#prepare(`${texts.with} ${sql}`).all(texts.value, ...values)
      : this.#prepare(sql).all(...values)
    await this.#log?.durable()
    return found.map(foundCase)
  }

  async listLiving(limit: number, after?: CaseKey): Promise<CaseKey[]> {
    const { tenant, caseId } = after ?? { tenant: '', caseId: '' }
    const rows = this.#list.all(tenant, caseId, limit)
    await this.#log?.durable()
    return rows.map((row) => ({ tenant: String(row.tenant), caseId: String(row.case_id) }))
  }

  /** Call it right after a commit. */
  async #durable(): Promise<void> {
    this.#log?.committed()
    await this.#log?.durable()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MAXIMUM_STATEMENTS) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
