/** Runs controllers while this replica leads. */
import type { Campaign } from '../domain/ports/leader-lease.ts'
import type { Controller } from './controller.ts'

const MILLISECONDS_PER_SECOND = 1000
/** As long as a lease: another may lead by then. */
const KNOWN_LIMIT_MS = 15_000
const METRIC = 'sigcase_controller_leads'

export interface LeadershipLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** New ones start when those before have stopped. */
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
   * @param build makes controllers that have not started, in the order of their start
   * @param nowMs a clock that nobody sets
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
    this.#log.info({}, 'leads no longer')
    this.#next(() => this.#stop())
  }

  /** Stops what runs; nothing is started any more once the campaign has ended. */
  async end(): Promise<void> {
    this.#leads = false
    this.#next(() => this.#stop())
    await this.#turn
  }

  /** What keeps this replica from doing its part, if anything does: to lead, or to stand by. */
  fault(): string | undefined {
    if (this.#knownAtMs === undefined) return 'who leads is not known yet'
    const silentMs = this.#nowMs() - this.#knownAtMs
    if (silentMs > KNOWN_LIMIT_MS) {
      return `who leads is not known since ${Math.round(silentMs / MILLISECONDS_PER_SECOND)} s`
    }
    return this.#leads && !this.#works ? 'leads, and does not work yet' : undefined
  }

  /** A gauge in the text format of Prometheus, version 0.0.4. */
  metric(): string {
    const head = `# HELP ${METRIC} Whether this replica leads.\n# TYPE ${METRIC} gauge\n`
    return `${head}${METRIC} ${this.#leads ? 1 : 0}\n`
  }

  async #stop(): Promise<void> {
    const running = this.#running
    this.#works = false
    this.#running = []
    await Promise.all(running.map((controller) => controller.stop()))
  }

  #next(step: () => Promise<void>): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the controller did not start or stop')
    })
  }
}
