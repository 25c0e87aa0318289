/** Decides the next status of one case and the work that follows from it. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '../../domain/audit/entry.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { caseView, type CaseView } from '../../domain/cases/lifecycle.ts'
import { mayHaveSecrets } from '../../domain/cases/secrets.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import { acceptedStatus } from '../../domain/cases/complete.ts'
import { EXPIRY_GRACE_MS } from '../../domain/limits.ts'
import type { KubernetesEvent } from '../../domain/ports/case-resources.ts'
import type { Durability } from '../../domain/ports/object-store.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { kubernetesEventsOf } from './kubernetes-events.ts'
import { entriesHeldUntilMs, heldUntilMs, onlySettles } from './held-status.ts'
import { conditionsOf, isBlocked, isUntouched } from './conditions.ts'
import { nextStatus, unmovedStatus } from './next-status.ts'
import type { Observation } from './observation.ts'
import { pendingWork, type PendingWork } from './pending-work.ts'
import {
  isLeft,
  isReleased,
  rewriteOf,
  uploadPlan,
  wakeOfRemoval,
  type UploadPlan,
} from './resource.ts'
import { earliest, type PlannedJob } from './pending-jobs.ts'

/** What to do for a case; `apply` defines the order. */
export interface Plan {
  key: CaseKey
  /** The case gets its first status, so its secrets, if it can have any, are adopted. */
  adoptsSecrets: boolean
  /**
   * The case with other facts or finalizers. It is written first, and the case is gathered again
   * before anything else is done.
   */
  rewrite?: SignatureCase
  /** Credentials to copy before the status says that the case is accepted. */
  credentials?: CaseSecrets
  /** The case with its new status; absent when the status is unchanged or held back. */
  replacement?: SignatureCase
  /** When the new status must be on the disk; absent: at once. */
  durability?: Durability
  /** Kubernetes Events for the new status. */
  kubernetesEvents: readonly KubernetesEvent[]
  upload?: UploadPlan
  /** The tenant's namespace is being deleted, and the Secrets and Events of the case with it. */
  isNamespaceEnding: boolean
  /** The case is being removed and nothing is left to do for it. */
  isReleased: boolean
  /** The erasure order, written before the job that carries it out. */
  order?: Tombstone
  /** The retention time of the resource of an erased case is over. */
  isOver: boolean
  auditEvents: readonly AuditEvent[]
  jobs: readonly PlannedJob[]
  /** When to reconcile again without a notification, in milliseconds since 1970. */
  wakeAtMs?: number
}

/** A plan that does nothing; small plans extend it. */
const NOTHING: Omit<Plan, 'key'> = {
  adoptsSecrets: false,
  kubernetesEvents: [],
  isNamespaceEnding: false,
  isReleased: false,
  isOver: false,
  auditEvents: [],
  jobs: [],
}

/** The part of the plan that depends only on the next status. */
function statusPlan(
  observation: Observation,
  status: CaseStatus,
): Pick<
  Plan,
  | 'adoptsSecrets'
  | 'replacement'
  | 'durability'
  | 'kubernetesEvents'
  | 'upload'
  | 'isNamespaceEnding'
  | 'isReleased'
  | 'wakeAtMs'
> {
  const { signatureCase, trailHead: trail, isNamespaceEnding = false } = observation
  const differs = !isDeepStrictEqual(status, signatureCase.status)
  const heldMs = differs ? heldUntilMs(observation, status) : undefined
  const isChanged = differs && heldMs === undefined
  const before = isUntouched(signatureCase) ? undefined : signatureCase.status
  const upload = uploadPlan(observation, status.phase)
  const isFirst = isUntouched(signatureCase) && !isNamespaceEnding && heldMs === undefined
  return {
    adoptsSecrets: isFirst && mayHaveSecrets(signatureCase),
    // A new trail head alone does not cause a write.
    ...(isChanged && {
      replacement: { ...signatureCase, status: { ...status, ...(trail && { trail }) } },
    }),
    ...(isChanged && onlySettles(signatureCase.status, status) && { durability: 'later' }),
    kubernetesEvents: isChanged && !isNamespaceEnding ? kubernetesEventsOf(before, status) : [],
    ...(upload && !isNamespaceEnding && { upload }),
    isNamespaceEnding,
    isReleased: isReleased(observation, status),
    ...(heldMs !== undefined && { wakeAtMs: heldMs }),
  }
}

/** The status of a blocked case: unchanged but for the conditions, which say why. */
function blockedStatus(observation: Observation): CaseStatus {
  const status = unmovedStatus(observation.signatureCase)
  return { ...status, conditions: conditionsOf(observation, status.phase) }
}

/** Column of `kubectl get`: signatures and participants, such as `1/2`. */
function signedOfAll({ participants }: CaseView): string {
  return `${participants.filter(({ signature }) => signature).length}/${participants.length}`
}

/** The next status with its conditions and the erasure that is due. */
function statusWithConditions(
  observation: Observation,
  status: CaseStatus,
  { pending, view }: { pending: PendingWork; view: CaseView },
): CaseStatus {
  return {
    ...status,
    ...acceptedStatus(observation.signatureCase),
    signed: signedOfAll(view),
    ...(pending.erasure && { erasure: pending.erasure }),
    conditions: conditionsOf(observation, status.phase, { pending, view }),
  }
}

/**
 * Makes the plan for a case. A blocked case only gets a condition that says why. If facts or
 * finalizers have to change, the case is written and read again. Otherwise the plan contains the
 * next status and the work that follows from it: audit events that the trail lacks, jobs, and when
 * to reconcile again. Equal observations give equal plans.
 */
export function decide(observation: Observation): Plan {
  const { key, signatureCase, accepted, nowMs, credentials, isNamespaceEnding } = observation
  if (isBlocked(observation)) {
    return { ...NOTHING, key, ...statusPlan(observation, blockedStatus(observation)) }
  }
  const rewrite = rewriteOf(observation)
  if (rewrite) return { ...NOTHING, key, rewrite }

  const status = nextStatus(observation)
  const next = { ...signatureCase, status }
  const view = caseView(next, accepted, nowMs, EXPIRY_GRACE_MS)
  const pending = pendingWork(observation, next, view)
  const { order, isOver } = pending
  // The Secret with the credentials of the webhook is being deleted.
  const jobs = pending.jobs.filter(({ kind }) => !isNamespaceEnding || kind !== 'webhook')
  const plan = statusPlan(observation, statusWithConditions(observation, status, { pending, view }))
  const heldMs = plan.replacement ? undefined : entriesHeldUntilMs(observation, status)
  const auditEvents = heldMs === undefined ? pending.auditEvents : []
  const heldEntriesMs = pending.auditEvents.length > 0 ? heldMs : undefined
  const dueMs = earliest(pending.wakeAtMs, plan.wakeAtMs, wakeOfRemoval(observation))
  const wakeAtMs = earliest(dueMs, heldEntriesMs)
  return {
    key,
    ...plan,
    isReleased: plan.isReleased || isLeft(observation, { auditEvents, jobs }),
    ...(credentials && { credentials }),
    auditEvents,
    ...(order && { order }),
    jobs,
    isOver,
    ...(wakeAtMs !== undefined && { wakeAtMs }),
  }
}
