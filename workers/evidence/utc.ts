/** Formats instants for the evidence. */

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
