/** Decides what one case is and owes: the one place where a status comes from. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '../../domain/audit/entry.ts'
import {
  caseView,
  nextEvent,
  occurredEvents,
  TRANSITIONS,
  type CaseEvent,
  type CaseView,
} from '../../domain/cases/lifecycle.ts'
import { owedAuditEvents } from '../../domain/cases/owed.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { PHASES, type CaseStatus } from '../../domain/cases/status.ts'
import { MAXIMUM_REASON_LENGTH } from '../../domain/limits.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import type { Announcement } from '../../domain/ports/case-resources.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { conditionsOf, isBlocked, isOwing, type Owed } from './conditions.ts'
import { announcementsOf } from './announcements.ts'
import { erasureWork } from './erasure.ts'
import type { Observation } from './observation.ts'
import { untoldFacts, type Facts } from './kept-facts.ts'
import { isReleased, rewriteOf, uploadPlan, type Rewrite, type UploadPlan } from './resource.ts'
import { webhookWork } from './webhooks.ts'
import { LOST_JOB_MS, owedJobs, wakeAt, type PlannedJob } from './work.ts'

/** What is to be done about a case; `apply` has the order. */
export interface Plan {
  key: CaseKey
  /** Nobody looked at the case before: its secrets are adopted. */
  isFirst: boolean
  /** The case with another spec or other finalizers: nothing else is done until it is read anew. */
  rewrite?: Rewrite
  /** The case with its new status, only when that differs. */
  replacement?: SignatureCase
  /** What people hear of the new status. */
  announcements: readonly Announcement[]
  upload?: UploadPlan
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

type Outcome = Omit<CaseStatus, 'conditions'>

const shorten = (reason: string) => reason.slice(0, MAXIMUM_REASON_LENGTH)

function acceptedDocument({ intake }: Observation): Partial<Outcome> {
  if (intake?.outcome !== 'accepted') return {}
  const { sha256, size, pages, decidedAt } = intake
  return { document: { sha256, size, pageCount: pages.length, acceptedAt: decidedAt } }
}

/** What an event leaves in the status. */
const EFFECTS: Readonly<Record<CaseEvent, (observation: Observation) => Partial<Outcome>>> = {
  cancelled: (observation) => {
    const { at, reason } = observation.signatureCase.spec.cancellation ?? {}
    // Whoever looks late, after a restore for example, finds both at once.
    const wasAccepted = at !== undefined && (observation.intake?.decidedAt ?? at) < at
    return {
      ...(wasAccepted ? acceptedDocument(observation) : {}),
      ...(at === undefined ? {} : { cancelledAt: at }),
      ...(reason === undefined ? {} : { cancelReason: reason }),
    }
  },
  'upload-accepted': acceptedDocument,
  'upload-rejected': ({ intake }) => {
    if (intake?.outcome !== 'rejected') return {}
    const { reason, sha256, decidedAt } = intake
    return {
      rejectedAt: decidedAt,
      rejectReason: shorten(reason),
      ...(sha256 === undefined ? {} : { rejectedSha256: sha256 }),
    }
  },
  finalised: ({ result }) => (result ? { ...result } : {}),
  'signing-failed': ({ failure }) =>
    failure ? { failedAt: failure.failedAt, failureReason: shorten(failure.reason) } : {},
  'valid-until-passed': ({ signatureCase }) => ({
    expiredAt: signatureCase.spec.definition.validUntil,
  }),
}

/** Every event that facts, clock and result objects show. */
function eventsOf(observation: Observation): ReadonlySet<CaseEvent> {
  const { signatureCase, accepted, nowMs, intake, failure, result } = observation
  const { everyoneSigned } = caseView(signatureCase, accepted, nowMs)
  const events = new Set(occurredEvents(signatureCase, everyoneSigned, nowMs))
  if (intake) events.add(intake.outcome === 'accepted' ? 'upload-accepted' : 'upload-rejected')
  if (everyoneSigned && result) events.add('finalised')
  if (everyoneSigned && failure) events.add('signing-failed')
  return events
}

/** Follows the transitions from the settled status as far as the events lead. */
function nextOutcome(observation: Observation): Outcome {
  const { metadata, status } = observation.signatureCase
  const { conditions: _, ...settled } = status ?? { phase: 'NEW' as const, conditions: [] }
  let outcome: Outcome = { ...settled, observedGeneration: metadata.generation ?? 0 }
  const events = eventsOf(observation)
  for (let step = 0; step < PHASES.length; step++) {
    const event = nextEvent(outcome.phase, events)
    const phase = event && TRANSITIONS[outcome.phase].on[event]
    if (!phase) break
    outcome = { ...outcome, ...EFFECTS[event](observation), phase }
  }
  return outcome
}

interface Settled {
  signatureCase: SignatureCase
  view: CaseView
}

function settle(observation: Observation, outcome: Outcome): Settled {
  const status = { ...outcome, conditions: [] }
  const signatureCase = { ...observation.signatureCase, status }
  return { signatureCase, view: caseView(signatureCase, observation.accepted, observation.nowMs) }
}

/** For people: a column of `kubectl get`. */
function signedOfAll({ participants }: CaseView): string {
  return `${participants.filter(({ signature }) => signature).length}/${participants.length}`
}

/** The earliest of the instants that there are. */
function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

function planOf(
  observation: Observation,
  outcome: Outcome,
  owed: Owed & Pick<Plan, 'order' | 'isOver'> & { wakeAtMs?: number | undefined },
  view?: CaseView,
): Plan {
  const { key, signatureCase } = observation
  const conditions = conditionsOf(observation, outcome.phase, owed, view)
  const signed = view && { signed: signedOfAll(view) }
  const { erasure, order, isOver } = owed
  const status: CaseStatus = { ...outcome, ...signed, ...(erasure && { erasure }), conditions }
  const wakeAtMs = earliest(view && wakeAt(observation, view), owed.wakeAtMs)
  const isChanged = !isDeepStrictEqual(status, signatureCase.status)
  const upload = uploadPlan(observation, outcome.phase)
  return {
    key,
    isFirst: signatureCase.status === undefined,
    ...(isChanged ? { replacement: { ...signatureCase, status } } : {}),
    announcements: isChanged ? announcementsOf(signatureCase.status, status) : [],
    isReleased: isReleased(observation, status),
    ...(order ? { order } : {}),
    isOver,
    ...(upload ? { upload } : {}),
    facts: untoldFacts(signatureCase, observation.accepted, owed.auditEvents),
    auditEvents: owed.auditEvents,
    jobs: owed.jobs,
    ...(wakeAtMs === undefined ? {} : { wakeAtMs }),
  }
}

/**
 * The plan for a case: its next status, the audit events that its trail lacks, the jobs that would
 * bring it on, and when to look again. Equal observations give equal plans.
 */
export function decide(observation: Observation): Plan {
  const rewrite = rewriteOf(observation)
  if (rewrite) {
    const facts = { signatures: [] }
    const nothing = { announcements: [], facts, auditEvents: [], jobs: [] }
    const stays = { isReleased: false, isOver: false }
    return { key: observation.key, isFirst: false, rewrite, ...nothing, ...stays }
  }
  if (isBlocked(observation)) {
    const { metadata, status } = observation.signatureCase
    const observedGeneration = metadata.generation ?? 0
    const outcome = { phase: 'NEW' as const, ...status, observedGeneration }
    const owed = { auditEvents: [], jobs: [], openWebhooks: 0, isOver: false }
    return planOf(observation, outcome, owed)
  }
  const outcome = nextOutcome(observation)
  const { signatureCase, view } = settle(observation, outcome)
  const auditEvents = owedAuditEvents(signatureCase, observation.accepted).filter(
    ({ eventId }) => !observation.recorded.has(eventId),
  )
  const webhooks = webhookWork(observation, signatureCase)
  const owed = {
    auditEvents,
    jobs: [...owedJobs(observation, signatureCase, view, auditEvents.length), ...webhooks.jobs],
    openWebhooks: webhooks.open,
  }
  const erasing = erasureWork(observation, signatureCase, isOwing(owed))
  const jobs = [...owed.jobs, ...erasing.jobs]
  const lostMs = jobs.length > 0 ? observation.nowMs + LOST_JOB_MS : undefined
  const wakeAtMs = earliest(webhooks.wakeAtMs, erasing.wakeAtMs, lostMs)
  return planOf(observation, outcome, { ...owed, ...erasing, jobs, wakeAtMs }, view)
}
