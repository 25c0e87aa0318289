/**
 * Decides which case a kiosk shows to whom: automatic opening and closing, and the resulting kiosk
 * event.
 */
import { hasEnded, type CaseView } from '../cases/lifecycle.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import { HAND_OVER_LIFE_MS } from '../limits.ts'
import { eventMs, nextEventId } from './event-id.ts'
import type { CloseReason, Device, HandOver } from './schema.ts'

/** A case and its view, as input of the rules. */
export interface ObservedCase {
  signatureCase: SignatureCase
  view: CaseView
}

type Showing = Pick<HandOver, 'state' | 'caseId' | 'participantId' | 'reason'>

/** Returns the device with its next handover, whose event id is greater than all previous ones. */
export function handOver(device: Device, showing: Showing, nowMs: number): Device {
  const eventId = nextEventId(device.spec.handOver?.eventId, nowMs)
  return { ...device, spec: { ...device.spec, handOver: { eventId, ...showing } } }
}

const isOpen = (current: HandOver | undefined) => current?.state === 'open'

/** Whether enough time has passed that another person may be at the kiosk. */
function isStale({ eventId }: HandOver, nowMs: number): boolean {
  return nowMs - eventMs(eventId) > HAND_OVER_LIFE_MS
}

/**
 * Returns why an open handover of the case is over, or undefined while the participant still has
 * to sign.
 */
function reasonToClose(
  { view }: ObservedCase,
  { participantId }: Pick<HandOver, 'participantId'>,
): CloseReason | undefined {
  const participant = view.participants.find(({ definition }) => definition.id === participantId)
  if (participant?.signature) return 'SIGNED'
  return hasEnded(view.phase) ? view.phase : undefined
}

/** Returns the participant who is next on the case's own kiosk, and since when. */
function turnOf({ signatureCase, view }: ObservedCase) {
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
 * Whether the kiosk is free for a turn. If it shows this case, it is free once the shown
 * participant has signed, so that it never opens twice for the same participant. Otherwise any
 * handover since the turn began takes precedence. The first turn of a case takes the kiosk like an
 * explicit `open`; later turns do not take it from another case.
 */
function isFree(
  current: HandOver | undefined,
  seen: ObservedCase,
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
 * Returns the device with the handover that the case requires (specification 4.1 `device`): open
 * for the next participant, or close one that is over.
 *
 * @returns undefined when nothing has to change
 */
export function dueHandOver(seen: ObservedCase, device: Device, nowMs: number): Device | undefined {
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

/** A kiosk event, before a signing link is created for it. */
export type DeviceEvent =
  { type: 'device.open_case'; title: string } | { type: 'device.close_case'; reason?: CloseReason }

/**
 * Returns the current event of a handover. It is closed when it was opened too long ago, the
 * participant has signed, or the case has ended.
 *
 * @param seen the case of the handover; undefined when it does not exist any more
 */
export function deviceEventOf(
  current: HandOver,
  seen: ObservedCase | undefined,
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
