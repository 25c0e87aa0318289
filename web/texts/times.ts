/** Instants and spans as the reader of the page says them. */
import { pluralIn, type Language } from './plural.ts'

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

const SLOVAK_UNITS = {
  hour: { one: 'hodinu', few: 'hodiny', other: 'hodín' },
  minute: { one: 'minútu', few: 'minúty', other: 'minút' },
  second: { one: 'sekundu', few: 'sekundy', other: 'sekúnd' },
} as const
const LONGEST_IN_MINUTES = 90
/**
 * The clock of a page ticks once a second, and later on a busy device: a wait of 30 minutes can be
 * longer to it.
 */
const CLOCK_LAG_S = 3

/**
 * How long a wait is, in one unit and rounded up, as it follows “in” and “o”: `15 minutes`,
 * `15 minút`.
 */
export function waitIn(language: Language, spanMs: number): string {
  const seconds = Math.max(1, Math.ceil(spanMs / SECOND_MS))
  const minutes = Math.ceil((seconds - CLOCK_LAG_S) / MINUTE_S)
  const [count, unit] =
    seconds < MINUTE_S
      ? ([seconds, 'second'] as const)
      : minutes <= LONGEST_IN_MINUTES
        ? ([minutes, 'minute'] as const)
        : ([Math.ceil(minutes / MINUTE_S), 'hour'] as const)
  if (language === 'sk') return `${count}\u00a0${pluralIn('sk')(count, SLOVAK_UNITS[unit])}`
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(LOCALES.en, format).format(count)
}
