/**
 * The job `verify-sweep`: deletes uploads that were never verified and reports that were never
 * fetched.
 */
import { objectPages } from '../../application/store/object-pages.ts'
import { isForgotten, VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import type { WorkerDeps } from '../deps.ts'

/** The next run deletes the rest. */
const MAXIMUM_PAGES = 100

/** @throws Error when the store fails */
export async function sweepVerifications({
  objects,
  now,
}: Pick<WorkerDeps, 'objects' | 'now'>): Promise<void> {
  for await (const page of objectPages(objects, VERIFICATIONS_FOLDER, MAXIMUM_PAGES)) {
    const forgotten = page.filter((stat) => isForgotten(stat, now()))
    for (const { key } of forgotten) await objects.delete(key)
  }
}
