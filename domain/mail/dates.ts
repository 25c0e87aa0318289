/** Formats instants for mails, in the zone of the tenant, with its name and offset. */
import { localParts, type Locality } from '../local-time.ts'

/**
 * Formats the instant with its zone: `30. novembra 2026, 01:00 (SEČ, UTC+1)` or `30 November 2026,
 * 01:00 (CET, UTC+1)`. A zone without a name in the language has its offset alone. All people of a
 * case read the same zone, because they may compare their mails.
 *
 * @param instant ISO 8601
 */
export function instantIn(locality: Locality, instant: string): string {
  const { year, month, day, hour, minute, zone, offset } = localParts(
    new Date(instant),
    locality,
    'long',
  )
  const dayOf = locality.language === 'sk' ? `${day}.` : day
  const name = zone === offset || zone === 'UTC' ? zone : `${zone}, ${offset}`
  return `${dayOf}\u00a0${month} ${year}, ${hour}:${minute} (${name})`
}
