/** Formats instants for mails: the same zone in both languages, with its name and offset. */
import type { Language } from '../cases/definition.ts'

/** One zone for all people of a case, because they may compare their mails. */
const TIME_ZONE = 'Europe/Bratislava'
const LOCALES: Readonly<Record<Language, string>> = { sk: 'sk-SK', en: 'en-GB' }

const FORMATS = Object.fromEntries(
  Object.entries(LOCALES).map(([language, locale]) => [
    language,
    new Intl.DateTimeFormat(locale, {
      timeZone: TIME_ZONE,
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

const OFFSET_FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  timeZoneName: 'shortOffset',
})

/** `UTC+1` in winter, `UTC+2` in summer, for readers who do not know the zone's name. */
function offsetAt(instant: Date): string {
  const parts = OFFSET_FORMAT.formatToParts(instant)
  const { value = '' } = parts.find(({ type }) => type === 'timeZoneName') ?? {}
  return value.replace('GMT', 'UTC')
}

/**
 * Formats the instant with its zone: `30. novembra 2026, 01:00 (SEČ, UTC+1)` or `30 November 2026,
 * 01:00 (CET, UTC+1)`.
 *
 * @param instant ISO 8601
 */
export function instantIn(language: Language, instant: string): string {
  const at = new Date(instant)
  const parts = FORMATS[language].formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  const day = language === 'sk' ? `${part('day')}.` : part('day')
  const date = `${day}\u00a0${part('month')} ${part('year')}`
  return `${date}, ${part('hour')}:${part('minute')} (${part('timeZoneName')}, ${offsetAt(at)})`
}
