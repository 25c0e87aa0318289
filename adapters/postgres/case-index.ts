/** The index of cases in PostgreSQL (decision 233). */
import type { Pool } from 'pg'
import type { CaseIndex, CaseQuery, CaseRow, FoundCase } from '../../domain/ports/case-index.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { foundCase, selectCases, type Statement } from '../shared/case-query.ts'
import { ROWS } from './schema.ts'

/** One array for each column; the newest row of a case comes first. */
const PUT = `
  INSERT INTO ${ROWS}
    (tenant, case_id, created_ms, phase, expires_at_ms, text, version, is_archived)
  SELECT DISTINCT ON (tenant, case_id, created_ms) *
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[],
    $7::bigint[], $8::boolean[])
    AS given (tenant, case_id, created_ms, phase, expires_at_ms, text, version, is_archived)
  ORDER BY tenant, case_id, created_ms, version DESC, is_archived DESC
  ON CONFLICT (tenant, case_id, created_ms) DO UPDATE SET
    phase = excluded.phase, expires_at_ms = excluded.expires_at_ms, text = excluded.text,
    version = excluded.version, is_archived = excluded.is_archived
  WHERE (excluded.version, excluded.is_archived) > (${ROWS}.version, ${ROWS}.is_archived)`

const REMOVE = `DELETE FROM ${ROWS} WHERE tenant = $1 AND case_id = $2 AND (NOT is_archived OR $3)`

const LIST = `SELECT tenant, case_id FROM ${ROWS}
  WHERE (tenant, case_id) > ($1, $2) AND NOT is_archived ORDER BY tenant, case_id LIMIT $3`

/**
 * Evaluates few rows on their own, by their index. Otherwise PostgreSQL can choose to walk all rows
 * of the tenant in the order of the page, in the hope of finding enough of them early.
 */
const materialized = (rows: string) => `WITH rare AS MATERIALIZED (${rows}) SELECT * FROM rare`

/** Builds the statement of a query. */
export function statementOf(query: CaseQuery): Statement {
  const { sql, values } = selectCases(ROWS, query, materialized)
  return { sql: numbered(sql), values }
}

/** Replaces each `?` by `$1`, `$2` and so on; the statements have no other question mark. */
function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}

export class PostgresCaseIndex implements CaseIndex {
  readonly #pool: Pool
  readonly #searches: Pool

  /** @param searches for `find`, so that slow searches of one tenant do not keep back writes */
  constructor(pool: Pool, searches = pool) {
    this.#pool = pool
    this.#searches = searches
  }

  async put(rows: readonly CaseRow[]): Promise<void> {
    if (rows.length === 0) return
    await this.#pool.query(PUT, [
      rows.map(({ tenant }) => tenant),
      rows.map(({ caseId }) => caseId),
      rows.map(({ createdMs }) => createdMs),
      rows.map(({ phase }) => phase),
      rows.map(({ expiresAtMs }) => expiresAtMs ?? null),
      // PostgreSQL has no texts with U+0000, and a folded text has none.
      rows.map(({ text }) => text),
      rows.map(({ version }) => version),
      rows.map(({ isArchived }) => isArchived),
    ])
  }

  async remove({ tenant, caseId }: CaseKey, which: 'living' | 'any'): Promise<void> {
    await this.#pool.query(REMOVE, [tenant, caseId, which === 'any'])
  }

  async find(query: CaseQuery): Promise<FoundCase[]> {
    const { sql, values } = statementOf(query)
    const { rows } = await this.#searches.query<Record<string, unknown>>(sql, values)
    return rows.map(foundCase)
  }

  async listLiving(limit: number, after?: CaseKey): Promise<CaseKey[]> {
    const { tenant, caseId } = after ?? { tenant: '', caseId: '' }
    const { rows } = await this.#pool.query<{ tenant: string; case_id: string }>(LIST, [
      tenant,
      caseId,
      limit,
    ])
    return rows.map((row) => ({ tenant: row.tenant, caseId: row.case_id }))
  }
}
