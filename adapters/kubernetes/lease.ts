/** A Lease of `coordination.k8s.io`: who holds it, and what a holder writes. */
import type { KubernetesObject } from './resources.ts'

export const LEASE_API_VERSION = 'coordination.k8s.io/v1'

export interface LeaseSpec {
  /** Absent when it was released. */
  holderIdentity?: string
  /** How long the others wait for its holder to renew it. */
  leaseDurationSeconds?: number
  acquireTime?: string
  renewTime?: string
  leaseTransitions?: number
}

export interface Lease extends KubernetesObject {
  apiVersion: typeof LEASE_API_VERSION
  kind: 'Lease'
  spec: LeaseSpec
}

/** The last version of a lease that was read, and when it was first read. */
export interface Sighting {
  version: string | undefined
  /** By the reader's own monotonic clock. */
  sinceMs: number
}

/** Updates the sighting; a version that was seen before keeps its time. */
export function sightingOf(
  { metadata }: Lease,
  before: Sighting | undefined,
  nowMs: number,
): Sighting {
  const version = metadata.resourceVersion
  return before && before.version === version ? before : { version, sinceMs: nowMs }
}

/**
 * Returns the holder that others have to wait for; undefined when they may take the lease, because
 * it was released, or did not change for its duration.
 *
 * Its `renewTime` is not compared with any clock, because the clock of the holder may be wrong. A
 * lease changes with every renewal, and the reader itself counts how long it has not changed.
 *
 * @param unchangedMs since the {@link Sighting} of the lease
 */
export function liveHolder({ spec }: Lease, unchangedMs: number): string | undefined {
  const { holderIdentity, leaseDurationSeconds = 0 } = spec
  return holderIdentity && unchangedMs < leaseDurationSeconds * 1000 ? holderIdentity : undefined
}

/** RFC 3339 with microseconds, the only form that a Lease accepts. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')

/**
 * Builds the spec of a lease that is created, taken or renewed. Its times are for display.
 *
 * @param before the previous spec; empty for a new lease
 * @param nowMs since 1970
 */
export function heldSpec(
  before: LeaseSpec,
  { identity, durationMs, nowMs }: { identity: string; durationMs: number; nowMs: number },
): LeaseSpec {
  const now = microTime(nowMs)
  const isNew = before.holderIdentity !== identity
  const acquireTime = isNew ? now : before.acquireTime
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    ...(acquireTime === undefined ? {} : { acquireTime }),
    renewTime: now,
    leaseTransitions: (before.leaseTransitions ?? 0) + (isNew ? 1 : 0),
  }
}

/** Builds the spec of a released lease. */
export function releasedSpec(spec: LeaseSpec): LeaseSpec {
  const { holderIdentity: _, ...rest } = spec
  return rest
}
