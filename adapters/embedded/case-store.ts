/**
 * Cases in SQLite with the semantics of the Kubernetes API: separate spec and status,
 * compare-and-swap.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isNewFromApi } from '../../domain/cases/archive.ts'
import { rowOf } from '../../domain/cases/case-row.ts'
import { completed } from '../../domain/cases/complete.ts'
import { KIND, type SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseSpec } from '../../domain/cases/spec.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import type { Durability } from '../../domain/ports/object-store.ts'
import {
  AlreadyExistsError,
  ConflictError,
  type CaseKey,
  type CaseStore,
  type LeftOut,
  type OnChange,
  type Page,
} from '../../domain/ports/stores.ts'
import { API_VERSION } from '../../domain/resources.ts'
import { ROWS, SqliteCaseIndex } from './case-index.ts'
import type { Faults } from '../../domain/fault-log.ts'
import { CommitLog, type CommitLogOptions } from './commit-log.ts'
import { FinishedCases, UNMARKED } from './finished-cases.ts'
import { RemovedBytes } from './removed-bytes.ts'
import {
  addColumn,
  inTransaction,
  isTaken,
  nextVersion,
  openDatabase,
  swapVersion,
} from './sqlite.ts'

const TABLE = 'signature_case'
/** Cases that one transaction indexes. */
const PAGE = 500
/** Before all tenants and cases. */
const START = ['', ''] as const

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    resource_version INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    case_id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    created TEXT NOT NULL,
    spec TEXT NOT NULL,
    status TEXT,
    annotations TEXT,
    UNIQUE (tenant, case_id)
  ) STRICT;
