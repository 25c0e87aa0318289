/** Secrets of cases in SQLite, in a file that only its owner can read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Faults } from '../../domain/fault-log.ts'
import type { CaseSecrets, SecretStore } from '../../domain/ports/secret-store.ts'
import { AlreadyExistsError, type CaseKey } from '../../domain/ports/stores.ts'
import { RemovedBytes } from './removed-bytes.ts'
import { inTransaction, openDatabase } from './sqlite.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS case_secrets (
    tenant TEXT NOT NULL,
    case_id TEXT NOT NULL,
    created TEXT NOT NULL,
    adopted INTEGER NOT NULL DEFAULT 0,
    secrets TEXT NOT NULL,
    PRIMARY KEY (tenant, case_id)
  ) STRICT;
`

export class SqliteSecretStore implements SecretStore {
  readonly #database: DatabaseSync
  readonly #removed: RemovedBytes
  readonly #now: () => Date
  readonly #insert: StatementSync
  readonly #select: StatementSync
  readonly #adopt: StatementSync
  readonly #delete: StatementSync
  readonly #unadopted: StatementSync

  /**
   * @param path of the database file
   * @param faults learns whether removed bytes are overwritten
   */
  constructor(path: string, now: () => Date, faults?: Faults) {
    this.#now = now
    this.#database = openDatabase(path, SCHEMA)
    this.#removed = new RemovedBytes(this.#database, { faults })
    this.#insert = this.#database.prepare(`
      INSERT INTO case_secrets (tenant, case_id, created, secrets) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`)
    const one = 'tenant = ? AND case_id = ?'
    this.#select = this.#database.prepare(`SELECT secrets FROM case_secrets WHERE ${one}`)
    this.#adopt = this.#database.prepare(`UPDATE case_secrets SET adopted = 1 WHERE ${one}`)
    this.#delete = this.#database.prepare(`DELETE FROM case_secrets WHERE ${one}`)
    this.#unadopted = this.#database.prepare(`
      SELECT tenant, case_id FROM case_secrets WHERE adopted = 0 AND created < ?
      ORDER BY created LIMIT ?`)
  }

  async create({ tenant, caseId }: CaseKey, secrets: CaseSecrets): Promise<void> {
    const created = this.#now().toISOString()
    const values = [tenant, caseId, created, JSON.stringify(secrets)]
    const { changes } = inTransaction(this.#database, () => this.#insert.run(...values))
    if (changes === 0) throw new AlreadyExistsError(`case ${caseId} has secrets already`)
  }

  async get({ tenant, caseId }: CaseKey): Promise<CaseSecrets | undefined> {
    const row = this.#select.get(tenant, caseId)
    return row && (JSON.parse(String(row.secrets)) as CaseSecrets)
  }

  async adopt({ tenant, caseId }: CaseKey): Promise<void> {
    inTransaction(this.#database, () => this.#adopt.run(tenant, caseId))
  }

  async delete({ tenant, caseId }: CaseKey): Promise<void> {
    inTransaction(this.#database, () => this.#delete.run(tenant, caseId))
    this.#removed.overwriteSoon()
  }

  async listUnadopted(createdBefore: Date, limit: number): Promise<CaseKey[]> {
    const rows = this.#unadopted.all(createdBefore.toISOString(), limit)
    return rows.map((row) => ({ tenant: String(row.tenant), caseId: String(row.case_id) }))
  }

  close(): void {
    this.#removed.close()
    this.#database.close()
  }
}
