/**
 * Ids of a kiosk's events, `<ms>-<n>`. They increase on each device even if clocks go backwards.
 */

const EVENT_ID = /^(\d{1,16})-(\d{1,9})$/

function parse(eventId: string): { ms: number; n: number } | undefined {
  const [, ms, n] = EVENT_ID.exec(eventId) ?? []
  return ms === undefined ? undefined : { ms: Number(ms), n: Number(n) }
}

/** Returns the time of an id in milliseconds since 1970; NaN for an invalid id. */
export function eventMs(eventId: string): number {
  return parse(eventId)?.ms ?? Number.NaN
}

/** Returns an id for `nowMs` that is greater than `last`, even if the clock went backwards. */
export function nextEventId(last: string | undefined, nowMs: number): string {
  const before = last === undefined ? undefined : parse(last)
  if (!before || nowMs > before.ms) return `${nowMs}-0`
  return `${before.ms}-${before.n + 1}`
}

/** Whether the first id is of a later event; an invalid id is earlier than every event. */
export function isLater(eventId: string, than: string | undefined): boolean {
  const other = than === undefined ? undefined : parse(than)
  const one = parse(eventId)
  if (!one || !other) return one !== undefined
  return one.ms === other.ms ? one.n > other.n : one.ms > other.ms
}
