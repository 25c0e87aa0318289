/** Local times that the service writes for people, in the time zone of the tenant. Pure. */
import type { Language } from './cases/definition.ts'

/** Time zone of tenants that chose none. */
export const DEFAULT_TIME_ZONE = 'Europe/Bratislava'
/**
 * The form of names in the IANA time zone database (RFC 6557). It excludes offsets such as
 * `+01:00`, which know no daylight saving time. A pattern of ECMAScript and of RE2.
 */
export const TIME_ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9][A-Za-z0-9_+-]*)*$'
/** The longest name of the database has 32 characters. */
export const MAXIMUM_TIME_ZONE_LENGTH = 64

const PATTERN = new RegExp(TIME_ZONE_PATTERN)

/** Whether the text names a zone of the IANA database that the runtime has (ECMA-402, 6.5). */
export function isTimeZone(text: string): boolean {
  if (text.length > MAXIMUM_TIME_ZONE_LENGTH || !PATTERN.test(text)) return false
  try {
    void new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** In which words and in which zone a time is written. */
export interface Locality {
  language: Language
  /** IANA name; without it, {@link DEFAULT_TIME_ZONE}. */
  timeZone?: string | undefined
}

/** The parts of a local time, as texts. */
export interface LocalParts {
  year: string
  /** In words, in the case that follows a day, or two digits. */
  month: string
  day: string
  hour: string
  minute: string
  second: string
  /** Name of the zone at that time, such as `CET`, or its offset where the language has no name. */
  zone: string
  /** `UTC+1`; `UTC+0` where and when clocks show the time of UTC. */
  offset: string
}

type MonthStyle = 'long' | '2-digit'
interface Formats {
  parts: Intl.DateTimeFormat
  offset: Intl.DateTimeFormat
}

const LOCALES: Readonly<Record<Language, string>> = { sk: 'sk-SK', en: 'en-GB' }
/** Building one takes about 0.1 ms of CPU time, and an evidence has hundreds of times. */
const MAXIMUM_KEPT_FORMATS = 100
const kept = new Map<string, Formats>()

function buildFormats(language: Language, timeZone: string, month: MonthStyle): Formats {
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone,
    day: month === 'long' ? 'numeric' : '2-digit',
    month,
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  return {
    parts,
    offset: new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }),
  }
}

function formatsOf(language: Language, timeZone: string, month: MonthStyle): Formats {
  const key = `${language} ${month} ${timeZone}`
  const known = kept.get(key)
  if (known) return known
  const built = buildFormats(language, timeZone, month)
  if (kept.size >= MAXIMUM_KEPT_FORMATS) kept.clear()
  kept.set(key, built)
  return built
}

/** Unicode's data use `GMT-5` as a name and as an offset; texts of the service say `UTC-5`. */
const inUtc = (name: string) => name.replace(/^GMT(?=[+-−])/, 'UTC')

/**
 * Returns the parts of an instant in a zone.
 *
 * @param at valid
 * @throws RangeError when the runtime does not know the zone; see {@link isTimeZone}
 */
export function localParts(
  at: Date,
  { language, timeZone = DEFAULT_TIME_ZONE }: Locality,
  month: MonthStyle,
): LocalParts {
  const formats = formatsOf(language, timeZone, month)
  const found = new Map(formats.parts.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? ''
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour').padStart(2, '0'),
    minute: part('minute').padStart(2, '0'),
    second: part('second').padStart(2, '0'),
    zone: inUtc(part('timeZoneName')),
    // Only mails have it, and formatting takes as long as all other parts.
    get offset() {
      const parts = formats.offset.formatToParts(at)
      return inUtc(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '')
    },
  }
}
