/**
 * Shares the groups of shards among replicas by one `coordination.k8s.io` Lease for each group,
 * renewed by compare-and-swap (decision 237). With one group this is a leader election.
 */
import type { Campaign, LeaderLease } from '../../domain/ports/leader-lease.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import { HeldLeases } from './held-leases.ts'
import { sightingOf, type Lease, type Sighting } from './lease.ts'
import { holderOf, leaseName, memberName, planRound, viewOf, type Seen } from './lease-plan.ts'
import { LeaseStore, type LeaseStoreDeps } from './lease-store.ts'

export interface LeaseTimes {
  /** How long the other replicas wait for a silent holder. */
  durationMs: number
  /** A holder that could not renew for this long gives up; less than `durationMs`. */
  giveUpMs: number
  renewMs: number
  /** Interval at which replicas list the Leases. */
  retryMs: number
}

/** After a replica was killed, others take over within 19 s. */
export const LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  giveUpMs: 10_000,
  renewMs: 5_000,
  retryMs: 2_000,
}

export interface LeaseOptions {
  namespace: string
  /** Name of the Lease of the first group; the names of the others begin with it. */
  name: string
  /** Name of this replica. */
  replica: string
  /** Unique for this process, even compared with an earlier process of the same pod. */
  identity: string
  /** Number of groups. */
  groups: number
  times?: LeaseTimes
}

export interface LeaseDeps extends LeaseStoreDeps {
  timers: Timers
  log: { warn(details: object, message: string): void }
  /** A monotonic clock, in milliseconds. */
  monotonicMs?: () => number
}

/**
 * The election campaign of one replica. It runs in rounds; each lists all Leases and does what
 * `planRound` says. A round that fails changes nothing: it is unknown whether a Lease was written,
 * and the time until giving up continues.
 *
 * Two replicas do not have a group at once. Each uses only its own monotonic clock: the holder
 * counts `giveUpMs` from before it sent the winning write, the others count `durationMs`, which is
 * longer, from when they first read that write. A holder that was paused may continue for a moment,
 * until its timer runs. That does no harm, because all its writes use compare-and-swap, including
 * those of the Leases.
 */
class LeaseCampaign {
  readonly #deps: LeaseDeps
  readonly #times: LeaseTimes
  readonly #groups: number
  readonly #names: { base: string; member: string }
  readonly #self: string
  readonly #store: LeaseStore
  readonly #held: HeldLeases
  readonly #campaign: Campaign
  readonly #monotonicMs: () => number
  #ended = false
  #sightings = new Map<string, Sighting>()
  #memberRenewedMs = Number.NEGATIVE_INFINITY
  #round: Promise<void> = Promise.resolve()
  #cancelRound = () => {}

