/** Erases objects of cases without a resource when their retention time is over. */
import type { ObjectStore } from '../domain/ports/object-store.ts'
import { eraseArchived, type ArchivedDeps } from './archived-cases.ts'
import { sweepArchivedLogs } from './archived-logs.ts'
import { attemptAll } from './attempt-all.ts'
import { eraseRemoved } from './removed-cases.ts'

export type OverdueDeps = Omit<ArchivedDeps, 'objects'> & { objects: ObjectStore }

/**
 * Orders the erasure of removed and archived cases, and deletes the delivery logs of archived ones.
 * A step that fails does not keep back the others.
 *
 * @throws the first error, after all steps
 */
export async function eraseOverdueObjects(deps: OverdueDeps, nowMs: number): Promise<void> {
  const steps = [
    () => eraseRemoved(deps, nowMs),
    () => eraseArchived(deps, nowMs),
    () => sweepArchivedLogs(deps.objects, new Date(nowMs)),
  ]
  await attemptAll(steps, (step) => step())
}
