/** Fills the database of one machine with cases, without the writes that lead to them. */
import { DatabaseSync } from 'node:sqlite'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'

export interface StoredCase {
  caseId: string
  /** JSON. */
  spec: string
  /** JSON. */
  status: string
}

/**
 * Writes the cases as an earlier version did, so that opening the store writes their rows of the
 * index.
 *
 * @param path of a database file that does not exist
 */
export function fillStore(path: string, cases: Iterable<StoredCase>): void {
  new SqliteCaseStore(path, () => new Date()).close()
  const database = new DatabaseSync(path)
  const insert = database.prepare(
    `INSERT INTO signature_case (tenant, case_id, generation, created, spec, status)
     VALUES ('${TENANT}', ?, 1, '2026-11-02T08:00:00Z', ?, ?)`,
  )
  database.exec('BEGIN')
  for (const { caseId, spec, status } of cases) insert.run(caseId, spec, status)
  database.exec('COMMIT')
  database.close()
}
