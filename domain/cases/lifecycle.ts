/**
 * The life of a case: which event moves it from which state, and how the case reads at an instant.
 */
import type { ParticipantDefinition } from './definition.ts'
import type { SignatureCase } from './signature-case.ts'
import type { SignatureFact } from './spec.ts'
import { cancellationTime } from './stated-times.ts'
import type { Phase } from './status.ts'

export const CASE_EVENTS = [
  'cancelled',
  'upload-accepted',
  'upload-rejected',
  'finalised',
  'signing-failed',
  'valid-until-passed',
  'trail-broken',
] as const
export type CaseEvent = (typeof CASE_EVENTS)[number]

interface State {
  /** Who has to act next. */
  waitsFor: 'tenant' | 'participants' | 'nobody'
  on: Partial<Record<CaseEvent, Phase>>
}

const END = { waitsFor: 'nobody', on: {} } as const satisfies State

/**
 * Specification 3.1. An event that a state does not list is refused: by the API with
 * CASE_NOT_CANCELLABLE or CASE_NOT_ACTIVE, by the controller silently.
 */
export const TRANSITIONS: Readonly<Record<Phase, State>> = {
  NEW: {
    waitsFor: 'tenant',
    on: {
      cancelled: 'CANCELLED',
      'upload-accepted': 'IN_PROGRESS',
      'upload-rejected': 'UPLOAD_REJECTED',
      'valid-until-passed': 'EXPIRED',
      'trail-broken': 'FAILED',
    },
  },
  IN_PROGRESS: {
    waitsFor: 'participants',
    on: {
      cancelled: 'CANCELLED',
      finalised: 'DONE',
      'signing-failed': 'FAILED',
      'valid-until-passed': 'EXPIRED',
      'trail-broken': 'FAILED',
    },
  },
  DONE: END,
  UPLOAD_REJECTED: END,
  EXPIRED: END,
  CANCELLED: END,
  FAILED: END,
}

/** Whether this phase is final. */
export function hasEnded(phase: Phase): boolean {
  return TRANSITIONS[phase].waitsFor === 'nobody'
}

/** A participant with the signature that counts, if any. */
export interface ParticipantView {
  definition: ParticipantDefinition
  signature?: SignatureFact
}

/** The case at an instant, including changes that the controller has not processed yet. */
export interface CaseView {
  phase: Phase
  participants: readonly ParticipantView[]
  everyoneSigned: boolean
  /** `validUntil` in milliseconds since 1970. */
  validUntilMs: number
  /** For EXPIRED and CANCELLED: when the phase was reached. */
  endedAt?: string
  /** Its documents and personal values are erased or are being erased. */
  isErased?: true
}

/**
 * Whether `validUntil` ends the case when it passes. Once everybody has signed, only the service's
 * own work is left, and the case does not expire. But if a restore lost the accepted document
 * (phase NEW), the signatures cannot be used, so the case expires.
 *
 * @param settled phase in the status; undefined before the first reconcile
 */
export function canExpire(settled: Phase | undefined, everyoneSigned: boolean): boolean {
  return !everyoneSigned || settled === 'NEW'
}

/**
 * The events that spec and clock alone show.
 *
 * @param expiryGraceMs how long after `validUntil` the case expires; see {@link caseView}
 */
export function occurredEvents(
  signatureCase: SignatureCase,
  everyoneSigned: boolean,
  nowMs: number,
  expiryGraceMs = 0,
): ReadonlySet<CaseEvent> {
  const events = new Set<CaseEvent>()
  const { spec, status } = signatureCase
  const { cancellation, definition } = spec
  if (cancellation) events.add('cancelled')
  const expiresAtMs = Date.parse(definition.validUntil) + expiryGraceMs
  if (canExpire(status?.phase, everyoneSigned) && nowMs >= expiresAtMs) {
    events.add('valid-until-passed')
  }
  return events
}

/**
 * Returns the first event, in the order of {@link CASE_EVENTS}, that has occurred and that the
 * phase allows. A cancellation precedes a result: both are written to one resource by
 * compare-and-swap, so a recorded cancellation came first.
 */
export function nextEvent(phase: Phase, occurred: ReadonlySet<CaseEvent>): CaseEvent | undefined {
  return CASE_EVENTS.find((event) => occurred.has(event) && TRANSITIONS[phase].on[event])
}

/**
 * How the case reads at `nowMs`: a cancellation counts at once, and at `validUntil` a case becomes
 * EXPIRED, even before the controller records it.
 *
 * @param accepted what `acceptedSignatures` found
 * @param expiryGraceMs 0 for everything that answers a request; `EXPIRY_GRACE_MS` for the
 *   controller, so that a write that was accepted before `validUntil` can still land
 */
export function caseView(
  signatureCase: SignatureCase,
  accepted: readonly SignatureFact[],
  nowMs: number,
  expiryGraceMs = 0,
): CaseView {
  const { definition } = signatureCase.spec
  const byParticipant = new Map(accepted.map((fact) => [fact.participantId, fact]))
  const participants = definition.participants.map((participant): ParticipantView => {
    const signature = byParticipant.get(participant.id)
    return signature ? { definition: participant, signature } : { definition: participant }
  })
  const everyoneSigned = participants.every(({ signature }) => signature)
  const settled = signatureCase.status?.phase ?? 'NEW'
  const occurred = occurredEvents(signatureCase, everyoneSigned, nowMs, expiryGraceMs)
  const event = nextEvent(settled, occurred)
  const phase = (event && TRANSITIONS[settled].on[event]) ?? settled
  const view = {
    phase,
    participants,
    everyoneSigned,
    validUntilMs: Date.parse(definition.validUntil),
    ...(signatureCase.status?.erasure ? { isErased: true as const } : {}),
  }
  if (phase === 'CANCELLED') {
    const { spec, status } = signatureCase
    return { ...view, endedAt: status?.cancelledAt ?? cancellationTime(spec, nowMs) }
  }
  if (phase === 'EXPIRED') return { ...view, endedAt: definition.validUntil }
  return view
}
