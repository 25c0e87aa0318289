/** Dependencies of the controller of cases; `runtime/` builds them, tests replace some of them. */
import type { ShardGroup } from '../domain/cases/shards.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseIndex } from '../domain/ports/case-index.ts'
import type { EphemeralStore } from '../domain/ports/ephemeral.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { GroupNumbers } from './group-numbers.ts'
import type { ReconcileDeps } from './signature-case/reconcile.ts'
import type { RestStores } from './stored-rests.ts'

export interface ControllerDeps extends Omit<
  ReconcileDeps,
  'now' | 'onAbsent' | 'completeRestoring'
> {
  /** Cases of this controller, which `cases` lists and watches; absent: all cases. */
  group?: ShardGroup
  /** Shared by the controllers of all groups in this process; absent: its own. */
  numbers?: GroupNumbers
  objects: ObjectStore
  /** Runs use the cases that the watch has just reported instead of reading them. */
  keepsRecentCases?: boolean
  /** Hours between the end of a case and its archiving; absent: cases are not archived. */
  archiveAfterHours?: number
  /** Called with the last version of a resource before it is deleted because it is archived. */
  onArchived?: (signatureCase: SignatureCase) => Promise<void>
  /** Called when the erasure of an archived case is ordered; it may be called again. */
  onErased?: (key: CaseKey) => Promise<void>
  ephemeral: EphemeralStore
  /** For the next controller of the group; absent: which cases rest is forgotten at the end. */
  rests?: RestStores
  timers: Timers
  /** Absent: there is no index of cases, or the store keeps it. */
  index?: CaseIndex | undefined
}
