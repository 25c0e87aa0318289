/** What the console says when the API refuses or does not answer. */
import type { ErrorCode } from '../../domain/errors.ts'
import type { ConsoleTexts } from '../texts/console-en.ts'
import type { Fault } from './api.ts'

type Sentence = {
  [K in keyof ConsoleTexts]: ConsoleTexts[K] extends string ? K : never
}[keyof ConsoleTexts]

const SENTENCES: Partial<Record<ErrorCode, Sentence>> = {
  ALREADY_SIGNED: 'faultAlreadySigned',
  CASE_NOT_ACTIVE: 'faultNotActive',
  CASE_NOT_CANCELLABLE: 'faultNotActive',
  EVENTS_UNAVAILABLE: 'faultKioskUnavailable',
  INDEX_REQUIRED: 'faultIndexRequired',
  INVITATION_RATE_LIMITED: 'faultRemindedOften',
  NOT_QUICK_SIGN: 'faultNotInPerson',
  PARTICIPANT_NOT_READY: 'faultNotReady',
  REDELIVERIES_EXHAUSTED: 'faultRedelivered',
  TIMEOUT: 'faultTimeout',
  UNKNOWN_DEVICE: 'faultUnknownDevice',
  WEBHOOK_PENDING: 'faultWebhookPending',
}

const TOO_MANY = 429
const NOT_FOUND = 404

/** One sentence for people; an unknown code is named. */
export function faultText(texts: ConsoleTexts, fault: Fault): string {
  if (fault.kind === 'unreachable') return texts.faultUnreachable
  const sentence = fault.code && SENTENCES[fault.code]
  if (sentence) return texts[sentence]
  if (fault.httpStatus === TOO_MANY) return texts.faultTooMany
  if (fault.httpStatus === NOT_FOUND) return texts.faultNotFound
  return texts.faultOther(fault.code ?? String(fault.httpStatus))
}
