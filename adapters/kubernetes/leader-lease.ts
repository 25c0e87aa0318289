/** Leader election by a `coordination.k8s.io` Lease, renewed by compare-and-swap. */
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import type { Campaign, LeaderLease } from '../../domain/ports/leader-lease.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { ApiServer } from './api-server.ts'
import { Resources, type KubernetesObject } from './resources.ts'

const API_VERSION = 'coordination.k8s.io/v1'

interface LeaseSpec {
  holderIdentity?: string
  leaseDurationSeconds?: number
  acquireTime?: string
  renewTime?: string
  leaseTransitions?: number
}

interface Lease extends KubernetesObject {
  apiVersion: typeof API_VERSION
  kind: 'Lease'
  spec: LeaseSpec
}

export interface LeaseTimes {
  /** How long the others wait for a silent leader. */
  durationMs: number
  /** A leader that could not renew for so long gives up; less than `durationMs`. */
  giveUpMs: number
  renewMs: number
  /** How often the others look. */
  retryMs: number
}

/** A killed leader is followed within 17 s. */
export const LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  giveUpMs: 10_000,
  renewMs: 5_000,
  retryMs: 2_000,
}

export interface LeaseOptions {
  namespace: string
  name: string
  /** Names this process and no other, not even the one before it in the same pod. */
  identity: string
  times?: LeaseTimes
}

export interface LeaseDeps {
  /** Its limit for one request should be below `giveUpMs - renewMs`. */
  api: ApiServer
  timers: Timers
  log: { warn(details: object, message: string): void }
}

/** RFC 3339 with microseconds, the one form that a Lease takes. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')

/** One replica's standing for election. */
class LeaseCampaign {
  readonly #deps: LeaseDeps
  readonly #options: LeaseOptions
  readonly #times: LeaseTimes
  readonly #leases: Resources<Lease>
  readonly #campaign: Campaign
  /** The newest version seen and when, by this process's own clock: others' clocks may differ. */
  #seen: { version: string | undefined; atMs: number } = { version: undefined, atMs: 0 }
  #leads = false
  #renewedAtMs = 0
  #ended = false
  #round: Promise<void> = Promise.resolve()
  #takeBackRound = () => {}
  #takeBackGivingUp = () => {}

  constructor(deps: LeaseDeps, options: LeaseOptions, campaign: Campaign) {
    this.#deps = deps
    this.#options = options
    this.#times = options.times ?? LEASE_TIMES
    this.#leases = new Resources(deps.api, `/apis/${API_VERSION}`, 'leases')
    this.#campaign = campaign
  }

  start(): void {
    this.#round = this.#runRound()
  }

  async end(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#takeBackRound()
    this.#takeBackGivingUp()
    await this.#round
    if (this.#leads) await this.#release()
    this.#leads = false
  }

  async #runRound(): Promise<void> {
    const startedMs = performance.now()
    try {
      const holds = await this.#tryToHold()
      if (holds) this.#hold(startedMs)
      else this.#lose()
      this.#campaign.onKnown?.()
    } catch (error) {
      // Whether the lease was written is not known; the limit for giving up goes on counting.
      this.#deps.log.warn({ err: error }, 'the lease could not be read or written')
    }
    if (this.#ended) return
    const delayMs = this.#leads ? this.#times.renewMs : this.#times.retryMs
    this.#takeBackRound = this.#deps.timers.after(delayMs, () => this.start())
  }

  /** @param sinceMs before the request was sent: the others may count from then */
  #hold(sinceMs: number): void {
    this.#renewedAtMs = sinceMs
    this.#watchOver()
    if (this.#leads) return
    this.#leads = true
    if (!this.#ended) this.#campaign.onElected()
  }

  #lose(): void {
    this.#takeBackGivingUp()
    if (!this.#leads) return
    this.#leads = false
    if (!this.#ended) this.#campaign.onLost()
  }

  /** Gives up in time also while a request hangs. */
  #watchOver(): void {
    this.#takeBackGivingUp()
    if (this.#ended) return
    const leftMs = this.#renewedAtMs + this.#times.giveUpMs - performance.now()
    this.#takeBackGivingUp = this.#deps.timers.after(Math.max(leftMs, 0), () => this.#lose())
  }

  /** @returns whether the lease is this replica's now */
  async #tryToHold(): Promise<boolean> {
    const { namespace, name, identity } = this.#options
    const lease = await this.#leases.get(name, namespace)
    try {
      if (!lease) {
        await this.#leases.create({
          apiVersion: API_VERSION,
          kind: 'Lease',
          metadata: { name, namespace },
          spec: this.#heldSpec({}),
        })
        return true
      }
      if (lease.spec.holderIdentity !== identity && this.#isHeld(lease)) return false
      await this.#leases.replace({ ...lease, spec: this.#heldSpec(lease.spec) })
      return true
    } catch (error) {
      if (error instanceof ConflictError || error instanceof AlreadyExistsError) return false
      throw error
    }
  }

  /** Whether another holds it and was heard of within the time that it asked for. */
  #isHeld({ metadata, spec }: Lease): boolean {
    const version = metadata.resourceVersion
    if (version !== this.#seen.version) this.#seen = { version, atMs: performance.now() }
    const durationMs = (spec.leaseDurationSeconds ?? 0) * 1000
    return Boolean(spec.holderIdentity) && performance.now() - this.#seen.atMs < durationMs
  }

  #heldSpec(before: LeaseSpec): LeaseSpec {
    const { identity } = this.#options
    const now = microTime(this.#deps.timers.nowMs())
    const isNew = before.holderIdentity !== identity
    const acquireTime = isNew ? now : before.acquireTime
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#times.durationMs / 1000),
      ...(acquireTime === undefined ? {} : { acquireTime }),
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (isNew ? 1 : 0),
    }
  }

  /** Lets another lead without waiting; when that fails, it waits. */
  async #release(): Promise<void> {
    const { namespace, name, identity } = this.#options
    try {
      const lease = await this.#leases.get(name, namespace)
      if (lease?.spec.holderIdentity !== identity) return
      const { holderIdentity: _, ...spec } = lease.spec
      await this.#leases.replace({ ...lease, spec })
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the lease could not be given back')
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
