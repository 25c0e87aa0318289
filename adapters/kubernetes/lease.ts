/** A Lease of `coordination.k8s.io`: what a candidate does about it, and what a holder writes. */
import type { KubernetesObject } from './resources.ts'

export const LEASE_API_VERSION = 'coordination.k8s.io/v1'

export interface LeaseSpec {
  /** Absent when it was given back. */
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

/** The version of a lease that was read last, and when it was first read. */
export interface Sighting {
  version: string | undefined
  /** By the reader's own clock, which nobody sets. */
  sinceMs: number
}

/** What was seen by now: a version that was seen before keeps its time. */
export function sightingOf(
  { metadata }: Lease,
  before: Sighting | undefined,
  nowMs: number,
): Sighting {
  const version = metadata.resourceVersion
  return before && before.version === version ? before : { version, sinceMs: nowMs }
}

export type Move = 'create' | 'take' | 'renew' | 'wait'

/**
 * What a candidate does about a lease:
 *
 * | the lease | move |
 * |---|---|
 * | is not there | create |
 * | names the candidate | renew |
 * | names nobody | take |
 * | names another, and changed within the time that it grants | wait |
 * | names another, and did not change for so long | take |
 *
 * Its `renewTime` is compared with no clock, since the holder's may be wrong: a lease changes with
 * every renewal, and how long it has not changed is counted by the candidate alone.
 *
 * @param unchangedMs since the {@link Sighting} of the lease
 */
export function nextMove(lease: Lease | undefined, identity: string, unchangedMs: number): Move {
  if (!lease) return 'create'
  const { holderIdentity, leaseDurationSeconds = 0 } = lease.spec
  if (holderIdentity === identity) return 'renew'
  if (!holderIdentity) return 'take'
  return unchangedMs < leaseDurationSeconds * 1000 ? 'wait' : 'take'
}

/** RFC 3339 with microseconds, the one form that a Lease takes. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')

/**
 * What a lease says when it was created, taken or renewed. Its times are for people to read.
 *
 * @param before what it said, which is nothing when it was not there
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

/** What a lease says when its holder gave it back. */
export function releasedSpec(spec: LeaseSpec): LeaseSpec {
  const { holderIdentity: _, ...rest } = spec
  return rest
}
