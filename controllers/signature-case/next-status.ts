/** The next phase of a case, and the status fields that the transitions set. Pure. */
import {
  caseView,
  nextEvent,
  occurredEvents,
  TRANSITIONS,
  type CaseEvent,
} from '../../domain/cases/lifecycle.ts'
import type { FinaliseFailure } from '../../domain/cases/results.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { failureOfTrail } from '../../domain/audit/fault.ts'
import { cancellationTime } from '../../domain/cases/stated-times.ts'
import { PHASES, type CaseStatus } from '../../domain/cases/status.ts'
import { EXPIRY_GRACE_MS, MAXIMUM_REASON_LENGTH } from '../../domain/limits.ts'
import type { Observation } from './observation.ts'

const shorten = (reason: string) => reason.slice(0, MAXIMUM_REASON_LENGTH)

function acceptedDocument({ intake }: Observation): Partial<CaseStatus> {
  if (intake?.outcome !== 'accepted') return {}
  const { sha256, size, pages, decidedAt, warnings } = intake
  const document = { sha256, size, pageCount: pages.length, acceptedAt: decidedAt }
  return { document: { ...document, ...(warnings && { warnings }) } }
}

const failedFor = ({ code, reason, failedAt }: FinaliseFailure): Partial<CaseStatus> => ({
  failedAt,
  failureCode: code,
  failureReason: shorten(reason),
})

/** Status fields that each event sets. */
const EFFECTS: Readonly<Record<CaseEvent, (observation: Observation) => Partial<CaseStatus>>> = {
  cancelled: (observation) => {
    const { spec } = observation.signatureCase
    const at = cancellationTime(spec, observation.nowMs)
    const reason = spec.cancellation?.reason
    // A late reconcile, for example after a restore, sees both at once.
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
    const { code, reason, sha256, decidedAt } = intake
    return {
      rejectedAt: decidedAt,
      rejectCode: code,
      rejectReason: shorten(reason),
      ...(sha256 === undefined ? {} : { rejectedSha256: sha256 }),
    }
  },
  finalised: ({ result }) => (result ? { ...result } : {}),
  'signing-failed': ({ failure }) => (failure ? failedFor(failure) : {}),
  'valid-until-passed': ({ signatureCase }) => ({
    expiredAt: signatureCase.spec.definition.validUntil,
  }),
  'trail-broken': ({ trailFault, nowMs }) =>
    trailFault
      ? failedFor({ ...failureOfTrail(trailFault), failedAt: new Date(nowMs).toISOString() })
      : {},
}

/** All events that follow from facts, clock and result objects. */
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

/** The status without a transition, for the current generation and without conditions. */
export function unmovedStatus({ metadata, status }: SignatureCase): CaseStatus {
  const observedGeneration = metadata.generation ?? 0
  return { phase: 'NEW', ...status, observedGeneration, conditions: [] }
}

/**
 * Applies transitions to the current status as far as the events allow.
 *
 * @returns the status without conditions, because those also depend on the pending work
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
