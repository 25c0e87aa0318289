/** Formats instants for the evidence. */
import { localParts, type LocalParts, type Locality } from '../../domain/local-time.ts'

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

const localOf = (at: Date, locality: Locality) => localParts(at, locality, '2-digit')
const isBesideUtc = ({ zone }: Pick<LocalParts, 'zone'>) => zone !== 'UTC'

/** Whether local times of the zone are written beside UTC. */
export const hasLocalTime = (at: Date, locality: Locality): boolean =>
  isBesideUtc(localOf(at, locality))

/**
 * Formats an instant in UTC and in local time: `2026-11-02 09:00:00 UTC · 10:00:00 CET`. The local
 * day is given when it is another one. All people of a case read the same zone, as in the mails.
 *
 * @param instant ISO 8601; an invalid one is returned unchanged
 * @param separator a line end where both are below each other
 */
export function utcAndLocal(instant: string, locality: Locality, separator = ' · '): string {
  const inUtc = utc(instant)
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return inUtc
  const local = localOf(date, locality)
  if (!isBesideUtc(local)) return inUtc
  const day = [local.year, local.month.padStart(2, '0'), local.day.padStart(2, '0')].join('-')
  const time = `${local.hour}:${local.minute}:${local.second}\u00a0${local.zone}`
  return `${inUtc}${separator}${inUtc.startsWith(day) ? '' : `${day} `}${time}`
}
