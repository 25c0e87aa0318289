/** Sends a participant's one-time codes and checks what comes back (specification 4.10, 4.11). */
import type { FastifyRequest } from 'fastify'
import type { AuditEntry, AuditEventType } from '../domain/audit/entry.ts'
import { auditEvent } from '../domain/cases/owed.ts'
import type { MultiFactorType } from '../domain/cases/definition.ts'
import type { CodeSentAnswer, CodeVerifiedAnswer } from '../domain/contract/answers.ts'
import { ServiceError } from '../domain/errors.ts'
import { CODE_SESSION_LIFE_MS, CODE_WINDOW_MS, MAXIMUM_CODE_TRIES } from '../domain/limits.ts'
import { codeMail, codeSms } from '../domain/mail/code-messages.ts'
import { maskContact } from '../domain/mask.ts'
import {
  assertMaySend,
  assertMayTry,
  codeExpiresAtMs,
  codeHistory,
  replacedCodes,
  withdrawalOccurrence,
  type CodeHistory,
  type SentCode,
} from '../domain/second-factor/code-history.ts'
import {
  codeKey,
  hashCode,
  isSameCode,
  makeCode,
  type CodePlace,
} from '../domain/second-factor/code.ts'
import { destinationOf } from '../domain/second-factor/factor.ts'
import type { ApiDeps } from './deps.ts'
import { originOf } from './origin.ts'
import type { Visit } from './participant-route.ts'
import { orTimeout, recordEvents, recordNext } from './read-case.ts'

/** Where codes of the participant go. */
interface Channel {
  type: MultiFactorType
  destination: string
}

/** @throws ServiceError OTP_NOT_REQUIRED */
function channelType({ seen }: Visit): MultiFactorType {
  const { multiFactorType } = seen.signatureCase.spec.definition
  if (multiFactorType === undefined) throw new ServiceError('OTP_NOT_REQUIRED')
  return multiFactorType
}

/** @throws ServiceError OTP_NOT_REQUIRED, OTP_NO_DESTINATION */
function channelOf(visit: Visit): Channel {
  const type = channelType(visit)
  const destination = destinationOf(type, visit.participant.definition)
  if (destination === undefined) throw new ServiceError('OTP_NO_DESTINATION')
  return { type, destination }
}

/** What the trail is told of a code, which is never the code. */
function codeEvent(
  type: AuditEventType,
  request: FastifyRequest,
  more: { occurredAt: string; occurrence: string; data?: Record<string, unknown> },
) {
  const { seen, participant } = request.visit
  const channel = channelType(request.visit)
  const destination = destinationOf(channel, participant.definition)
  return auditEvent(seen.key.caseId, type, {
    ...more,
    actor: 'participant',
    participantId: participant.definition.id,
    ...originOf(request),
    data: {
      factor: 'code',
      channel,
      ...(destination === undefined ? {} : { destination: maskContact(destination) }),
      ...more.data,
    },
  })
}

function historyOf({ seen, participant }: Visit, entries: readonly AuditEntry[]): CodeHistory {
  return codeHistory(seen.key.caseId, participant.definition.id, entries)
}

function placeOf({ seen, participant }: Visit, sendId: string): CodePlace {
  return { ...seen.key, participantId: participant.definition.id, sendId }
}

/** @throws ServiceError OTP_RATE_LIMITED, OTP_CHANNEL_UNAVAILABLE */
function refuseSend(visit: Visit, entries: readonly AuditEntry[], deps: ApiDeps): void {
  assertMaySend(historyOf(visit, entries), deps.now().getTime())
  if (channelType(visit) === 'SMS' && !deps.sms) throw new ServiceError('OTP_CHANNEL_UNAVAILABLE')
}

/**
 * Refuses what can be refused before a body is read.
 *
 * @throws ServiceError OTP_NOT_REQUIRED, OTP_NO_DESTINATION, OTP_RATE_LIMITED,
 *   OTP_CHANNEL_UNAVAILABLE, TIMEOUT
 */
export async function assertCanSend({ visit }: FastifyRequest, deps: ApiDeps): Promise<void> {
  channelOf(visit)
  refuseSend(visit, await orTimeout(() => deps.trail.entries(visit.seen.key)), deps)
}

async function deliver(
  { seen, participant }: Visit,
  { type, destination }: Channel,
  sent: SentCode & { code: string },
  { mailer, sms }: ApiDeps,
): Promise<void> {
  const { sendId, code } = sent
  const { definition } = participant
  if (type === 'SMS') {
    await sms?.send({ id: sendId, to: destination, text: codeSms(definition.language, code) })
    return
  }
  const expiresAt = new Date(codeExpiresAtMs(sent))
  const { signatureCase } = seen
  await mailer.send(codeMail({ sendId, code, expiresAt, signatureCase, participant: definition }))
}

/** Takes a code back that did not go out; a trail that fails as well leaves it counted. */
async function withdraw(request: FastifyRequest, sendId: string, deps: ApiDeps): Promise<void> {
  const { visit } = request
  const withdrawn = codeEvent('participant.otp_failed', request, {
    occurredAt: deps.now().toISOString(),
    occurrence: withdrawalOccurrence(sendId),
    data: { reason: 'not_sent' },
  })
  await Promise.allSettled([
    deps.ephemeral.delete(codeKey(placeOf(visit, sendId))),
    recordEvents(visit.seen, [withdrawn], deps),
  ])
}

