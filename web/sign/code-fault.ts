/** The message that people see when a code was refused. */
import type { ErrorCode } from '../../domain/errors.ts'
import type { Refusal } from '../lib/client.ts'
import type { Texts } from '../texts/en.ts'

/** A sentence, in whatever language is read. */
export type CodeFault = (texts: Texts) => string

const FAULTS: Partial<Record<ErrorCode, (texts: Texts, refusal: Refusal) => string>> = {
  OTP_INVALID: (texts, { attemptsLeft = 0 }) =>
    attemptsLeft > 0 ? texts.codeWrong(attemptsLeft) : texts.codeLocked,
  OTP_LOCKED: (texts) => texts.codeLocked,
  OTP_EXPIRED: (texts) => texts.codeIsOver,
  OTP_NOT_REQUESTED: (texts) => texts.codeIsOver,
  OTP_RATE_LIMITED: (texts) => texts.codeLimited,
  OTP_NO_DESTINATION: (texts) => texts.codeNoDestination,
  OTP_CHANNEL_UNAVAILABLE: (texts) => texts.codeNoChannel,
  OTP_DESTINATION_REFUSED: (texts) => texts.codeRefused,
  OTP_SENDER_REFUSED: (texts) => texts.codeNoChannel,
}

const OVER = new Set<ErrorCode | undefined>(['OTP_LOCKED', 'OTP_EXPIRED', 'OTP_NOT_REQUESTED'])

/** Whether only a new code helps. */
export const isUsedUp = ({ code, attemptsLeft = 0 }: Refusal): boolean =>
  OVER.has(code) || (code === 'OTP_INVALID' && attemptsLeft === 0)

/** @returns undefined when the refusal is not about the code */
export function codeFaultOf(refusal: Refusal): CodeFault | undefined {
  if (refusal.code === undefined) {
    return refusal.httpStatus === 400 ? (texts) => texts.codeIncomplete : undefined
  }
  const fault = FAULTS[refusal.code]
  return fault && ((texts) => fault(texts, refusal))
}
