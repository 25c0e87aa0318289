/** The SQL of a query of the index of cases, for SQLite and PostgreSQL. */
import type { CaseQuery, CaseSort, FoundCase } from '../../domain/ports/case-index.ts'

type Value = string | number

/** A statement and the values of its parameters. */
export interface Statement {
  sql: string
  values: Value[]
}

const COLUMNS = 'case_id, created_ms, is_archived'

interface Order {
  /** Columns of ORDER BY. */
  by: string
  /** Selects what follows the last row of the page before. */
  after: string
  hasTime: boolean
}

const ORDERS: Readonly<Record<CaseSort, Order>> = {
  ID: { by: 'case_id', after: 'case_id > ?', hasTime: false },
  CREATED_ASC: {
    by: 'created_ms, case_id',
    after: '(created_ms, case_id) > (?, ?)',
    hasTime: true,
  },
  CREATED_DESC: {
    by: 'created_ms DESC, case_id DESC',
    after: '(created_ms, case_id) < (?, ?)',
    hasTime: true,
  },
}

interface Condition {
  sql: string
  values: readonly Value[]
  /** Few rows meet it. */
  isRare?: true
}

const asPattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The conditions that every branch has, without the state. */
function conditionsOf({ tenant, filter, sort, after }: CaseQuery): Condition[] {
  const { words = [], email, createdFromMs, createdBeforeMs } = filter
  const texts = [...words, ...(email === undefined ? [] : [`\n${email}\n`])]
  const conditions: Condition[] = [{ sql: 'tenant = ?', values: [tenant] }]
  if (after) {
    const { caseId, createdMs } = after
    const values = ORDERS[sort].hasTime ? [createdMs, caseId] : [caseId]
    conditions.push({ sql: ORDERS[sort].after, values })
  }
  if (createdFromMs !== undefined) {
    conditions.push({ sql: 'created_ms >= ?', values: [createdFromMs] })
  }
  if (createdBeforeMs !== undefined) {
    conditions.push({ sql: 'created_ms < ?', values: [createdBeforeMs] })
  }
  if (filter.isArchived) conditions.push({ sql: 'is_archived', values: [] })
  for (const text of texts) {
    conditions.push({ sql: String.raw`text LIKE ? ESCAPE '\'`, values: [asPattern(text)] })
  }
  return conditions
}

/**
 * One condition for each state, so that each branch reads one range of an index: the states as they
 * were written, and cases that have expired since.
 */
function branchesOf({ filter: { phases }, nowMs }: CaseQuery): (Condition | undefined)[] {
  if (phases === undefined) return [undefined]
  if (phases.length === 0) return [{ sql: '1 = 0', values: [] }]
  const written = phases.map((phase) => ({
    sql: 'phase = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)',
    values: [phase, nowMs],
  }))
  if (!phases.includes('EXPIRED')) return written
  return [...written, { sql: 'expires_at_ms <= ?', values: [nowMs], isRare: true }]
}

/**
 * Builds the statement of a query.
 *
 * @param table with the columns tenant, case_id, created_ms, phase, expires_at_ms, text and
 *   is_archived
 * @param wrapRare changes the selection of rows of which there are few
 * @returns SQL with `?` for each value
 */
export function selectCases(
  table: string,
  query: CaseQuery,
  wrapRare = (rows: string) => rows,
): Statement {
  const { by } = ORDERS[query.sort]
  const common = conditionsOf(query)
  const branches = branchesOf(query).map((branch): Condition => {
    const conditions = branch ? [...common, branch] : common
    const where = `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
    const rows = `SELECT ${COLUMNS} FROM ${table} ${where}`
    const page = `ORDER BY ${by} LIMIT ?`
    return {
      sql: `${branch?.isRare ? wrapRare(rows) : rows} ${page}`,
      values: [...conditions.flatMap(({ values }) => values), query.limit],
    }
  })
  const [first] = branches
  if (branches.length === 1 && first) return { sql: first.sql, values: [...first.values] }
  const union = branches.map(({ sql }, index) => `SELECT * FROM (${sql}) AS branch${index}`)
  return {
    sql: `${union.join(' UNION ALL ')} ORDER BY ${by} LIMIT ?`,
    values: [...branches.flatMap(({ values }) => values), query.limit],
  }
}

/** Reads a row of the result; numbers may be texts, and a flag may be a number. */
export function foundCase(row: Record<string, unknown>): FoundCase {
  return {
    caseId: String(row.case_id),
    createdMs: Number(row.created_ms),
    isArchived: Boolean(row.is_archived),
  }
}
