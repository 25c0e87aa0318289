/** What the controllers of all groups of shards in one process share. */
import { ReadObjects } from '../application/store/folder-snapshot.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import type { ControllerDeps } from './deps.ts'
import { GroupNumbers } from './group-numbers.ts'

/** Opens the parts, once for each process. */
export function openSharedParts(
  metrics: Metrics,
): Required<Pick<ControllerDeps, 'read' | 'numbers'>> {
  return { read: new ReadObjects(), numbers: new GroupNumbers(metrics) }
}
