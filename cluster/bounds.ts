/** The bounds of tenants and uploads, counted by all processes in Redis. */
import { Bounds, type BoundLimits } from '../domain/bounds.ts'
import type { Ephemeral } from '../domain/ports/ephemeral.ts'

interface Counting {
  ephemeral: Ephemeral
  now(): Date
  log: { warn(details: object, message: string): void }
}

/** While Redis is unavailable, each process counts alone. */
export function openBounds(
  { bounds: limits }: { bounds: BoundLimits },
  { ephemeral, now, log }: Counting,
): Bounds {
  const onUnshared = (err: unknown) => log.warn({ err }, 'a use is counted for this process alone')
  return new Bounds({ ephemeral, limits, now, onUnshared })
}
