/** The index of cases with the tables that it needs, for the process that owns them. */
import type { Pool } from 'pg'
import type { CaseRow } from '../../domain/ports/case-index.ts'
import { PostgresCaseIndex } from './case-index.ts'
import { createTables, monthOf } from './schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Cases of other times share the default partition: who applies a case states when it was created,
 * and must not make thousands of partitions.
 */
const OLDEST_PARTITION_MS = 10 * 366 * DAY_MS
const NEWEST_PARTITION_MS = 31 * DAY_MS

export interface OwnedIndexOptions {
  pool: Pool
  /** Opens a pool whose statements may take long, for making tables. */
  openSlowPool(): Pool
  nowMs(): number
  /** The server has no trigrams, so searches read all texts. */
  onNoTrigrams(error: unknown): void
}

/** Before rows are written, it makes the tables, and the partitions of the months of the rows. */
export class OwnedCaseIndex extends PostgresCaseIndex {
  readonly #options: OwnedIndexOptions
  /** Names of months with a partition. */
  readonly #months = new Set<string>()

  constructor(options: OwnedIndexOptions) {
    super(options.pool)
    this.#options = options
  }

  /** Without rows, it only makes the tables. */
  override async put(rows: readonly CaseRow[]): Promise<void> {
    const nowMs = this.#options.nowMs()
    const stated = rows
      .map(({ createdMs }) => createdMs)
      .filter((ms) => ms > nowMs - OLDEST_PARTITION_MS && ms < nowMs + NEWEST_PARTITION_MS)
    const times = [nowMs, ...stated]
    if (times.some((ms) => !this.#months.has(monthOf(ms).name))) await this.#create(nowMs, times)
    await super.put(rows)
  }

  async #create(nowMs: number, times: readonly number[]): Promise<void> {
    const { openSlowPool, onNoTrigrams } = this.#options
    const pool = openSlowPool()
    try {
      await createTables(pool, { nowMs, times }, onNoTrigrams)
    } finally {
      await pool.end()
    }
    for (const ms of times) this.#months.add(monthOf(ms).name)
  }
}
