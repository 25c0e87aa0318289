/** Sends a participant's one-time code (specification 4.10). */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import type { MultiFactorType } from '../../domain/cases/definition.ts'
import type { CodeSentAnswer } from '../../domain/contract/participant-answers.ts'
import { ServiceError, type DeliveryRefusal, type ErrorCode } from '../../domain/errors.ts'
import { CODE_WINDOW_MS } from '../../domain/limits.ts'
import { codeMail, codeSms } from '../../domain/mail/code-messages.ts'
import { maskContact } from '../../domain/mask.ts'
import { DeliveryRefusedError, type RefusedParty } from '../../domain/ports/delivery-refused.ts'
import {
  assertMaySend,
  codeExpiresAtMs,
  withdrawalOccurrence,
  type SentCode,
} from '../../domain/second-factor/code-rules.ts'
import { codeKey, hashCode, makeCode } from '../../domain/second-factor/code.ts'
import { destinationOf } from '../../domain/second-factor/factor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { channelOf, codeEvent, historyOf, placeOf } from './one-time-code.ts'
import type { ParticipantRequest, Visit } from '../cases/participant-request.ts'
import { readEntries, recordEvents, recordNext } from '../cases/read-case.ts'

/** Where a code goes. */
interface Address {
  channel: MultiFactorType
  destination: string
}

/**
 * Refuses what can be refused before a body is read; {@link sendCode} looks again.
 *
 * @throws ServiceError OTP_NOT_REQUIRED, OTP_NO_DESTINATION, OTP_RATE_LIMITED,
 *   OTP_CHANNEL_UNAVAILABLE, TIMEOUT
 */
export async function assertCanSend(visit: Visit, deps: UseCaseDeps): Promise<void> {
  addressOf(visit)
  refuseSend(visit, await readEntries(visit.seen, deps), deps)
}

/**
 * Sends a new code, which replaces the one before. What is written before what (decision 40):
 *
 * 1. The sending is counted in the trail, or refused by it: five codes within an hour, and ten
 *    sendings begun. At most five of many concurrent requests get a code.
 * 2. Only then is a code created. Its keyed hash is stored, the code itself is not.
 * 3. The code is sent.
 * 4. The answer contains the masked recipient and until when the code works.
 *
 * When 2 or 3 fails, the sending is withdrawn: it was begun, but is none of the five.
 *
 * @throws ServiceError as {@link assertCanSend}; OTP_DESTINATION_REFUSED or OTP_SENDER_REFUSED when
 *   the mail server or gateway refused it for good, TIMEOUT when it could not be sent otherwise
 * @throws BoundReachedError when the tenant's mails or text messages of the day are used up
 */
export async function sendCode(
  request: ParticipantRequest,
  deps: UseCaseDeps,
): Promise<CodeSentAnswer> {
  const { visit } = request
  const address = addressOf(visit)
  const bound = address.channel === 'SMS' ? 'tenantSmsPerDay' : 'tenantMailsPerDay'
  const release = await deps.bounds?.take({ bound, of: visit.seen.key.tenant })
  // The trail refuses all but a few of many concurrent requests: the others use nothing up.
  const sent = await countSending(request, deps).catch(async (error: unknown) => {
    await release?.()
    throw error
  })
  const code = makeCode(deps.randomInt)
  try {
    await keepHash(visit, sent, code, deps)
    await deliver(visit, address, { ...sent, code }, deps)
  } catch (cause) {
    const refusal = refusalOf(cause, address)
    await Promise.all([withdraw(request, sent, refusal, deps), release?.()])
    throw refusal
      ? new ServiceError(REFUSED[refusal.refused], { data: refusal }, { cause })
      : new ServiceError('TIMEOUT', {}, { cause })
  }
  return {
    channel: address.channel,
    destination: maskContact(address.destination),
    expiresAt: new Date(codeExpiresAtMs(sent)).toISOString(),
  }
}

