/** What an entry of the trail says in the timeline: one sentence, and details in words. */
import type { ConsoleTexts } from '../texts/console-en.ts'
import type { TrailEvent } from './use-case.ts'

type Words = Pick<TrailEvent, 'type' | 'data' | 'ip'>

/** A detail, and its language where that is not the one of the page. */
export interface Detail {
  text: string
  lang?: 'en'
}

/** Events whose reason a person wrote, or the service in English; others have codes. */
const REASONS: Readonly<Partial<Record<TrailEvent['type'], Pick<Detail, 'lang'>>>> = {
  'case.cancelled': {},
  'participant.declined': {},
  'document.rejected': { lang: 'en' },
  'case.failed': { lang: 'en' },
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

/** Details that people understand without the reference of the API. */
export function eventDetails(texts: ConsoleTexts, { type, data, ip }: Words): Detail[] {
  const { destination, reason, refused } = data as Record<string, unknown>
  const details: Detail[] = []
  if (typeof destination === 'string') details.push({ text: destination })
  const language = REASONS[type]
  if (language && typeof reason === 'string') details.push({ text: reason, ...language })
  if (type === 'participant.declined' && refused !== undefined) {
    details.push({ text: texts.eventSenderNotNotified })
  }
  if (ip !== undefined) details.push({ text: ip })
  return details
}
