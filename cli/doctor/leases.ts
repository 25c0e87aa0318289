/** Checks for `sigcase doctor` that the controllers share all groups of cases (decision 237). */
import { liveHolder, type Lease } from '../../adapters/kubernetes/lease.ts'
import { countOf, viewOf } from '../../adapters/kubernetes/lease-plan.ts'
import { LeaseStore, type LeaseStoreDeps } from '../../adapters/kubernetes/lease-store.ts'
import { ok, warning, type Check, type Finding } from './finding.ts'

/** Difference of two clocks that is not reported; a Lease is renewed every few seconds. */
const CLOCK_TOLERANCE_MS = 60_000

export interface Installation {
  namespace: string
  /** Name of the Lease of the first group. */
  base: string
  /** Number of groups that this process is configured with. */
  groups: number
  /** Milliseconds since 1970. */
  nowMs(): number
}

const NO_HOLDER = 'look at the pods and the log of the controllers; the cases of these groups wait'
const OTHER_NUMBER =
  'give all replicas the same CONTROLLER_SHARD_GROUPS, and wait until the rollout has ended'

/** For how long the Lease was not renewed, by the clocks of its holder and of this machine. */
function silentMs({ spec: { renewTime } }: Lease, nowMs: number): number {
  const renewedMs = Date.parse(renewTime ?? '')
  return Number.isNaN(renewedMs) ? Infinity : Math.max(nowMs - renewedMs - CLOCK_TOLERANCE_MS, 0)
}

/** Judges a listing of the Leases. */
export function judgeLeases(
  leases: readonly Lease[],
  { base, groups, nowMs }: Omit<Installation, 'namespace'>,
): Omit<Finding, 'check'> {
  if (leases.length === 0) return { outcome: 'skipped', detail: 'no controller has started yet' }
  const seen = leases.map((lease) => ({ lease, unchangedMs: silentMs(lease, nowMs()) }))
  const counts = seen.flatMap(({ lease, unchangedMs }) => {
    const holder = liveHolder(lease, unchangedMs)
    return holder === undefined ? [] : [countOf(holder)]
  })
  const others = [...new Set(counts)].filter((count) => count !== groups)
  if (others.length > 0) {
    const detail = `this process has ${groups} groups, others have ${others.join(', ')}`
    return warning(detail, OTHER_NUMBER)
  }
  const { holders } = viewOf(seen, { base, count: groups, self: '' })
  const free = [...holders.keys()].filter((group) => holders[group] === undefined)
  if (free.length > 0) {
    return warning(`groups without a holder, of ${groups}: ${free.join(', ')}`, NO_HOLDER)
  }
  const replicas = new Set(holders).size
  return ok(`groups with a holder: ${groups}; replicas that share them: ${replicas}`)
}

/** Lists the Leases and judges them. */
export function leasesCheck(api: LeaseStoreDeps['api'], installation: Installation): Check {
  const { namespace, base, nowMs } = installation
  return {
    name: 'groups of controllers',
    remedy: 'bind the role of the controller to its service account; the chart does this',
    async ask() {
      const store = new LeaseStore({ api }, { namespace, holder: '', durationMs: 0, nowMs })
      return judgeLeases(await store.list(base), installation)
    },
  }
}
