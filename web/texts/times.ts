/** Instants and spans as the reader of the page says them. */
import type { Language } from './plural.ts'

const LOCALES: Readonly<Record<Language, string>> = { sk: 'sk-SK', en: 'en-GB' }
const SECOND_MS = 1_000
const MINUTE_S = 60

/** The instant in the reader's own zone, which is named. @param instant ISO 8601 */
export function instantIn(language: Language, instant: string): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** The day of an instant in the reader's own zone, in one piece. @param instant ISO 8601 */
export function dayIn(language: Language, instant: string): string {
  const form = { day: 'numeric', month: 'long', year: 'numeric' } as const
  return new Intl.DateTimeFormat(LOCALES[language], form)
    .format(new Date(instant))
    .replaceAll(' ', '\u00a0')
}

/** A whole number as the reader writes it. */
export function numberIn(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value)
}

/** Minutes and seconds, `9:05`; from an hour on, `1:00:00`. */
export function spanOf(spanMs: number): string {
  const seconds = Math.max(0, Math.round(spanMs / SECOND_MS))
  const hours = Math.floor(seconds / MINUTE_S / MINUTE_S)
  const minutes = Math.floor(seconds / MINUTE_S) % MINUTE_S
  const parts = [minutes, seconds % MINUTE_S].map((part) => String(part).padStart(2, '0'))
  return hours > 0 ? [hours, ...parts].join(':') : parts.join(':').replace(/^0/, '')
}
