/**
 * Reads how a process shuts down: how long it still accepts requests, and how long running work may
 * take.
 */
import { parseDelay } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

/** Shutdown times of a process. */
export interface ShutdownTimes {
  /** Time in milliseconds for which it still accepts requests after it became unready. */
  delayMs: number
  /** Time in milliseconds that running requests and jobs get after that. */
  graceMs: number
}

const MILLISECONDS = 'a number of milliseconds'

/**
 * Reads `SHUTDOWN_GRACE_MS`.
 *
 * @param standardMs used when the variable is absent or invalid
 */
export const readShutdownGrace = (reader: EnvironmentReader, standardMs: number): number =>
  reader.read('SHUTDOWN_GRACE_MS', standardMs, MILLISECONDS, parseDelay)

/**
 * Reads `SHUTDOWN_DELAY_MS` and `SHUTDOWN_GRACE_MS`.
 *
 * @param standard used when a variable is absent or invalid
 */
export const readShutdown = (
  reader: EnvironmentReader,
  standard: ShutdownTimes,
): ShutdownTimes => ({
  delayMs: reader.read('SHUTDOWN_DELAY_MS', standard.delayMs, MILLISECONDS, parseDelay),
  graceMs: readShutdownGrace(reader, standard.graceMs),
})
