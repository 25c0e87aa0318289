/** How a process shuts down: how long it accepts requests, and how long running work may take. */
import type { EnvironmentReader } from './reader.ts'

/** Shutdown times of a process. */
export interface ShutdownTimes {
  /** Time in milliseconds for which it still accepts requests after it became unready. */
  delayMs: number
  /** Time in milliseconds that running requests and jobs get after that. */
  graceMs: number
}

/** Reads the times of a process that accepts requests of people. */
export const readShutdown = (reader: EnvironmentReader): ShutdownTimes => ({
  delayMs: reader.get('SHUTDOWN_DELAY_MS'),
  graceMs: reader.get('SHUTDOWN_GRACE_MS'),
})

/** Reads the times of a process without requests of people. */
export const readShutdownGrace = (reader: EnvironmentReader): ShutdownTimes => ({
  delayMs: 0,
  graceMs: reader.get('SHUTDOWN_GRACE_MS'),
})
