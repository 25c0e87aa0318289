/** Keeps the index of cases in step with a store that other processes write too (decision 233). */
import { rowOf } from '../../domain/cases/case-row.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import { afterWrites } from './after-writes.ts'

/** After a failure, writes leave the index out for this time, so that requests do not wait. */
export const PAUSE_MS = 5_000

export interface IndexWritesOptions {
  index: Pick<CaseIndex, 'put' | 'remove'>
  timers: Pick<Timers, 'nowMs'>
  /** Receives failures of the index; the write of the case has succeeded. */
  onError(error: unknown): void
}

/** Whether the write let the API server remove the case. */
const isReleased = ({ metadata }: SignatureCase) =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0

/**
 * Writes the row of a case after each write of the case. A row that cannot be written is written by
 * the next write of the case, or by the next resync of the controller.
 *
 * @returns the same store, with its writing methods replaced
 */
export function indexWrites<S extends CaseStore>(
  cases: S,
  { index, timers, onError }: IndexWritesOptions,
): S {
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const attempt = async (work: () => Promise<void>) => {
    if (timers.nowMs() < pausedUntilMs) return
    try {
      await work()
    } catch (error) {
      pausedUntilMs = timers.nowMs() + PAUSE_MS
      onError(error)
    }
  }
  return afterWrites(cases, {
    async onWritten(written) {
      const { namespace: tenant, name: caseId } = written.metadata
      const row = rowOf(written)
      if (isReleased(written)) await attempt(() => index.remove({ tenant, caseId }, 'living'))
      else if (row) await attempt(() => index.put([row]))
    },
    onDeleted: (key) => attempt(() => index.remove(key, 'living')),
  })
}

/**
 * Keeps the rows of archived cases in the index: the row of a case whose resource is removed stays
 * until the case is erased.
 */
export const archivedRows = (index: Pick<CaseIndex, 'put' | 'remove'>) => ({
  async onArchived(signatureCase: SignatureCase): Promise<void> {
    const row = rowOf(signatureCase)
    if (row) await index.put([{ ...row, isArchived: true }])
  },
  onErased: (key: CaseKey): Promise<void> => index.remove(key, 'any'),
})
