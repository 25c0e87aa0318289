/** What an entry of the trail says in the timeline: one sentence, and details in words. */
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import type { ConsoleTexts } from '../texts/console-en.ts'
import type { TrailEvent } from './use-case.ts'

type Words = Pick<TrailEvent, 'type' | 'data' | 'ip'>
type Ending = Pick<CaseAnswer, 'rejectCode' | 'failureCode'>

/** A detail, and its language where that is not the one of the page. */
export interface Detail {
  text: string
  lang?: 'en'
}

/** Events whose reason a person wrote; others have codes. */
const WRITTEN: ReadonlySet<TrailEvent['type']> = new Set(['case.cancelled', 'participant.declined'])
/** Events whose reason the service wrote in English; the case has a code for it. */
const ENDINGS: ReadonlySet<TrailEvent['type']> = new Set(['document.rejected', 'case.failed'])

/** What a person can do about a rejected upload or a failed case; undefined without a code. */
export function endSentence(texts: ConsoleTexts, ending: Ending): string | undefined {
  const { rejectCode, failureCode } = ending
  if (rejectCode !== undefined) return texts.rejections[rejectCode]
  return failureCode === undefined ? undefined : texts.failures[failureCode]
}

/** The sentence of the event, which depends on how it ended. */
export function eventTitle(texts: ConsoleTexts, { type, data }: Words): string {
  const { refused, reminder, factor, reason } = data as Record<string, unknown>
  if (type === 'participant.invited' && reminder !== undefined) {
    return refused === undefined ? texts.eventReminder : texts.eventReminderRefused
  }
  if (type === 'participant.invited' && refused !== undefined) return texts.eventMailRefused
  if (type === 'participant.otp_failed' && reason === 'not_sent') return texts.eventCodeNotSent
  if (type === 'participant.otp_failed' && factor === 'pin') return texts.eventWrongPin
  return texts.events[type]
}

/**
 * Details that people understand without the reference of the API.
 *
 * @param ending how the case ended; its page shows the reason of the service as well
 */
export function eventDetails(
  texts: ConsoleTexts,
  { type, data, ip }: Words,
  ending: Ending = {},
): Detail[] {
  const { destination, reason, refused } = data as Record<string, unknown>
  const details: Detail[] = []
  if (typeof destination === 'string') details.push({ text: destination })
  if (WRITTEN.has(type) && typeof reason === 'string') details.push({ text: reason })
  const sentence = endSentence(texts, ending)
  if (ENDINGS.has(type) && sentence !== undefined) details.push({ text: sentence })
  else if (ENDINGS.has(type) && typeof reason === 'string') {
    details.push({ text: reason, lang: 'en' })
  }
  if (type === 'participant.declined' && refused !== undefined) {
    details.push({ text: texts.eventSenderNotNotified })
  }
  if (ip !== undefined) details.push({ text: ip })
  return details
}
