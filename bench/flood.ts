/** Work with so much of it under way at any time. */
import { performance } from 'node:perf_hooks'

/**
 * @param call gets numbers from 0 to `count`
 * @returns milliseconds for each of `count` calls
 */
export async function flood(
  count: number,
  inFlight: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const startedMs = performance.now()
  const lane = async () => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return (performance.now() - startedMs) / count
}
