/**
 * What a replica does about the Leases of the groups of shards in one round (decision 237). Pure:
 * it reads a listing of all Leases, and no clock.
 */
import { liveHolder, type Lease } from './lease.ts'

/** Name of the Lease of the first group of controllers; those of the others begin with it. */
export const CONTROLLER_LEASE = 'sigcase-controller'
/** Name of the Lease that says which stored rests count; nobody holds it (decision 325). */
export const RESTS_LEASE = 'sigcase-controller-rests'

/** A Lease as it was listed, and for how long the reader has not seen it change. */
export interface Seen {
  lease: Lease
  unchangedMs: number
}

/** Name of the Lease of a group; that of the first does not depend on the number of groups. */
export const leaseName = (base: string, index: number, count: number) =>
  index === 0 ? base : `${base}-${index}-of-${count}`

/** Name of the Lease by which a replica says that it takes part. */
export const memberName = (base: string, replica: string) => `${base}-replica-${replica}`

/** The holder of a Lease: with the number of groups, unless all cases are one group. */
export const holderOf = (identity: string, count: number) =>
  count === 1 ? identity : `${identity}_of_${count}`

/** Into how many groups the holder of a Lease divides the shards. */
export const countOf = (holder: string): number => Number(/_of_(\d+)$/.exec(holder)?.[1] ?? 1)

/** The Leases of the controllers, as a replica with a number of groups sees them. */
export interface View {
  /** For each group its holder, undefined while it is free. */
  holders: readonly (string | undefined)[]
  /** Holders of the Leases of all replicas with the same number of groups. */
  members: readonly string[]
  /** Number of groups of the replica that has the first one; undefined while that is free. */
  firstCount: number | undefined
  /** Whether a replica with another number of groups has one besides the first. */
  isForeignHeld: boolean
  /** Leases that no replica needs any more. */
  stale: readonly Lease[]
}

/** Far longer than a Lease lasts, so no replica deletes a Lease that was just released. */
const STALE_MS = 60_000
const GROUP = /^-[0-9]+-of-([0-9]+)$/
const MEMBER = /^-replica-/

/**
 * Returns the Leases of the controllers as a replica sees them.
 *
 * @param self the replica as the holder of a Lease, which always takes part
 */
export function viewOf(
  seen: readonly Seen[],
  { base, count, self }: { base: string; count: number; self: string },
): View {
  const holders: (string | undefined)[] = Array.from({ length: count }, () => undefined)
  const indexes = new Map(holders.map((_, index) => [leaseName(base, index, count), index]))
  const members = new Set([self])
  const silent = new Set<string>()
  const stale: Lease[] = []
  let isForeignHeld = false
  for (const one of seen) {
    const { name } = one.lease.metadata
    const holder = liveHolder(one.lease, one.unchangedMs)
    const index = indexes.get(name)
    if (index !== undefined) {
      holders[index] = holder
      if (!holder && one.lease.spec.holderIdentity) silent.add(one.lease.spec.holderIdentity)
      continue
    }
    const rest = name.startsWith(base) ? name.slice(base.length) : ''
    const isMember = MEMBER.test(rest)
    if (!isMember && !GROUP.test(rest)) continue
    if (!holder && one.unchangedMs >= STALE_MS) stale.push(one.lease)
    if (holder && isMember && countOf(holder) === count) members.add(holder)
    if (holder && !isMember) isForeignHeld = true
  }
  const [first] = holders
  return {
    holders,
    // A replica that did not renew one Lease will not renew the others.
    members: [...members].filter((member) => member === self || !silent.has(member)).sort(),
    firstCount: first === undefined ? undefined : countOf(first),
    isForeignHeld,
    stale,
  }
}

export interface Plan {
  /** Groups whose Lease the replica takes now. */
  take: number[]
  /** Groups of the replica that may run, because no other replica works on their cases. */
  run: number[]
  /** Groups of the replica that it stops, and whose Lease it releases then. */
  yield: number[]
}

/** Number of groups of each member. */
function tally({ holders, members }: View, ignored: ReadonlySet<number>): Map<string, number> {
  const counts = new Map(members.map((member) => [member, 0]))
  for (const [index, holder] of holders.entries()) {
    if (holder === undefined || ignored.has(index)) continue
    counts.set(holder, (counts.get(holder) ?? 0) + 1)
  }
  return counts
}

/** The member with the fewest groups; among several, the first by name. */
const poorest = (counts: ReadonlyMap<string, number>, members: readonly string[]) =>
  members.reduce((a, b) => ((counts.get(b) ?? 0) < (counts.get(a) ?? 0) ? b : a))

const richest = (counts: ReadonlyMap<string, number>) =>
  [...counts].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a))[0]

/** Deals the free groups to the members; every replica computes the same. */
function groupsFor(self: string, free: readonly number[], view: View): number[] {
  const counts = tally(view, new Set())
  return free.filter((_index) => {
    const member = poorest(counts, view.members)
    counts.set(member, (counts.get(member) ?? 0) + 1)
    return member === self
  })
}

/**
 * How many groups the replica has too many of: members with fewer than their share get them from
 * those with the most.
 *
 * @param yielding groups that it releases already
 */
function surplusOf(self: string, view: View, yielding: ReadonlySet<number>): number {
  const counts = tally(view, yielding)
  const { length: total } = view.holders
  const share = total / view.members.length
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + Math.max(0, b), 0)
  const all = [...counts.values()]
  const missing = sum(view.members.map((one) => Math.floor(share) - (counts.get(one) ?? 0)))
  const excess = sum(all.map((one) => one - Math.ceil(share)))
  const free = total - all.reduce((a, b) => a + b, 0)
  let own = 0
  for (let left = Math.max(missing, excess) - free; left > 0; left--) {
    const giver = richest(counts)
    counts.set(giver, (counts.get(giver) ?? 0) - 1)
    if (giver === self) own += 1
  }
  return own
}

/**
 * Plans the round of a replica.
 *
 * - A free group goes to the replica with the fewest. The first one is free for replicas with any
 *   number of groups; the others only while a replica with the same number has the first one.
 * - A group runs only if a listing made after its Lease was taken allows it: the first one while no
 *   replica with another number of groups has a Lease, the others while the first one is held by a
 *   replica with the same number. So replicas with different numbers never work at the same time.
 * - A replica with more than its share releases the groups with the highest numbers.
 *
 * @param held groups whose Lease the replica took before the listing
 * @param yielding those of them that it is about to release
 */
export function planRound(
  self: string,
  view: View,
  { held, yielding }: { held: ReadonlySet<number>; yielding: ReadonlySet<number> },
): Plan {
  const { holders, firstCount, isForeignHeld } = view
  const count = holders.length
  const isOurs = firstCount === count
  const own = [...holders.keys()].filter((index) => holders[index] === self && held.has(index))
  const kept = own.filter((index) => !yielding.has(index))
  const mustStop = !isOurs && firstCount !== undefined
  const free = [...holders.keys()].filter(
    (index) => holders[index] === undefined && (index === 0 || isOurs),
  )
  // A write whose answer was lost may have succeeded.
  const unknown = [...holders.keys()].filter((index) => holders[index] === self && !held.has(index))
  const surplus = isOurs ? surplusOf(self, view, yielding) : 0
  const surplusGroups = surplus > 0 ? kept.slice(-surplus) : []
  const yields = mustStop ? kept.filter((index) => index > 0) : surplusGroups
  return {
    take: [...unknown, ...groupsFor(self, free, view)],
    run: kept.filter((index) => !yields.includes(index) && (index === 0 ? !isForeignHeld : isOurs)),
    yield: yields,
  }
}
