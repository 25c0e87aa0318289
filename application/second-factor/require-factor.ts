/**
 * What a participant shows beside the link: the session of a one-time code, or the PIN
 * (specification 5.3).
 */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import { ServiceError } from '../../domain/errors.ts'
import { secondFactorOf, type SecondFactor } from '../../domain/second-factor/factor.ts'
import {
  assertPinNotLocked,
  pinAttemptsLeft,
  pinTries,
} from '../../domain/second-factor/pin-tries.ts'
import type { UseCaseDeps } from '../deps.ts'
import type { ParticipantRequest, Visit } from '../cases/participant-request.ts'
import { orTimeout, readEntries, recordNext } from '../cases/read-case.ts'

async function hasSession(request: ParticipantRequest, deps: UseCaseDeps): Promise<boolean> {
  const { session, visit } = request
  const { seen, participant } = visit
  const { codeSessions, now } = deps
  if (session === '') return false
  return codeSessions.opens(
    session,
    { ...seen.key, participantId: participant.definition.id },
    now(),
  )
}

/** Returns the present count of tries. @throws ServiceError PIN_LOCKED */
function admittedTries(
  { seen, participant }: Visit,
  entries: readonly AuditEntry[],
  nowMs: number,
) {
  const { invitations } = seen.signatureCase.spec
  const tries = pinTries(participant.definition.id, { entries, invitations }, nowMs)
  assertPinNotLocked(tries, nowMs)
  return tries
}

/** @throws ServiceError PIN_LOCKED, TIMEOUT */
async function refuseWhileLocked(visit: Visit, deps: UseCaseDeps): Promise<void> {
  const entries = await readEntries(visit.seen, deps)
  admittedTries(visit, entries, deps.now().getTime())
}

/**
 * Records a wrong PIN: only what is recorded is answered as wrong, so that no more than five are.
 *
 * @throws ServiceError PIN_REQUIRED with `attemptsLeft`, PIN_LOCKED, TIMEOUT
 */
async function refuseWrongPin(request: ParticipantRequest, deps: UseCaseDeps): Promise<never> {
  const { visit, origin } = request
  const occurrence = deps.randomUuid()
  let attemptsLeft = 0
  await recordNext(
    visit.seen,
    (entries) => {
      const now = deps.now()
      attemptsLeft = pinAttemptsLeft(admittedTries(visit, entries, now.getTime())) - 1
      return auditEvent(visit.seen.key.caseId, 'participant.otp_failed', {
        occurredAt: now.toISOString(),
        actor: 'participant',
        participantId: visit.participant.definition.id,
        ...origin,
        data: { factor: 'pin' },
        occurrence,
      })
    },
    deps,
  )
  throw new ServiceError('PIN_REQUIRED', { attemptsLeft })
}

/** @throws ServiceError PIN_LOCKED, PIN_REQUIRED for a wrong one, TIMEOUT */
async function checkPin(request: ParticipantRequest, deps: UseCaseDeps): Promise<void> {
  const { visit, pin } = request
  const { pinHash = '' } = (await orTimeout(() => deps.secrets.get(visit.seen.key))) ?? {}
  const admit = () => refuseWhileLocked(visit, deps)
  const guess = { admit, refuse: () => refuseWrongPin(request, deps) }
  const caller = { group: visit.seen.key.tenant, member: visit.participant.definition.id }
  await deps.pins.check(pinHash, pin, guess, caller)
  // Another process may have recorded the fifth wrong one meanwhile: a right one comes too late.
  await admit()
}

/**
 * What the participant still has to show. A PIN that is wrong is refused; one that is absent, or a
 * session that is absent or opens nothing, is missing. HEAD writes nothing into the trail, so it
 * cannot count a wrong PIN; it therefore checks none and reads as a request without PIN.
 *
 * @returns undefined when nothing is missing
 * @throws ServiceError PIN_LOCKED, PIN_REQUIRED, TIMEOUT
 */
export async function missingFactor(
  request: ParticipantRequest,
  deps: UseCaseDeps,
): Promise<SecondFactor | undefined> {
  const factor = secondFactorOf(request.visit.seen.signatureCase.spec.definition)
  if (factor === 'code') return (await hasSession(request, deps)) ? undefined : 'code'
  if (factor === undefined) return undefined
  if (request.pin === '' || request.isReadOnly) return 'pin'
  await checkPin(request, deps)
  return undefined
}

/** @throws ServiceError OTP_REQUIRED, PIN_LOCKED, PIN_REQUIRED, TIMEOUT */
export async function requireFactor(request: ParticipantRequest, deps: UseCaseDeps): Promise<void> {
  const missing = await missingFactor(request, deps)
  if (missing === 'code') throw new ServiceError('OTP_REQUIRED')
  if (missing === undefined) return
  await refuseWhileLocked(request.visit, deps)
  throw new ServiceError('PIN_REQUIRED')
}
