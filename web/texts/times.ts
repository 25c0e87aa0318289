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

/** The day of an instant, short and without the year: `23 Nov`, `23. 11.`. */
export function shortDayIn(language: Language, instant: Date): string {
  const form = { day: 'numeric', month: 'short' } as const
  return new Intl.DateTimeFormat(LOCALES[language], form).format(instant).replaceAll(' ', '\u00a0')
}

const UNITS = [
  { unit: 'day', unitMs: 86_400_000 },
  { unit: 'hour', unitMs: 3_600_000 },
  { unit: 'minute', unitMs: 60_000 },
] as const

/**
 * A span in its largest unit, with at most one decimal below ten: `1.5 days`, `40 minutes`,
 * `<1 minute`.
 *
 * @param width `narrow` where space is short: `1.5d`
 */
export function spanIn(language: Language, spanMs: number, width: 'long' | 'narrow'): string {
  const found = UNITS.find(({ unitMs }) => spanMs >= unitMs) ?? UNITS[2]
  const { unit, unitMs } = found
  const isShort = spanMs < unitMs
  const value = isShort ? 1 : spanMs / unitMs
  const maximumFractionDigits = unit === 'minute' || value >= 10 ? 0 : 1
  const format = { style: 'unit', unit, unitDisplay: width, maximumFractionDigits } as const
  const span = new Intl.NumberFormat(LOCALES[language], format).format(value)
  return isShort ? `<${span}` : span
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

type WaitUnit = keyof typeof SLOVAK_UNITS

/** The wait in the unit that people use for one of its length, rounded up. */
function roundedUp(spanMs: number): [count: number, unit: WaitUnit] {
  const seconds = Math.max(1, Math.ceil(spanMs / SECOND_MS))
  if (seconds < MINUTE_S) return [seconds, 'second']
  const minutes = Math.ceil((seconds - CLOCK_LAG_S) / MINUTE_S)
  if (minutes <= LONGEST_IN_MINUTES) return [minutes, 'minute']
  return [Math.ceil(minutes / MINUTE_S), 'hour']
}

/**
 * How long a wait is, in one unit and rounded up, as it follows “in” and “o”: `15 minutes`,
 * `15 minút`.
 */
export function waitIn(language: Language, spanMs: number): string {
  const [count, unit] = roundedUp(spanMs)
  if (language === 'sk') return `${count}\u00a0${pluralIn('sk')(count, SLOVAK_UNITS[unit])}`
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(LOCALES.en, format).format(count)
}
