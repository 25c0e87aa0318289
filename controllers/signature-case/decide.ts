/** Decides what one case is and owes: the one place where a status comes from. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '../../domain/audit/entry.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { caseView, type CaseView } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import { acceptedStatus } from '../../domain/cases/complete.ts'
import { EXPIRY_GRACE_MS } from '../../domain/limits.ts'
import type { Announcement } from '../../domain/ports/case-resources.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { announcementsOf } from './announcements.ts'
import { conditionsOf, isBlocked, isUntouched } from './conditions.ts'
import { untoldFacts, type Facts } from './kept-facts.ts'
import { nextStatus, unmovedStatus } from './next-status.ts'
import type { Observation } from './observation.ts'
import { owedBy, type Owed } from './owed.ts'
import {
  isLeft,
  isReleased,
  rewriteOf,
  uploadPlan,
  wakeOfRemoval,
  type UploadPlan,
} from './resource.ts'
import { earliest, type PlannedJob } from './work.ts'

/** What is to be done about a case; `apply` has the order. */
export interface Plan {
  key: CaseKey
  /** Nobody looked at the case before: its secrets are adopted. */
  isFirst: boolean
  /** The case with other facts or finalizers: nothing else is done until it is read anew. */
  rewrite?: SignatureCase
  /** Copied before the status says that the case is accepted. */
  credentials?: CaseSecrets
  /** The case with its new status, only when that differs. */
  replacement?: SignatureCase
  /** What people hear of the new status. */
  announcements: readonly Announcement[]
  upload?: UploadPlan
  /** Secrets and Events of the case go with the namespace of its tenant. */
  isPlaceEnding: boolean
  /** The case is to be removed, and nothing is owed any more. */
  isReleased: boolean
  /** The order to erase, before the job that follows it. */
  order?: Tombstone
  /** The resource of an erased case has served its time. */
  isOver: boolean
  /** Kept before the trail tells of them. */
  facts: Facts
  auditEvents: readonly AuditEvent[]
  jobs: readonly PlannedJob[]
  /** When to look again though nothing was heard, in milliseconds since 1970. */
  wakeAtMs?: number
}

/** A plan to do nothing: those that do little add to it. */
const NOTHING: Omit<Plan, 'key'> = {
  isFirst: false,
  announcements: [],
  isPlaceEnding: false,
  isReleased: false,
  isOver: false,
  facts: { signatures: [] },
  auditEvents: [],
  jobs: [],
}

/** What follows from the next status alone, whatever the case owes. */
function statusPlan(
  observation: Observation,
  status: CaseStatus,
): Pick<
  Plan,
  'isFirst' | 'replacement' | 'announcements' | 'upload' | 'isPlaceEnding' | 'isReleased'
> {
  const { signatureCase, trailHead: trail, isPlaceEnding = false } = observation
  const isChanged = !isDeepStrictEqual(status, signatureCase.status)
  const before = isUntouched(signatureCase) ? undefined : signatureCase.status
  const upload = uploadPlan(observation, status.phase)
  return {
    isFirst: isUntouched(signatureCase) && !isPlaceEnding,
    // The head alone is no reason to write.
    ...(isChanged && {
      replacement: { ...signatureCase, status: { ...status, ...(trail && { trail }) } },
    }),
    announcements: isChanged && !isPlaceEnding ? announcementsOf(before, status) : [],
    ...(upload && !isPlaceEnding && { upload }),
    isPlaceEnding,
    isReleased: isReleased(observation, status),
  }
}

/** Says why nothing is done for the case. */
function blockedStatus(observation: Observation): CaseStatus {
  const status = unmovedStatus(observation.signatureCase)
  return { ...status, conditions: conditionsOf(observation, status.phase) }
}

/** For people: a column of `kubectl get`. */
function signedOfAll({ participants }: CaseView): string {
  return `${participants.filter(({ signature }) => signature).length}/${participants.length}`
}

/** The next status with what is told of what the case owes then. */
function toldStatus(
  observation: Observation,
  status: CaseStatus,
  { owed, view }: { owed: Owed; view: CaseView },
): CaseStatus {
  return {
    ...status,
    ...acceptedStatus(observation.signatureCase),
    signed: signedOfAll(view),
    ...(owed.erasure && { erasure: owed.erasure }),
    conditions: conditionsOf(observation, status.phase, { owed, view }),
  }
}

/**
 * The plan for a case. One that a fault blocks is told so. One that has to be written first is
 * written, and read anew. Any other gets its next status, and from that follows what it owes: the
 * audit events that its trail lacks, the jobs that would bring it on, and when to look again. Equal
 * observations give equal plans.
 */
export function decide(observation: Observation): Plan {
  const { key, signatureCase, accepted, nowMs, credentials, isPlaceEnding } = observation
  if (isBlocked(observation)) {
    return { ...NOTHING, key, ...statusPlan(observation, blockedStatus(observation)) }
  }
  const rewrite = rewriteOf(observation)
  if (rewrite) return { ...NOTHING, key, rewrite }

  const status = nextStatus(observation)
  const next = { ...signatureCase, status }
  const view = caseView(next, accepted, nowMs, EXPIRY_GRACE_MS)
  const owed = owedBy(observation, next, view)
  const { auditEvents, order, isOver } = owed
  // A webhook would go out without its credentials.
  const jobs = owed.jobs.filter(({ kind }) => !isPlaceEnding || kind !== 'webhook')
  const plan = statusPlan(observation, toldStatus(observation, status, { owed, view }))
  const wakeAtMs = earliest(owed.wakeAtMs, wakeOfRemoval(observation))
  return {
    key,
    ...plan,
    isReleased: plan.isReleased || isLeft(observation, { auditEvents, jobs }),
    ...(credentials && { credentials }),
    facts: untoldFacts(signatureCase, accepted, auditEvents),
    auditEvents,
    ...(order && { order }),
    jobs,
    isOver,
    ...(wakeAtMs !== undefined && { wakeAtMs }),
  }
}
