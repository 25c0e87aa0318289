/** Ids of a kiosk's events, `<ms>-<n>`: they ascend on each device whatever clocks do. */

const EVENT_ID = /^(\d{1,16})-(\d{1,9})$/

function parse(eventId: string): { ms: number; n: number } | undefined {
  const [, ms, n] = EVENT_ID.exec(eventId) ?? []
  return ms === undefined ? undefined : { ms: Number(ms), n: Number(n) }
}

/** Milliseconds since 1970 of an id; NaN for a text that is none. */
export function eventMs(eventId: string): number {
  return parse(eventId)?.ms ?? Number.NaN
}

/** The id of an event at `nowMs`, greater than `last` also where a clock went back. */
export function nextEventId(last: string | undefined, nowMs: number): string {
  const before = last === undefined ? undefined : parse(last)
  if (!before || nowMs > before.ms) return `${nowMs}-0`
  return `${before.ms}-${before.n + 1}`
}

/** Whether the first id is of a later event; a text that is no id is earlier than every event. */
export function isLater(eventId: string, than: string | undefined): boolean {
  const other = than === undefined ? undefined : parse(than)
  const one = parse(eventId)
  if (!one || !other) return one !== undefined
  return one.ms === other.ms ? one.n > other.n : one.ms > other.ms
}
