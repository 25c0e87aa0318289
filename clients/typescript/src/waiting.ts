/** Waiting: delays that a signal ends, and how long to wait before the next attempt. */

/** First delay; each further one is twice as long. */
const BASE_DELAY_MS = 500
const MAXIMUM_DELAY_MS = 8_000

/**
 * Waits.
 *
 * @throws the reason of the signal when it ends the wait
 */
export async function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Returns a number from 0 to 1 that spreads the attempts of many clients. */
function spread(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

/**
 * Returns the delay before an attempt: exponential, between half and all of its maximum.
 *
 * @param failures number of attempts that failed, at least 1
 */
export function backOffMs(failures: number, maximumMs = MAXIMUM_DELAY_MS): number {
  const fullMs = Math.min(maximumMs, BASE_DELAY_MS * 2 ** Math.min(failures - 1, 16))
  return fullMs * (0.5 + spread() / 2)
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 *
 * @returns milliseconds; undefined without a header that can be read
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
