/** Runs controllers while this replica leads. */
import type { Campaign } from '../domain/ports/leader-lease.ts'
import type { Controller } from './controller.ts'

const METRIC = 'sigcase_controller_leads'

export interface LeadershipLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** New ones start when those before have stopped. */
export class Leadership implements Campaign {
  readonly #build: () => readonly Controller[]
  readonly #log: LeadershipLog
  #running: readonly Controller[] = []
  #leads = false
  #turn: Promise<void> = Promise.resolve()

  /** @param build makes controllers that have not started, in the order of their start */
  constructor(build: () => readonly Controller[], log: LeadershipLog) {
    this.#build = build
    this.#log = log
  }

  onElected(): void {
    this.#leads = true
    this.#log.info({}, 'leads')
    this.#next(async () => {
      this.#running = this.#build()
      for (const controller of this.#running) await controller.start()
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

  /** A gauge in the text format of Prometheus, version 0.0.4. */
  metric(): string {
    const head = `# HELP ${METRIC} Whether this replica leads.\n# TYPE ${METRIC} gauge\n`
    return `${head}${METRIC} ${this.#leads ? 1 : 0}\n`
  }

  async #stop(): Promise<void> {
    const running = this.#running
    this.#running = []
    await Promise.all(running.map((controller) => controller.stop()))
  }

  #next(step: () => Promise<void>): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the controller did not start or stop')
    })
  }
}
