/** Instants as mails tell them: in the time of the language's readers, the zone always named. */
import type { Language } from '../cases/schema.ts'

/** Readers of Slovak live by the time of Bratislava; readers of English may be anywhere. */
const ZONES: Readonly<Record<Language, { locale: string; timeZone: string }>> = {
  sk: { locale: 'sk-SK', timeZone: 'Europe/Bratislava' },
  en: { locale: 'en-GB', timeZone: 'UTC' },
}

const FORMATS = Object.fromEntries(
  Object.entries(ZONES).map(([language, { locale, timeZone }]) => [
    language,
    new Intl.DateTimeFormat(locale, {
      timeZone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    }),
  ]),
) as Record<Language, Intl.DateTimeFormat>

/**
 * The instant with its zone: `30. novembra 2026, 01:00 (SEČ)` or `30 November 2026, 00:00 (UTC)`.
 *
 * @param instant ISO 8601
 */
export function instantIn(language: Language, instant: string): string {
  const parts = FORMATS[language].formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  const day = language === 'sk' ? `${part('day')}.` : part('day')
  const date = `${day}\u00a0${part('month')} ${part('year')}`
  return `${date}, ${part('hour')}:${part('minute')} (${part('timeZoneName')})`
}
