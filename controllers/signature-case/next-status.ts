/** Which phase a case is in next, and what its way there leaves in the status. Pure. */
import {
  caseView,
  nextEvent,
  occurredEvents,
  TRANSITIONS,
  type CaseEvent,
} from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { reasonOfTrailFault } from '../../domain/audit/fault.ts'
import { cancellationTime } from '../../domain/cases/stated-times.ts'
import { PHASES, type CaseStatus } from '../../domain/cases/status.ts'
import { EXPIRY_GRACE_MS, MAXIMUM_REASON_LENGTH } from '../../domain/limits.ts'
import type { Observation } from './observation.ts'

const shorten = (reason: string) => reason.slice(0, MAXIMUM_REASON_LENGTH)

function acceptedDocument({ intake }: Observation): Partial<CaseStatus> {
  if (intake?.outcome !== 'accepted') return {}
  const { sha256, size, pages, decidedAt } = intake
  return { document: { sha256, size, pageCount: pages.length, acceptedAt: decidedAt } }
}

/** What an event leaves in the status. */
const EFFECTS: Readonly<Record<CaseEvent, (observation: Observation) => Partial<CaseStatus>>> = {
  cancelled: (observation) => {
    const { spec } = observation.signatureCase
    const at = cancellationTime(spec, observation.nowMs)
    const reason = spec.cancellation?.reason
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
  'trail-broken': ({ trailFault, nowMs }) =>
    trailFault
      ? {
          failedAt: new Date(nowMs).toISOString(),
          failureReason: shorten(reasonOfTrailFault(trailFault)),
        }
      : {},
}

/** Every event that facts, clock and result objects show. */
function eventsOf(observation: Observation): ReadonlySet<CaseEvent> {
  const { signatureCase, accepted, nowMs, intake, failure, result, trailFault } = observation
  const { everyoneSigned } = caseView(signatureCase, accepted, nowMs)
  const events = new Set(occurredEvents(signatureCase, everyoneSigned, nowMs, EXPIRY_GRACE_MS))
  if (intake) events.add(intake.outcome === 'accepted' ? 'upload-accepted' : 'upload-rejected')
  if (trailFault) return events.add('trail-broken')
  if (everyoneSigned && result) events.add('finalised')
  if (everyoneSigned && failure) events.add('signing-failed')
  return events
}

/** The status of a case that nothing moves. */
export function unmovedStatus({ metadata, status }: SignatureCase): CaseStatus {
  const observedGeneration = metadata.generation ?? 0
  return { phase: 'NEW', ...status, observedGeneration, conditions: [] }
}

/**
 * Follows the transitions from the status as it is as far as the events lead.
 *
 * @returns without conditions, which tell of what the case owes then as well
 */
export function nextStatus(observation: Observation): CaseStatus {
  const events = eventsOf(observation)
  let status = unmovedStatus(observation.signatureCase)
  for (let step = 0; step < PHASES.length; step++) {
    const event = nextEvent(status.phase, events)
    const phase = event && TRANSITIONS[status.phase].on[event]
    if (!phase) break
    status = { ...status, ...EFFECTS[event](observation), phase }
  }
  return status
}
