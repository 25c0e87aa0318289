/** Reads how a process ends: how long it goes on accepting, and how long what runs may take. */
import { parseDelay } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

/** How a process that was told to end does so. */
export interface ShutdownTimes {
  /** For how long it still accepts requests after it became unready, in milliseconds. */
  delayMs: number
  /** How long running requests and jobs have after that, in milliseconds. */
  graceMs: number
}

const MILLISECONDS = 'a number of milliseconds'

/**
 * Reads `SHUTDOWN_GRACE_MS`.
 *
 * @param standardMs when it is absent, or a fault
 */
export const readShutdownGrace = (reader: EnvironmentReader, standardMs: number): number =>
  reader.read('SHUTDOWN_GRACE_MS', standardMs, MILLISECONDS, parseDelay)

/**
 * Reads `SHUTDOWN_DELAY_MS` and `SHUTDOWN_GRACE_MS`.
 *
 * @param standard for what is absent, or a fault
 */
export const readShutdown = (
  reader: EnvironmentReader,
  standard: ShutdownTimes,
): ShutdownTimes => ({
  delayMs: reader.read('SHUTDOWN_DELAY_MS', standard.delayMs, MILLISECONDS, parseDelay),
  graceMs: readShutdownGrace(reader, standard.graceMs),
})
