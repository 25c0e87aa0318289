/** Runs a controller while this replica leads. */
import type { Campaign } from '../domain/ports/leader-lease.ts'
import type { Controller } from './controller.ts'

const METRIC = 'sigcase_controller_leads'

export interface LeadershipLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** One controller at a time: the next starts when the one before has stopped. */
export class Leadership implements Campaign {
  readonly #build: () => Controller
  readonly #log: LeadershipLog
  #running: Controller | undefined
  #leads = false
  #turn: Promise<void> = Promise.resolve()

  /** @param build makes a controller that has not started */
  constructor(build: () => Controller, log: LeadershipLog) {
    this.#build = build
    this.#log = log
  }

  onElected(): void {
    this.#leads = true
    this.#log.info({}, 'leads')
    this.#next(async () => {
      const controller = this.#build()
      this.#running = controller
      await controller.start()
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
    await this.#running?.stop()
    this.#running = undefined
  }

  #next(step: () => Promise<void>): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the controller did not start or stop')
    })
  }
}
