/** Whether documents can be sealed now: signing is refused while a backend fails (design 2). */
import { decodeCanary } from '../../domain/canary.ts'
import { CANARY_KEY } from '../../domain/cases/keys.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CANARY_INTERVAL_MS, CANARY_MAXIMUM_AGE_MS, CANARY_REUSE_MS } from '../../domain/limits.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { readRecent } from '../store/recent-objects.ts'
import type { UseCaseDeps } from '../deps.ts'

const MILLISECONDS_PER_SECOND = 1000

type CanaryDeps = Pick<UseCaseDeps, 'objects' | 'now'>

export const CANARY_OUTCOMES = ['passed', 'failed', 'absent', 'stale'] as const

export interface CanaryState {
  outcome: (typeof CANARY_OUTCOMES)[number]
  at?: string
  ageSeconds?: number
}

/** The newest canary as it counts now. */
export async function canaryState({ objects, now }: CanaryDeps): Promise<CanaryState> {
  const object = await objects.get(CANARY_KEY)
  return object ? stateOf(object, now().getTime()) : { outcome: 'absent' }
}

function stateOf(object: StoredObject, nowMs: number): CanaryState {
  const canary = decodeCanary(object)
  if (!canary) return { outcome: 'absent' }
  const { outcome, at } = canary
  const ageMs = nowMs - Date.parse(at)
  return {
    // A result of a clock that is far ahead would count for as long as that clock is ahead.
    outcome: Math.abs(ageMs) <= CANARY_MAXIMUM_AGE_MS ? outcome : 'stale',
    at,
    ageSeconds: Math.round(ageMs / MILLISECONDS_PER_SECOND),
  }
}

/** The next canary comes within its interval, and may pass. */
export const signingUnavailable = () =>
  new ServiceError('SIGNING_UNAVAILABLE', {
    retryAfterSeconds: CANARY_INTERVAL_MS / MILLISECONDS_PER_SECOND,
  })

/**
 * Whether the newest canary passed, and not long ago: only then a signature is taken. A canary that
 * passed is used for some seconds without reading it again.
 */
export async function isSigningAvailable({ objects, now }: CanaryDeps): Promise<boolean> {
  const nowMs = now().getTime()
  const mayKeep = (object: StoredObject) => stateOf(object, nowMs).outcome === 'passed'
  const freshness = { nowMs, maximumAgeMs: CANARY_REUSE_MS, mayKeep }
  const object = await readRecent(objects, CANARY_KEY, freshness)
  return object !== undefined && stateOf(object, nowMs).outcome === 'passed'
}
