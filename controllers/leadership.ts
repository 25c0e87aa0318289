/** Runs the controllers of each group of shards while this replica has the group. */
import type { Campaign } from '../domain/ports/leader-lease.ts'
import type { Controller } from './controller.ts'

const MILLISECONDS_PER_SECOND = 1000
/** Duration of a lease: after this time another replica may be the leader. */
const KNOWN_LIMIT_MS = 15_000

export interface LeadershipLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** The controllers of one group. It starts new ones only after the previous ones have stopped. */
class GroupTurns {
  readonly #build: (isHeld: () => boolean) => readonly Controller[]
  readonly #log: LeadershipLog
  #running: readonly Controller[] = []
  #turn: Promise<void> = Promise.resolve()
  leads = false
  works = false

  constructor(build: (isHeld: () => boolean) => readonly Controller[], log: LeadershipLog) {
    this.#build = build
    this.#log = log
  }

  start(isHeld: () => boolean): void {
    this.leads = true
    void this.#next(async () => {
      this.#running = this.#build(isHeld)
      for (const controller of this.#running) await controller.start()
      this.works = true
    })
  }

  /** @returns resolves when no controller runs any more */
  stop(): Promise<void> {
    this.leads = false
    return this.#next(async () => {
      const running = this.#running
      this.works = false
      this.#running = []
      await Promise.all(running.map((controller) => controller.stop()))
    })
  }

  #next(step: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a controller failed to start or stop')
    })
    return this.#turn
  }
}

/** The part of one replica in the election. */
export class Leadership implements Campaign {
  readonly #groups: readonly GroupTurns[]
  readonly #log: LeadershipLog
  readonly #nowMs: () => number
  #knownAtMs: number | undefined
  #ended = false

  /**
   * @param groups number of groups
   * @param build creates the controllers of a group, in the order in which they start; it receives
   *   a function that says whether this replica still has the group
   * @param nowMs a monotonic clock, in milliseconds
   */
  constructor(
    groups: number,
    build: (group: number, isHeld: () => boolean) => readonly Controller[],
    { log, nowMs = () => performance.now() }: { log: LeadershipLog; nowMs?: () => number },
  ) {
    this.#groups = Array.from(
      { length: groups },
      (_, group) => new GroupTurns((isHeld) => build(group, isHeld), log),
    )
    this.#log = log
    this.#nowMs = nowMs
  }

  onKnown(): void {
    this.#knownAtMs = this.#nowMs()
  }

  onElected(group: number, isHeld: () => boolean): void {
    if (this.#ended) return
    this.#log.info({ group }, 'this replica is the leader')
    this.#groups[group]?.start(isHeld)
  }

  async onLost(group: number): Promise<void> {
    this.#log.info({ group }, 'this replica is no longer the leader')
    await this.#groups[group]?.stop()
  }

  /** Stops the running controllers; none starts any more. */
  async end(): Promise<void> {
    this.#ended = true
    await Promise.all(this.#groups.map((group) => group.stop()))
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
    return this.#groups.some(({ leads, works }) => leads && !works)
      ? 'this replica is the leader, but has not started its controllers'
      : undefined
  }

  /** The groups that this replica has. */
  get groups(): number[] {
    return [...this.#groups.keys()].filter((group) => this.#groups[group]?.leads)
  }
}
