/** Runs asynchronous calls with a fixed concurrency. */
import { performance } from 'node:perf_hooks'

/**
 * @param call receives numbers from 0 to `count` - 1
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
