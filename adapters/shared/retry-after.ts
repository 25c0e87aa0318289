/** Reads the `Retry-After` header (RFC 9110, 10.2.3). */

/** @returns milliseconds from now; undefined when the header is absent or not readable */
export function readRetryAfterMs(value: unknown, nowMs = Date.now()): number | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // `Retry-After` allows a date too, such as `Sun, 22 Nov 2026 14:00:00 GMT`.
  const dateMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
