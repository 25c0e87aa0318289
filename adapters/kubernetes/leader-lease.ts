/** Leader election by a `coordination.k8s.io` Lease, renewed by compare-and-swap. */
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import type { Campaign, LeaderLease } from '../../domain/ports/leader-lease.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { ApiServer } from './api-server.ts'
import {
  heldSpec,
  LEASE_API_VERSION,
  nextMove,
  releasedSpec,
  sightingOf,
  type Lease,
  type LeaseSpec,
  type Sighting,
} from './lease.ts'
import { Resources } from './resources.ts'

export interface LeaseTimes {
  /** How long the other replicas wait for a silent leader. */
  durationMs: number
  /** A leader that could not renew for this long gives up; less than `durationMs`. */
  giveUpMs: number
  renewMs: number
  /** Interval at which the other replicas check the lease. */
  retryMs: number
}

/** After a leader was killed, another one takes over within 17 s. */
export const LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  giveUpMs: 10_000,
  renewMs: 5_000,
  retryMs: 2_000,
}

export interface LeaseOptions {
  namespace: string
  name: string
  /** Unique for this process, even compared with an earlier process of the same pod. */
  identity: string
  times?: LeaseTimes
}

export interface LeaseDeps {
  /** Its limit for one request should be below `giveUpMs - renewMs`. */
  api: ApiServer
  timers: Timers
  log: { warn(details: object, message: string): void }
}

/**
 * The election campaign of one replica. It has two states and runs in rounds; each round reads the
 * lease and does what `nextMove` says:
 *
 * | state | a round comes | it leads afterwards when | it observes afterwards when |
 * |---|---|---|---|
 * | observes | every `retryMs` | it created or took the lease | it has to wait, or lost a race |
 * | leads | every `renewMs` | it renewed the lease | another holds it, or it lost a race |
 *
 * A leader also observes again when `giveUpMs` have passed since its last renewal. A round that
 * fails changes nothing: it is unknown whether the lease was written, and the time until giving up
 * continues.
 *
 * Two replicas do not lead at once. Each uses only its own monotonic clock: the leader counts
 * `giveUpMs` from before it sent the winning write, the others count `durationMs`, which is longer,
 * from when they first read that write. A leader that was paused may continue for a moment, until
 * its timer runs. That does no harm, because all its writes use compare-and-swap, including those
 * of the lease.
 */
class LeaseCampaign {
  readonly #deps: LeaseDeps
  readonly #options: LeaseOptions
  readonly #times: LeaseTimes
  readonly #leases: Resources<Lease>
  readonly #campaign: Campaign
  #leads = false
  #ended = false
  #seen: Sighting | undefined
  #round: Promise<void> = Promise.resolve()
  #cancelRound = () => {}
  #cancelGivingUp = () => {}

  constructor(deps: LeaseDeps, options: LeaseOptions, campaign: Campaign) {
    this.#deps = deps
    this.#options = options
    this.#times = options.times ?? LEASE_TIMES
    this.#leases = new Resources(deps.api, `/apis/${LEASE_API_VERSION}`, 'leases')
    this.#campaign = campaign
  }

  start(): void {
    this.#round = this.#runRound()
  }

  /** Ends the campaign; a lease that a running round wins is released, too. */
  async end(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#cancelRound()
    this.#cancelGivingUp()
    await this.#round
    if (this.#leads) await this.#release()
    this.#leads = false
  }

  async #runRound(): Promise<void> {
    const startedMs = performance.now()
    try {
      if (await this.#tryToHold()) this.#lead(startedMs)
      else this.#stepDown()
      this.#campaign.onKnown?.()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the lease could not be read or written')
    }
    if (this.#ended) return
    const delayMs = this.#leads ? this.#times.renewMs : this.#times.retryMs
    this.#cancelRound = this.#deps.timers.after(delayMs, () => this.start())
  }

  /**
   * @param sinceMs from before the request was sent, because the other replicas may count from then
   */
  #lead(sinceMs: number): void {
    const didLead = this.#leads
    this.#leads = true
    this.#cancelGivingUp()
    if (this.#ended) return
    // A timer, because the request of a later round may hang.
    const leftMs = sinceMs + this.#times.giveUpMs - performance.now()
    this.#cancelGivingUp = this.#deps.timers.after(Math.max(leftMs, 0), () => this.#stepDown())
    if (!didLead) this.#campaign.onElected()
  }

  #stepDown(): void {
    const didLead = this.#leads
    this.#leads = false
    this.#cancelGivingUp()
    if (didLead && !this.#ended) this.#campaign.onLost()
  }

  /** @returns whether this replica holds the lease now */
  async #tryToHold(): Promise<boolean> {
    const { namespace, name, identity } = this.#options
    const lease = await this.#leases.get(name, namespace)
    const nowMs = performance.now()
    this.#seen = lease && sightingOf(lease, this.#seen, nowMs)
    const unchangedMs = nowMs - (this.#seen?.sinceMs ?? nowMs)
    const move = nextMove(lease, identity, unchangedMs)
    return move !== 'wait' && this.#wins(lease)
  }

  /**
   * Writes this replica into the lease.
   *
   * @returns false when another replica was first
   */
  async #wins(lease: Lease | undefined): Promise<boolean> {
    const { namespace, name } = this.#options
    const spec = this.#heldSpec(lease?.spec ?? {})
    try {
      if (lease) await this.#leases.replace({ ...lease, spec })
      else {
        const metadata = { name, namespace }
        await this.#leases.create({ apiVersion: LEASE_API_VERSION, kind: 'Lease', metadata, spec })
      }
      return true
    } catch (error) {
      if (error instanceof ConflictError || error instanceof AlreadyExistsError) return false
      throw error
    }
  }

  #heldSpec(before: LeaseSpec): LeaseSpec {
    const { identity } = this.#options
    const { durationMs } = this.#times
    return heldSpec(before, { identity, durationMs, nowMs: this.#deps.timers.nowMs() })
  }

  /**
   * Releases the lease, so that another replica can lead at once; if that fails, it has to wait.
   */
  async #release(): Promise<void> {
    const { namespace, name, identity } = this.#options
    try {
      const lease = await this.#leases.get(name, namespace)
      if (lease?.spec.holderIdentity !== identity) return
      await this.#leases.replace({ ...lease, spec: releasedSpec(lease.spec) })
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the lease could not be released')
    }
  }
}

export class KubernetesLeaderLease implements LeaderLease {
  readonly #deps: LeaseDeps
  readonly #options: LeaseOptions

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
