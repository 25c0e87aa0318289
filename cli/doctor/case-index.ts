/** Checks the index of cases for `sigcase doctor`. */
import { connectPostgres } from '../../adapters/postgres/connect.ts'
import { ROWS } from '../../adapters/postgres/schema.ts'
import type { IndexConfig } from '../../runtime/config/case-index.ts'
import { failed, ok, type Check } from './finding.ts'

const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** Checks that this process can connect, and may read and write the rows. */
export function indexCheck(index: IndexConfig): Check {
  const remedy = 'correct INDEX_URL and INDEX_CA_FILE as docs/how-to/index-cases.md says'
  return {
    name: 'index of cases',
    remedy,
    async ask() {
      const pool = connectPostgres(index, () => undefined)
      const rights = RIGHTS.map((right) => `has_table_privilege(found, '${right}')`)
      try {
        const { rows } = await pool.query<{ found: string | null; may: boolean }>(
          `SELECT found, ${rights.join(' AND ')} AS may FROM to_regclass('${ROWS}') AS found`,
        )
        const [row] = rows
        if (!row || row.found === null) {
          return failed('there is no table', 'start the controller, whose leader makes the tables')
        }
        if (row.may) return ok('may read and write rows')
        return failed('the role may not read and write rows', `grant ${RIGHTS.join(', ')} on it`)
      } finally {
        await pool.end()
      }
    },
  }
}
