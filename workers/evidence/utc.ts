/** Formats instants for the evidence. */
import type { Language } from '../../domain/cases/definition.ts'

/** As in the mails: one zone for all people of a case, because they may compare what they have. */
const LOCAL_ZONE = 'Europe/Bratislava'
const LOCALES: Readonly<Record<Language, string>> = { sk: 'sk-SK', en: 'en-GB' }

const localFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    timeZone: LOCAL_ZONE,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
const LOCAL: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  sk: localFormat(LOCALES.sk),
  en: localFormat(LOCALES.en),
}

/**
 * Formats an instant as `2026-11-02 09:00:00 UTC`; returns an invalid instant unchanged.
 *
 * @param instant ISO 8601
 */
export function utc(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const text = date.toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`
}

/**
 * Formats an instant in UTC and in local time: `2026-11-02 09:00:00 UTC · 10:00:00 CET`. The local
 * day is given when it is another one.
 *
 * @param instant ISO 8601; an invalid one is returned unchanged
 * @param separator a line end where both are below each other
 */
export function utcAndLocal(instant: string, language: Language, separator = ' · '): string {
  const inUtc = utc(instant)
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return inUtc
  const parts = new Map(LOCAL[language].formatToParts(date).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => (parts.get(type) ?? '').padStart(2, '0')
  const day = `${part('year')}-${part('month')}-${part('day')}`
  const time = `${part('hour')}:${part('minute')}:${part('second')}\u00a0${part('timeZoneName')}`
  return `${inUtc}${separator}${inUtc.startsWith(day) ? '' : `${day} `}${time}`
}
