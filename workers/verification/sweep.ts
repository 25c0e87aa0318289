/** The job `verify-sweep`: removes uploads that nobody verified and reports that nobody fetched. */
import { isForgotten, VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import type { WorkerDeps } from '../deps.ts'

const PAGE_SIZE = 500
/** What is left over is for the next run. */
const MAXIMUM_PAGES = 200

/** @throws Error when the store fails */
export async function sweepVerifications({
  objects,
  now,
}: Pick<WorkerDeps, 'objects' | 'now'>): Promise<void> {
  let after: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const options = { limit: PAGE_SIZE, ...(after !== undefined && { after }) }
    const stats = await objects.list(VERIFICATIONS_FOLDER, options)
    const forgotten = stats.filter((stat) => isForgotten(stat, now()))
    for (const { key } of forgotten) await objects.delete(key)
    if (stats.length < PAGE_SIZE) return
    after = stats.at(-1)?.key
  }
}
