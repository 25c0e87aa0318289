/** Runs the controllers while this replica is the leader. */
import type { Campaign } from '../domain/ports/leader-lease.ts'
import type { Controller } from './controller.ts'

const MILLISECONDS_PER_SECOND = 1000
/** Duration of a lease: after this time another replica may be the leader. */
const KNOWN_LIMIT_MS = 15_000

export interface LeadershipLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** Starts new controllers only after the previous ones have stopped. */
export class Leadership implements Campaign {
  readonly #build: () => readonly Controller[]
  readonly #log: LeadershipLog
  readonly #nowMs: () => number
  #running: readonly Controller[] = []
  #leads = false
  #works = false
  #knownAtMs: number | undefined
  #turn: Promise<void> = Promise.resolve()

  /**
   * @param build creates the controllers, in the order in which they start
   * @param nowMs a monotonic clock, in milliseconds
   */
  constructor(
    build: () => readonly Controller[],
    log: LeadershipLog,
    nowMs = () => performance.now(),
  ) {
    this.#build = build
    this.#log = log
    this.#nowMs = nowMs
  }

  onKnown(): void {
    this.#knownAtMs = this.#nowMs()
  }

  onElected(): void {
    this.#leads = true
    this.#log.info({}, 'leads')
    this.#next(async () => {
      this.#running = this.#build()
      for (const controller of this.#running) await controller.start()
      this.#works = true
    })
  }

  onLost(): void {
    this.#leads = false
    this.#log.info({}, 'this replica is no longer the leader')
    this.#next(() => this.#stop())
  }

  /** Stops the running controllers; none starts after the campaign has ended. */
  async end(): Promise<void> {
    this.#leads = false
    this.#next(() => this.#stop())
    await this.#turn
  }

  /**
   * Returns why this replica cannot do its part (lead, or wait as a standby), or undefined when it
   * can.
   */
  fault(): string | undefined {
    if (this.#knownAtMs === undefined) return 'the leader is not known yet'
    const silentMs = this.#nowMs() - this.#knownAtMs
    if (silentMs > KNOWN_LIMIT_MS) {
      return `the leader has not been known for ${Math.round(silentMs / MILLISECONDS_PER_SECOND)} s`
    }
    return this.#leads && !this.#works
      ? 'this replica is the leader, but has not started its controllers'
      : undefined
  }

  /** Whether this replica is the leader. */
  get leads(): boolean {
    return this.#leads
  }

  async #stop(): Promise<void> {
    const running = this.#running
    this.#works = false
    this.#running = []
    await Promise.all(running.map((controller) => controller.stop()))
  }

  #next(step: () => Promise<void>): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a controller failed to start or stop')
    })
  }
}
