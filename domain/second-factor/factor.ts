/** What a participant has to show beside the signing link, and where a code can go. */
import type { CaseDefinition, MultiFactorType, ParticipantDefinition } from '../cases/definition.ts'

export type SecondFactor = 'code' | 'pin'

/** The PIN counts only where no one-time code is asked for (specification 4.1). */
export function secondFactorOf({
  multiFactorType,
  pinRequired = false,
}: CaseDefinition): SecondFactor | undefined {
  if (multiFactorType !== undefined) return 'code'
  return pinRequired ? 'pin' : undefined
}

/** How people write numbers apart from digits. */
const BETWEEN_DIGITS = /[\s()./-]/g
/** ITU-T E.164 allows fifteen digits; shorter ones than these are no mobile numbers. */
const NUMBER = /^\+?\d{6,15}$/

/** The digits of a telephone number as people write it, or undefined when it is none. */
export function phoneNumberOf(text: string): string | undefined {
  const number = text.replace(BETWEEN_DIGITS, '')
  return NUMBER.test(number) ? number : undefined
}

/** Where a code for the participant goes over the channel, or undefined when it can go nowhere. */
export function destinationOf(
  channel: MultiFactorType,
  { email, phone = '' }: ParticipantDefinition,
): string | undefined {
  if (channel === 'EMAIL') return email === '' ? undefined : email
  return phoneNumberOf(phone)
}