/**
 * Sends a new code, which replaces the one before. It is counted before it goes out, so that of
 * however many that ask at once five are sent one (decision 40).
 *
 * @throws ServiceError as {@link assertCanSend}; TIMEOUT when it could not be sent
 */
export async function sendCode(request: FastifyRequest, deps: ApiDeps): Promise<CodeSentAnswer> {
  const { visit } = request
  const channel = channelOf(visit)
  const occurrence = deps.randomUuid()
  const { eventId: sendId, occurredAt } = await recordNext(
    visit.seen,
    (entries) => {
      refuseSend(visit, entries, deps)
      const now = deps.now().toISOString()
      return codeEvent('participant.otp_sent', request, { occurredAt: now, occurrence })
    },
    deps,
  )
  const sent = { sendId, sentAtMs: Date.parse(occurredAt), code: makeCode(deps.randomInt) }
  const place = placeOf(visit, sendId)
  try {
    // It works for ten minutes, as the trail tells; a while longer it is known as one of before.
    const kept = hashCode(deps.keyring, place, sent.code)
    await deps.ephemeral.set(codeKey(place), kept, { ttlMs: CODE_WINDOW_MS })
    await deliver(visit, channel, sent, deps)
  } catch (cause) {
    await withdraw(request, sendId, deps)
    throw new ServiceError('TIMEOUT', {}, { cause })
  }
  return {
    channel: channel.type,
    destination: maskContact(channel.destination),
    expiresAt: new Date(codeExpiresAtMs(sent)).toISOString(),
  }
}

/** What is kept of a code, or undefined when it was lost. */
function keptCode(visit: Visit, { sendId }: SentCode, { ephemeral }: ApiDeps) {
  return ephemeral.get(codeKey(placeOf(visit, sendId)))
}

/**
 * The code that a try is judged by.
 * @throws ServiceError OTP_NOT_REQUESTED, OTP_EXPIRED, OTP_LOCKED
 */
async function currentCode(visit: Visit, history: CodeHistory, deps: ApiDeps) {
  const current = assertMayTry(history, deps.now().getTime())
  const kept = await keptCode(visit, current, deps)
  if (kept === undefined) throw new ServiceError('OTP_NOT_REQUESTED')
  return { sendId: current.sendId, kept }
}

/**
 * Refuses what can be refused before a body is read.
 * @throws ServiceError OTP_NOT_REQUIRED, OTP_NOT_REQUESTED, OTP_EXPIRED, OTP_LOCKED, TIMEOUT
 */
export async function assertCanVerify({ visit }: FastifyRequest, deps: ApiDeps): Promise<void> {
  channelType(visit)
  await orTimeout(async () => {
    const entries = await deps.trail.entries(visit.seen.key)
    await currentCode(visit, historyOf(visit, entries), deps)
  })
}

async function isReplacedCode(
  visit: Visit,
  history: CodeHistory,
  code: string,
  deps: ApiDeps,
): Promise<boolean> {
  for (const replaced of replacedCodes(history, deps.now().getTime())) {
    const kept = await keptCode(visit, replaced, deps)
    if (kept === undefined) continue
    if (isSameCode(deps.keyring, placeOf(visit, replaced.sendId), kept, code)) return true
  }
  return false
}

async function openSession(visit: Visit, deps: ApiDeps): Promise<CodeVerifiedAnswer> {
  const expiresAt = new Date(deps.now().getTime() + CODE_SESSION_LIFE_MS)
  const holder = { ...visit.seen.key, participantId: visit.participant.definition.id }
  const otpSession = await deps.codeSessions.mint(holder, expiresAt)
  return { otpSession, expiresAt: expiresAt.toISOString() }
}

/**
 * Judges a code. Only what the trail has taken is answered, right or wrong, so that of however many
 * that try at once five are looked at and one opens a session.
 *
 * @throws ServiceError as {@link assertCanVerify}; OTP_EXPIRED for a code that was replaced,
 *   OTP_INVALID with `attemptsLeft`
 */
export async function verifyCode(
  request: FastifyRequest,
  code: string,
  deps: ApiDeps,
): Promise<CodeVerifiedAnswer> {
  const { visit } = request
  const occurrence = deps.randomUuid()
  let attemptsLeft = 0
  const { type } = await recordNext(
    visit.seen,
    async (entries) => {
      const history = historyOf(visit, entries)
      const { sendId, kept } = await currentCode(visit, history, deps)
      const isRight = isSameCode(deps.keyring, placeOf(visit, sendId), kept, code)
      if (!isRight && (await isReplacedCode(visit, history, code, deps))) {
        throw new ServiceError('OTP_EXPIRED')
      }
      attemptsLeft = MAXIMUM_CODE_TRIES - history.wrongTries - 1
      const outcome = isRight ? 'participant.otp_verified' : 'participant.otp_failed'
      const occurredAt = deps.now().toISOString()
      return codeEvent(outcome, request, { occurredAt, occurrence })
    },
    deps,
  )
  if (type === 'participant.otp_failed') throw new ServiceError('OTP_INVALID', { attemptsLeft })
  return openSession(visit, deps)
}