`

interface Row {
  resource_version: number
  tenant: string
  case_id: string
  generation: number
  created: string
  spec: string
  status: string | null
  annotations: string | null
  ended_ms: number | null
  logged_ms: number | null
  ended_phase: string | null
}

function fromRow(row: Row): SignatureCase {
  return completed({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name: row.case_id,
      namespace: row.tenant,
      resourceVersion: String(row.resource_version),
      generation: row.generation,
      creationTimestamp: row.created,
      ...(row.annotations === null ? {} : { annotations: JSON.parse(row.annotations) }),
    },
    spec: JSON.parse(row.spec) as CaseSpec,
    ...(row.status === null ? {} : { status: JSON.parse(row.status) as CaseStatus }),
  })
}

const annotationsOf = ({ annotations }: SignatureCase['metadata']) =>
  annotations ? JSON.stringify(annotations) : null

export interface CaseStoreOptions extends CommitLogOptions {
  /** Learns whether removed bytes are overwritten. */
  faults?: Faults
}

/** Each write of a case also writes its row of the index, in one transaction. */
export class SqliteCaseStore implements CaseStore {
  readonly index: SqliteCaseIndex
  readonly #database: DatabaseSync
  readonly #log: CommitLog
  readonly #finished: FinishedCases
  readonly #removed: RemovedBytes
  readonly #now: () => Date
  readonly #watchers = new Set<OnChange>()
  readonly #insert: StatementSync
  readonly #select: StatementSync
  readonly #updateSpec: StatementSync
  readonly #updateStatus: StatementSync
  readonly #delete: StatementSync
  readonly #deleteVersion: StatementSync
  readonly #page: StatementSync
  readonly #pageOfTenant: StatementSync

  /** @param path of the database file */
  constructor(path: string, now: () => Date, { faults, ...log }: CaseStoreOptions = {}) {
    this.#now = now
    this.#database = openDatabase(path, SCHEMA)
    addColumn(this.#database, TABLE, 'annotations TEXT')
    this.#log = new CommitLog(this.#database, path, log)
    this.#finished = new FinishedCases(this.#database, TABLE)
    this.#removed = new RemovedBytes(this.#database, { faults })
    const onRemoved = () => this.#removed.overwriteSoon()
    this.index = new SqliteCaseIndex(this.#database, onRemoved, this.#log)
    this.#insert = this.#database.prepare(`
      INSERT INTO ${TABLE} (tenant, case_id, generation, created, spec, annotations)
      VALUES (?, ?, 1, ?, ?, ?) RETURNING *`)
    this.#select = this.#database.prepare(`SELECT * FROM ${TABLE} WHERE tenant = ? AND case_id = ?`)
    const next = nextVersion(TABLE)
    const current = 'tenant = ? AND case_id = ? AND resource_version = ?'
    this.#updateSpec = this.#database.prepare(`
      UPDATE ${TABLE}
      SET resource_version = ${next}, spec = ?, annotations = ?, generation = generation + 1,
        ${UNMARKED}
      WHERE ${current} RETURNING *`)
    this.#updateStatus = this.#database.prepare(`
      UPDATE ${TABLE} SET resource_version = ${next}, status = ?, ${UNMARKED}
      WHERE ${current} RETURNING *`)
    this.#delete = this.#database.prepare(`DELETE FROM ${TABLE} WHERE tenant = ? AND case_id = ?`)
    this.#deleteVersion = this.#database.prepare(`DELETE FROM ${TABLE} WHERE ${current}`)
    this.#page = this.#database.prepare(`
      SELECT * FROM ${TABLE} WHERE (tenant, case_id) > (?, ?)
      ORDER BY tenant, case_id LIMIT ?`)
    this.#pageOfTenant = this.#database.prepare(`
      SELECT * FROM signature_case WHERE tenant = ? AND case_id > ? ORDER BY case_id LIMIT ?`)
    if (!this.#finished.isComplete()) {
      this.#markAll()
      this.#finished.complete()
    }
    this.#indexMissing()
  }

  async create({ metadata, spec }: SignatureCase): Promise<SignatureCase> {
    const created = this.#now().toISOString()
    try {
      const { namespace, name } = metadata
      const values = [namespace, name, created, JSON.stringify(spec), annotationsOf(metadata)]
      const insert = () => this.#indexRow(this.#insert.get(...values))
      const made = await this.#durably(() => inTransaction(this.#database, insert))
      return this.#notifyLater(made, isNewFromApi(made))
    } catch (error) {
      if (!isTaken(error)) throw error
      throw new AlreadyExistsError(`case ${metadata.name} exists already`, { cause: error })
    }
  }

  async get({ tenant, caseId }: CaseKey): Promise<SignatureCase | undefined> {
    const row = this.#select.get(tenant, caseId)
    await this.#log.durable()
    return row && fromRow(row as unknown as Row)
  }

  async replaceSpec(signatureCase: SignatureCase): Promise<SignatureCase> {
    const { spec, metadata } = signatureCase
    const values = [JSON.stringify(spec), annotationsOf(metadata)]
    return this.#swap(this.#updateSpec, values, signatureCase)
  }

  async replaceStatus(
    signatureCase: SignatureCase,
    durability?: Durability,
  ): Promise<SignatureCase> {
    const values = [JSON.stringify(signatureCase.status)]
    return this.#swap(this.#updateStatus, values, signatureCase, durability)
  }

  async delete({ tenant, caseId }: CaseKey, version?: string): Promise<void> {
    const remove = () => {
      const { changes } =
        version === undefined
          ? this.#delete.run(tenant, caseId)
          : this.#deleteVersion.run(tenant, caseId, Number(version))
      const isGone = version === undefined || Number(changes) > 0
      if (isGone) this.index.erase({ tenant, caseId }, 'living')
      return isGone
    }
    const isDone = await this.#durably(() => inTransaction(this.#database, remove))
    if (isDone || !(await this.get({ tenant, caseId }))) return
    throw new ConflictError(`case ${caseId} was written by another writer`)
  }

  async list({
    limit,
    tenant,
    continue: token,
    leaveOut,
  }: Parameters<CaseStore['list']>[0]): Promise<Page<SignatureCase>> {
    const after = token === undefined ? START : (JSON.parse(token) as [string, string])
    const rows = this.#rowsAfter(after, limit + 1, { tenant, leaveOut })
    const items = rows.slice(0, limit).map(fromRow)
    const last = rows[limit - 1]
    const isFirst = token === undefined && tenant === undefined
    const leftOut = isFirst && leaveOut && this.#finished.count(leaveOut)
    await this.#log.durable()
    return {
      items,
      ...(rows.length > limit && last && { continue: JSON.stringify([last.tenant, last.case_id]) }),
      ...(leftOut && { leftOut }),
    }
  }

  watch(onChange: OnChange): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }

  close(): void {
    this.#watchers.clear()
    this.#removed.close()
    this.#log.close()
    this.#database.close()
  }

  #rowsAfter(
    after: readonly [string, string],
    limit: number,
    { tenant, leaveOut }: { tenant: string | undefined; leaveOut: LeftOut | undefined },
  ): Row[] {
    if (tenant !== undefined) {
      return this.#pageOfTenant.all(tenant, after[1], limit) as unknown as Row[]
    }
    const found = leaveOut
      ? this.#finished.list(after, limit, leaveOut)
      : this.#page.all(...after, limit)
    return found as unknown as Row[]
  }

  async #swap(
    statement: StatementSync,
    changed: readonly (string | null)[],
    { metadata }: SignatureCase,
    durability?: Durability,
  ): Promise<SignatureCase> {
    const { namespace, name, resourceVersion } = metadata
    const values = [...changed, namespace, name, Number(resourceVersion)]
    let swapped: SignatureCase | undefined
    const onRow = (row: Record<string, unknown>) => {
      swapped = this.#indexRow(row)
    }
    const swap = () => swapVersion(this.#database, TABLE, statement, values, onRow)
    await this.#durably(swap, durability)
    if (!swapped) throw new ConflictError(`case ${name} was written by another writer`)
    return this.#notifyLater(swapped)
  }

  /**
   * Runs a transaction. Its outcome depends on what others wrote, so an error waits as well. What
   * may be durable `later` is on the disk with the next commit: the log has them in their order.
   */
  async #durably<T>(transaction: () => T, durability: Durability = 'now'): Promise<T> {
    try {
      const result = transaction()
      if (durability === 'now') this.#log.committed()
      return result
    } finally {
      await this.#log.durable()
    }
  }

  /** Writes the row of a case in the index, and marks it. @param written all columns of the case */
  #indexRow(written: unknown): SignatureCase {
    const signatureCase = fromRow(written as Row)
    const row = rowOf(signatureCase)
    if (row) this.index.write(row)
    this.#finished.mark(written as Row, signatureCase)
    return signatureCase
  }

  /** Marks the finished cases that an earlier version without these columns has stored. */
  #markAll(): void {
    let after: readonly [string, string] = START
    for (;;) {
      const rows = this.#page.all(...after, PAGE) as unknown as Row[]
      const last = rows.at(-1)
      if (!last) return
      inTransaction(this.#database, () => {
        for (const row of rows) this.#finished.mark(row, fromRow(row))
      })
      after = [last.tenant, last.case_id]
    }
  }

  /** Writes the rows of cases that an earlier version without the index has stored. */
  #indexMissing(): void {
    const missing = this.#database.prepare(`
      SELECT * FROM ${TABLE} AS one WHERE (tenant, case_id) > (?, ?) AND NOT EXISTS (
        SELECT 1 FROM ${ROWS} AS row WHERE row.tenant = one.tenant
          AND row.case_id = one.case_id AND row.version >= one.resource_version)
      ORDER BY tenant, case_id LIMIT ${PAGE}`)
    let after: [string, string] = ['', '']
    for (;;) {
      const rows = missing.all(...after) as unknown as Row[]
      const last = rows.at(-1)
      if (!last) return
      inTransaction(this.#database, () => {
        for (const row of rows) this.#indexRow(row)
      })
      after = [last.tenant, last.case_id]
    }
  }

  #notifyLater(signatureCase: SignatureCase, isNew = false): SignatureCase {
    const { namespace: tenant, name: caseId, resourceVersion } = signatureCase.metadata
    // After the caller has its answer, because a watcher must not run within a write.
    queueMicrotask(() => {
      for (const watcher of this.#watchers)
        watcher({ tenant, caseId }, resourceVersion, isNew, () => signatureCase)
    })
    return signatureCase
  }
}
