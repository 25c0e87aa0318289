/** Opens the index of cases in PostgreSQL, and keeps it in step with the store of a process. */
import { PostgresCaseIndex } from '../../adapters/postgres/case-index.ts'
import { connectPostgres } from '../../adapters/postgres/connect.ts'
import { OwnedCaseIndex } from '../../adapters/postgres/owned-index.ts'
import { archivedRows, indexWrites } from '../../application/cases/index-writes.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { CaseStore } from '../../domain/ports/stores.ts'
import type { IndexConfig } from '../config/case-index.ts'
import { measured } from './measured.ts'
import type { ProcessParts } from './process.ts'
import { wrapCalls } from '../tracing/wrap-calls.ts'

const CALLS = ['put', 'remove', 'find', 'listLiving'] as const satisfies (keyof CaseIndex)[]
/** Making an index over many rows takes minutes. */
const SCHEMA_LIMIT_MS = 60 * 60_000

export interface IndexOptions {
  config: IndexConfig | undefined
  /** Makes the tables; of all processes, only the controller may. */
  isOwner: boolean
  /** Each write of this store also writes the index. */
  cases: CaseStore
  metrics: Metrics
}

/** Reports failed searches, because a listing by id goes on without the index. */
const reportFinds = (index: CaseIndex, onError: (error: unknown) => void): CaseIndex =>
  wrapCalls(index, ['find'], (_method, call) => async (...args: unknown[]) => {
    try {
      return await call(...args)
    } catch (error) {
      onError(error)
      throw error
    }
  })

/** Returns what the controller calls when it archives and erases; nothing without an index. */
export const archiveHooks = (index: CaseIndex | undefined) => (index ? archivedRows(index) : {})

/** @returns undefined when the service has no index */
export function openIndex(
  { config, isOwner, cases, metrics }: IndexOptions,
  { log, timers, closings, tracer }: ProcessParts,
): CaseIndex | undefined {
  if (!config) return undefined
  const faults = new FaultLog({ log, timers, message: 'the index of cases failed' })
  const onError = (error: unknown) => faults.failed(error)
  const open = () => {
    const pool = connectPostgres(config, onError)
    closings.unshift(() => pool.end())
    return pool
  }
  const pool = open()
  const opened = isOwner
    ? new OwnedCaseIndex({
        pool,
        openSlowPool: () =>
          connectPostgres({ ...config, statementLimitMs: SCHEMA_LIMIT_MS }, onError),
        nowMs: () => timers.nowMs(),
        onNoTrigrams: (err) => log.warn({ err }, 'the index of cases has no trigrams'),
      })
    : new PostgresCaseIndex(pool, open())
  const calls = { system: 'index', methods: CALLS, metrics, tracer } as const
  const index = reportFinds(measured<CaseIndex>(opened, calls), onError)
  indexWrites(cases, { index, timers, onError })
  return index
}
