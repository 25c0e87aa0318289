/**
 * Which case a kiosk shows to whom: what opens and closes by itself, and what the kiosk is told.
 */
import { hasEnded, type CaseView } from '../cases/lifecycle.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import { HAND_OVER_LIFE_MS } from '../limits.ts'
import { eventMs, nextEventId } from './event-id.ts'
import type { CloseReason, Device, HandOver } from './schema.ts'

/** A case as the rules look at it. */
export interface SeenCase {
  signatureCase: SignatureCase
  view: CaseView
}

type Showing = Pick<HandOver, 'state' | 'caseId' | 'participantId' | 'reason'>

/** The device with its next hand-over, whose event id is greater than every one before. */
export function handOver(device: Device, showing: Showing, nowMs: number): Device {
  const eventId = nextEventId(device.spec.handOver?.eventId, nowMs)
  return { ...device, spec: { ...device.spec, handOver: { eventId, ...showing } } }
}

const isOpen = (current: HandOver | undefined) => current?.state === 'open'

/** Whether so much time has passed that somebody else may stand before the kiosk. */
function isStale({ eventId }: HandOver, nowMs: number): boolean {
  return nowMs - eventMs(eventId) > HAND_OVER_LIFE_MS
}

/** Why an open hand-over of the case is over, or undefined while the participant is to sign. */
function reasonToClose(
  { view }: SeenCase,
  { participantId }: Pick<HandOver, 'participantId'>,
): CloseReason | undefined {
  const participant = view.participants.find(({ definition }) => definition.id === participantId)
  if (participant?.signature) return 'SIGNED'
  return hasEnded(view.phase) ? view.phase : undefined
}

/** The participant whose turn it is on the case's own kiosk, and since when. */
function turnOf({ signatureCase, view }: SeenCase) {
  const { spec, status } = signatureCase
  if (!spec.definition.device || !status?.document || view.phase !== 'IN_PROGRESS') return undefined
  const next = view.participants.find(({ signature }) => !signature)
  if (!next) return undefined
  const signedMs = view.participants.flatMap(({ signature }) =>
    signature ? [Date.parse(signature.signedAt)] : [],
  )
  const sinceMs = Math.max(Date.parse(status.document.acceptedAt), ...signedMs)
  return { participantId: next.definition.id, sinceMs, isFirst: signedMs.length === 0 }
}

/**
 * Whether the kiosk is free for a turn. In the hands of the case it is once the one whom it showed
 * has signed: nobody is opened for twice. Otherwise whatever happened on it since the turn began
 * goes before it. A case that begins takes the kiosk as every `open` does; the next participant of
 * one that runs does not take it from another case's.
 */
function isFree(
  current: HandOver | undefined,
  seen: SeenCase,
  { sinceMs, isFirst }: { sinceMs: number; isFirst: boolean },
  nowMs: number,
): boolean {
  if (!current) return true
  if (current.caseId === seen.signatureCase.metadata.name) {
    return reasonToClose(seen, current) !== undefined
  }
  if (eventMs(current.eventId) >= sinceMs) return false
  return isFirst || !isOpen(current) || isStale(current, nowMs)
}

/**
 * What the case owes to one kiosk (specification 4.1 `device`): to open for the participant whose
 * turn it is, or to close what is over.
 *
 * @returns the device as it should be, or undefined when nothing is owed
 */
export function owedHandOver(seen: SeenCase, device: Device, nowMs: number): Device | undefined {
  const { signatureCase } = seen
  const caseId = signatureCase.metadata.name
  const current = device.spec.handOver
  const turn = turnOf(seen)
  const isOwn = signatureCase.spec.definition.device?.deviceId === device.metadata.name
  if (turn && isOwn && isFree(current, seen, turn, nowMs)) {
    return handOver(device, { state: 'open', caseId, participantId: turn.participantId }, nowMs)
  }
  if (!current || !isOpen(current) || current.caseId !== caseId) return undefined
  const reason = reasonToClose(seen, current)
  const { participantId } = current
  return reason && handOver(device, { state: 'closed', caseId, participantId, reason }, nowMs)
}

/** What a kiosk is told, before a signing link is made for it. */
export type DeviceEvent =
  { type: 'device.open_case'; title: string } | { type: 'device.close_case'; reason?: CloseReason }

/**
 * How a hand-over reads now: what was opened too long ago, is signed, or whose case ended is told
 * as closed.
 *
 * @param seen the case of the hand-over, or undefined when there is none any more
 */
export function deviceEventOf(
  current: HandOver,
  seen: SeenCase | undefined,
  nowMs: number,
): DeviceEvent {
  const type = 'device.close_case'
  if (!isOpen(current)) {
    return { type, ...(current.reason === undefined ? {} : { reason: current.reason }) }
  }
  if (!seen || isStale(current, nowMs)) return { type }
  const reason = reasonToClose(seen, current)
  if (reason) return { type, reason }
  return { type: 'device.open_case', title: seen.signatureCase.spec.definition.title }
}