  constructor(deps: LeaseDeps, options: LeaseOptions, campaign: Campaign) {
    const { namespace, name, replica, identity, groups, times = LEASE_TIMES } = options
    this.#deps = deps
    this.#times = times
    this.#groups = groups
    this.#names = { base: name, member: memberName(name, replica) }
    this.#self = holderOf(identity, groups)
    this.#campaign = campaign
    this.#monotonicMs = deps.monotonicMs ?? (() => performance.now())
    const { durationMs } = times
    const nowMs = () => deps.timers.nowMs()
    this.#store = new LeaseStore(deps, { namespace, holder: this.#self, durationMs, nowMs })
    this.#held = new HeldLeases({
      timers: deps.timers,
      monotonicMs: this.#monotonicMs,
      giveUpMs: times.giveUpMs,
      campaign,
      release: (group) => this.#release(leaseName(name, group, groups)),
    })
  }

  start(): void {
    this.#round = this.#runRound()
  }

  /** Ends the campaign; Leases that a running round wins are released, too. */
  async end(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#cancelRound()
    this.#held.end()
    await this.#round
    // The others must not keep groups for this replica.
    if (this.#groups > 1) await this.#release(this.#names.member)
    const { base } = this.#names
    const names = [...this.#held.held].map((group) => leaseName(base, group, this.#groups))
    await Promise.all(names.map((name) => this.#release(name)))
  }

  async #runRound(): Promise<void> {
    let hasTaken = false
    try {
      hasTaken = await this.#tryRound()
      this.#campaign.onKnown?.()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the leases could not be read or written')
    }
    if (this.#ended) return
    if (hasTaken) return this.#runRound()
    this.#cancelRound = this.#deps.timers.after(this.#delayMs, () => this.start())
  }

  /** The only Lease of a leader tells it nothing new between two renewals. */
  get #delayMs(): number {
    const isLeader = this.#groups === 1 && this.#held.held.size > 0
    return isLeader ? this.#times.renewMs : this.#times.retryMs
  }

  /** @returns whether it took a Lease; a new listing has to allow that its group runs */
  async #tryRound(): Promise<boolean> {
    const startedMs = this.#monotonicMs()
    const seen = this.#see(await this.#store.list(this.#names.base))
    const view = viewOf(seen, { base: this.#names.base, count: this.#groups, self: this.#self })
    for (const group of this.#held.held) {
      if (view.holders[group] !== this.#self) this.#held.lose(group)
    }
    const plan = planRound(this.#self, view, this.#held)
    for (const group of plan.yield) this.#held.yield(group)
    for (const group of plan.run) this.#held.run(group)
    const leases = new Map(seen.map(({ lease }) => [lease.metadata.name, lease]))
    const removes = plan.run.includes(0) ? view.stale : []
    const written = await Promise.allSettled([
      this.#renewMember(leases, startedMs),
      ...[...this.#held.held].map((group) => this.#renew(group, leases, startedMs)),
      ...plan.take.map((group) => this.#write(group, leases, startedMs)),
      ...removes.map((lease) => this.#store.remove(lease)),
    ])
    const failed = written.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return plan.take.some((group) => this.#held.held.has(group))
  }

  #see(leases: readonly Lease[]): Seen[] {
    const nowMs = this.#monotonicMs()
    const before = this.#sightings
    this.#sightings = new Map()
    return leases.map((lease) => {
      const { name } = lease.metadata
      const sighting = sightingOf(lease, before.get(name), nowMs)
      this.#sightings.set(name, sighting)
      return { lease, unchangedMs: nowMs - sighting.sinceMs }
    })
  }

  /** Whether the Lease has to be renewed in this round, because the next one would be too late. */
  #isDue(renewedMs: number, nowMs: number): boolean {
    return nowMs + this.#delayMs > renewedMs + this.#times.renewMs
  }

  async #renewMember(leases: ReadonlyMap<string, Lease>, startedMs: number): Promise<void> {
    if (this.#groups === 1 || !this.#isDue(this.#memberRenewedMs, startedMs)) return
    const { member } = this.#names
    if (await this.#store.hold(member, leases.get(member))) this.#memberRenewedMs = startedMs
  }

  async #renew(
    group: number,
    leases: ReadonlyMap<string, Lease>,
    startedMs: number,
  ): Promise<void> {
    if (!this.#held.isInUse(group)) return
    if (!this.#isDue(this.#held.renewedMs(group), startedMs)) return
    await this.#write(group, leases, startedMs)
  }

  /** @param sinceMs from before the listing, because the other replicas may count from then */
  async #write(group: number, leases: ReadonlyMap<string, Lease>, sinceMs: number): Promise<void> {
    const name = leaseName(this.#names.base, group, this.#groups)
    if (await this.#store.hold(name, leases.get(name))) this.#held.hold(group, sinceMs)
    else this.#held.lose(group)
  }

  /**
   * Releases a Lease, so that another replica can take it at once; if that fails, it has to wait.
   */
  async #release(name: string): Promise<void> {
    await this.#store.release(name).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the lease could not be released')
    })
  }
}

export class KubernetesLeaderLease implements LeaderLease {
  readonly #deps: LeaseDeps
  readonly #options: LeaseOptions

  /** @param deps the limit for one request should be below `giveUpMs - renewMs` */
  constructor(deps: LeaseDeps, options: LeaseOptions) {
    this.#deps = deps
    this.#options = options
  }

  campaign(campaign: Campaign): () => Promise<void> {
    const standing = new LeaseCampaign(this.#deps, this.#options, campaign)
    standing.start()
    return () => standing.end()
  }
}
