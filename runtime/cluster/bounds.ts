/** Limits of tenants and uploads, counted by all processes in Redis. */
import { Bounds, type BoundLimits } from '../../application/limits/bounds.ts'
import { FaultLog, type FaultLogOptions } from '../../domain/fault-log.ts'
import type { Counters } from '../../domain/ports/counters.ts'
import type { Timers } from '../../domain/ports/timers.ts'

interface Counting {
  ephemeral: Counters
  now(): Date
  log: FaultLogOptions['log']
  timers: Timers
}

/** Opens the limits. While Redis is unavailable, each process counts on its own. */
export function openBounds(
  { bounds: limits }: { bounds: BoundLimits },
  { ephemeral, now, log, timers }: Counting,
): Bounds {
  const message = 'Redis is unavailable; limits are counted per process'
  const faults = new FaultLog({ log, timers, message })
  const onUnshared = (error: unknown) => faults.failed(error)
  return new Bounds({ ephemeral, limits, now, onUnshared })
}