/** The code of the answer by whom the mail server or gateway refused. */
const REFUSED = {
  recipient: 'OTP_DESTINATION_REFUSED',
  sender: 'OTP_SENDER_REFUSED',
} as const satisfies Record<RefusedParty, ErrorCode>

/** What a refusal for good says; undefined for every other failure. */
function refusalOf(error: unknown, { channel }: Address): DeliveryRefusal | undefined {
  if (!(error instanceof DeliveryRefusedError)) return undefined
  const { refused, answer } = error
  return { channel, refused, ...(answer === undefined ? {} : { answer }) }
}

/** @throws ServiceError OTP_NOT_REQUIRED, OTP_NO_DESTINATION */
function addressOf(visit: Visit): Address {
  const channel = channelOf(visit)
  const destination = destinationOf(channel, visit.participant.definition)
  if (destination === undefined) throw new ServiceError('OTP_NO_DESTINATION')
  return { channel, destination }
}

/** @throws ServiceError OTP_RATE_LIMITED, OTP_CHANNEL_UNAVAILABLE */
function refuseSend(visit: Visit, entries: readonly AuditEntry[], deps: UseCaseDeps): void {
  assertMaySend(historyOf(visit, entries), deps.now().getTime())
  if (channelOf(visit) === 'SMS' && !deps.sms) throw new ServiceError('OTP_CHANNEL_UNAVAILABLE')
}

/** @throws ServiceError OTP_RATE_LIMITED, OTP_CHANNEL_UNAVAILABLE, TIMEOUT */
async function countSending(request: ParticipantRequest, deps: UseCaseDeps): Promise<SentCode> {
  const { visit } = request
  const occurrence = deps.randomUuid()
  const { eventId, occurredAt } = await recordNext(
    visit.seen,
    (entries) => {
      refuseSend(visit, entries, deps)
      const now = deps.now().toISOString()
      return codeEvent('participant.otp_sent', request, { occurredAt: now, occurrence })
    },
    deps,
  )
  return { sendId: eventId, sentAtMs: Date.parse(occurredAt) }
}

/** It works for ten minutes from its trail entry; a while longer it is recognised as expired. */
async function keepHash(
  visit: Visit,
  { sendId }: SentCode,
  code: string,
  { ephemeral, keyring }: UseCaseDeps,
): Promise<void> {
  const place = placeOf(visit, sendId)
  await ephemeral.set(codeKey(place), hashCode(keyring, place, code), { ttlMs: CODE_WINDOW_MS })
}

async function deliver(
  { seen, participant }: Visit,
  { channel, destination }: Address,
  sent: SentCode & { code: string },
  { mailer, sms, branding }: UseCaseDeps,
): Promise<void> {
  const { sendId, code } = sent
  const { definition } = participant
  if (channel === 'SMS') {
    await sms?.send({ id: sendId, to: destination, text: codeSms(definition.language, code) })
    return
  }
  const expiresAt = new Date(codeExpiresAtMs(sent))
  const { signatureCase, key } = seen
  const { timeZone } = (await branding?.read(key.tenant)) ?? {}
  const recipient = { participant: definition, timeZone }
  await mailer.send(codeMail({ sendId, code, expiresAt, signatureCase, ...recipient }))
}

/**
 * Takes a code back that did not go out; a trail that fails as well leaves it counted. The tenant
 * reads in the trail why it was refused.
 */
async function withdraw(
  request: ParticipantRequest,
  { sendId }: SentCode,
  refusal: DeliveryRefusal | undefined,
  deps: UseCaseDeps,
): Promise<void> {
  const { visit } = request
  const { refused, answer } = refusal ?? {}
  const withdrawn = codeEvent('participant.otp_failed', request, {
    occurredAt: deps.now().toISOString(),
    occurrence: withdrawalOccurrence(sendId),
    data: {
      reason: 'not_sent',
      ...(refused === undefined ? {} : { refused }),
      ...(answer === undefined ? {} : { answer }),
    },
  })
  await Promise.allSettled([
    deps.ephemeral.delete(codeKey(placeOf(visit, sendId))),
    recordEvents(visit.seen, [withdrawn], deps),
  ])
}
