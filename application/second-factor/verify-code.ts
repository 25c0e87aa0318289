/** Checks a one-time code that a participant entered (specification 4.11). */
import type { CodeVerifiedAnswer } from '../../domain/contract/participant-answers.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CODE_SESSION_LIFE_MS } from '../../domain/limits.ts'
import {
  assertMayTry,
  codeAttemptsLeft,
  replacedCodes,
  type CodeHistory,
  type SentCode,
} from '../../domain/second-factor/code-rules.ts'
import { codeKey, isSameCode } from '../../domain/second-factor/code.ts'
import type { UseCaseDeps } from '../deps.ts'
import { channelOf, codeEvent, historyOf, placeOf } from './one-time-code.ts'
import type { ParticipantRequest, Visit } from '../cases/participant-request.ts'
import { orTimeout, readEntries, recordNext } from '../cases/read-case.ts'

/**
 * Refuses what can be refused before a body is read; {@link verifyCode} looks again.
 *
 * @throws ServiceError OTP_NOT_REQUIRED, OTP_NOT_REQUESTED, OTP_EXPIRED, OTP_LOCKED, TIMEOUT
 */
export async function assertCanVerify(visit: Visit, deps: UseCaseDeps): Promise<void> {
  channelOf(visit)
  await orTimeout(async () => {
    const entries = await readEntries(visit.seen, deps)
    await currentCode(visit, historyOf(visit, entries), deps)
  })
}

/**
 * Judges a try. What is written before what (decision 40):
 *
 * 1. Refused without a trace, by the trail: no code that counts, one of more than ten minutes, or
 *    five wrong tries since it went out.
 * 2. The code is compared with the one that counts, in constant time. One that was replaced within
 *    the hour is refused without a trace as well: it is not a try.
 * 3. The outcome, right or wrong, is written to the trail; when another try was first, it is judged
 *    anew from 1. At most five of many concurrent tries are compared, and one opens a session.
 * 4. Only what the trail has taken is answered: a session of half an hour, or the tries left.
 *
 * @throws ServiceError as {@link assertCanVerify}; OTP_EXPIRED for a code that was replaced,
 *   OTP_INVALID with `attemptsLeft`
 */
export async function verifyCode(
  request: ParticipantRequest,
  code: string,
  deps: UseCaseDeps,
): Promise<CodeVerifiedAnswer> {
  const { isRight, attemptsLeft } = await recordTry(request, code, deps)
  if (!isRight) throw new ServiceError('OTP_INVALID', { attemptsLeft })
  return openSession(request.visit, deps)
}

/** @throws ServiceError OTP_NOT_REQUESTED, OTP_EXPIRED, OTP_LOCKED, TIMEOUT */
async function recordTry(
  request: ParticipantRequest,
  code: string,
  deps: UseCaseDeps,
): Promise<{ isRight: boolean; attemptsLeft: number }> {
  const { visit } = request
  const occurrence = deps.randomUuid()
  let attemptsLeft = 0
  const { type } = await recordNext(
    visit.seen,
    async (entries) => {
      const history = historyOf(visit, entries)
      const isRight = await isCurrentCode(visit, history, code, deps)
      attemptsLeft = codeAttemptsLeft(history) - 1
      const outcome = isRight ? 'participant.otp_verified' : 'participant.otp_failed'
      const occurredAt = deps.now().toISOString()
      return codeEvent(outcome, request, { occurredAt, occurrence })
    },
    deps,
  )
  return { isRight: type === 'participant.otp_verified', attemptsLeft }
}

/** @throws ServiceError OTP_NOT_REQUESTED, OTP_LOCKED, OTP_EXPIRED also for a replaced one */
async function isCurrentCode(
  visit: Visit,
  history: CodeHistory,
  code: string,
  deps: UseCaseDeps,
): Promise<boolean> {
  const isCodeOf = ({ sendId }: SentCode, hash: string) =>
    isSameCode(deps.keyring, placeOf(visit, sendId), hash, code)
  const { current, hash } = await currentCode(visit, history, deps)
  if (isCodeOf(current, hash)) return true
  for (const replaced of replacedCodes(history, deps.now().getTime())) {
    const earlier = await keptHash(visit, replaced, deps)
    if (earlier !== undefined && isCodeOf(replaced, earlier)) throw new ServiceError('OTP_EXPIRED')
  }
  return false
}

/**
 * The code that a try is judged by.
 *
 * @throws ServiceError OTP_NOT_REQUESTED also when its hash was lost, OTP_EXPIRED, OTP_LOCKED
 */
async function currentCode(
  visit: Visit,
  history: CodeHistory,
  deps: UseCaseDeps,
): Promise<{ current: SentCode; hash: string }> {
  const current = assertMayTry(history, deps.now().getTime())
  const hash = await keptHash(visit, current, deps)
  if (hash === undefined) throw new ServiceError('OTP_NOT_REQUESTED')
  return { current, hash }
}

/** Undefined when it was lost. */
function keptHash(visit: Visit, { sendId }: SentCode, { ephemeral }: UseCaseDeps) {
  return ephemeral.get(codeKey(placeOf(visit, sendId)))
}

/** A signed token, which is not stored (decision 40); `require-factor.ts` checks it. */
async function openSession(visit: Visit, deps: UseCaseDeps): Promise<CodeVerifiedAnswer> {
  const expiresAt = new Date(deps.now().getTime() + CODE_SESSION_LIFE_MS)
  const holder = { ...visit.seen.key, participantId: visit.participant.definition.id }
  const otpSession = await deps.codeSessions.mint(holder, expiresAt)
  return { otpSession, expiresAt: expiresAt.toISOString() }
}
