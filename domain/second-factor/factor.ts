/** The second factor of a participant, and the destination of a code. */
import type { CaseDefinition, MultiFactorType, ParticipantDefinition } from '../cases/definition.ts'

export type SecondFactor = 'code' | 'pin'

/** The PIN is used only without one-time codes (specification 4.1). */
export function secondFactorOf({
  multiFactorType,
  pinRequired = false,
}: CaseDefinition): SecondFactor | undefined {
  if (multiFactorType !== undefined) return 'code'
  return pinRequired ? 'pin' : undefined
}

/** Common separators in telephone numbers. */
const BETWEEN_DIGITS = /[\s()./-]/g
/** ITU-T E.164 allows at most fifteen digits; mobile numbers have at least six. */
const NUMBER = /^\+?\d{6,15}$/

/** Normalises a telephone number to digits and an optional `+`; undefined when it is not valid. */
export function phoneNumberOf(text: string): string | undefined {
  const number = text.replace(BETWEEN_DIGITS, '')
  return NUMBER.test(number) ? number : undefined
}

/** Returns where a code is sent over the channel, or undefined without a destination. */
export function destinationOf(
  channel: MultiFactorType,
  { email, phone = '' }: ParticipantDefinition,
): string | undefined {
  if (channel === 'EMAIL') return email === '' ? undefined : email
  return phoneNumberOf(phone)
}
