/** The Leases that one replica holds: until when it may count on them, and whether it uses them. */
import type { Campaign } from '../../domain/ports/leader-lease.ts'
import type { Timers } from '../../domain/ports/timers.ts'

interface Holding {
  /** When the last successful renewal began. */
  renewedMs: number
  isRunning: boolean
  cancelGivingUp: () => void
}

export interface HeldLeasesOptions {
  timers: Timers
  monotonicMs: () => number
  /** After this time without a renewal, the replica gives up a Lease. */
  giveUpMs: number
  campaign: Campaign
  /** Releases the Lease of a group; it does not fail. */
  release(group: number): Promise<void>
}

/** The groups whose Lease this replica holds. */
export class HeldLeases {
  readonly #options: HeldLeasesOptions
  readonly #holdings = new Map<number, Holding>()
  readonly #yielding = new Set<number>()
  #ended = false

  constructor(options: HeldLeasesOptions) {
    this.#options = options
  }

  /** Groups whose Lease this replica holds. */
  get held(): ReadonlySet<number> {
    return new Set(this.#holdings.keys())
  }

  /** Those of them that it stops and then releases. */
  get yielding(): ReadonlySet<number> {
    return this.#yielding
  }

  /** When the last successful renewal of a Lease began, by the monotonic clock. */
  renewedMs(group: number): number {
    return this.#holdings.get(group)?.renewedMs ?? Number.NEGATIVE_INFINITY
  }

  /** The Lease was taken or renewed. @param sinceMs from before the write */
  hold(group: number, sinceMs: number): void {
    const before = this.#holdings.get(group)
    before?.cancelGivingUp()
    const { timers, monotonicMs, giveUpMs } = this.#options
    // A timer, because the request of a later round may hang.
    const leftMs = Math.max(sinceMs + giveUpMs - monotonicMs(), 0)
    const cancelGivingUp = this.#ended ? () => {} : timers.after(leftMs, () => this.lose(group))
    const holding = before ?? { renewedMs: sinceMs, isRunning: false, cancelGivingUp }
    this.#holdings.set(group, Object.assign(holding, { renewedMs: sinceMs, cancelGivingUp }))
  }

  /** Starts the work for the group, unless it runs. */
  run(group: number): void {
    const holding = this.#holdings.get(group)
    if (!holding || holding.isRunning || this.#ended) return
    holding.isRunning = true
    const { monotonicMs, giveUpMs, campaign } = this.#options
    const isHeld = () =>
      this.#holdings.get(group) === holding && monotonicMs() < holding.renewedMs + giveUpMs
    campaign.onElected(group, isHeld)
  }

  /** The Lease may belong to another replica now. */
  lose(group: number): void {
    const holding = this.#holdings.get(group)
    if (!holding) return
    holding.cancelGivingUp()
    this.#holdings.delete(group)
    const wasYielding = this.#yielding.delete(group)
    if (holding.isRunning && !wasYielding && !this.#ended) {
      void this.#options.campaign.onLost(group)
    }
  }

  /** Whether the Lease is to be renewed, because the group runs or still stops. */
  isInUse(group: number): boolean {
    return !this.#yielding.has(group) || this.#holdings.get(group)?.isRunning === true
  }

  /** Stops the work for the group; the Lease is renewed until it has stopped, and then released. */
  yield(group: number): void {
    const holding = this.#holdings.get(group)
    if (!holding || this.#yielding.has(group) || this.#ended) return
    this.#yielding.add(group)
    void this.#stopAndRelease(group, holding)
  }

  async #stopAndRelease(group: number, holding: Holding): Promise<void> {
    const { campaign, release } = this.#options
    if (holding.isRunning) await campaign.onLost(group)
    holding.isRunning = false
    // It may have been lost in the meantime, or the campaign has ended.
    if (!this.#yielding.has(group) || this.#ended) return
    await release(group)
    this.lose(group)
  }

  /** No work starts, and nothing is given up any more. */
  end(): void {
    this.#ended = true
    for (const { cancelGivingUp } of this.#holdings.values()) cancelGivingUp()
  }
}
