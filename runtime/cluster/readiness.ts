/** Readiness of a process, and the reason when it is not ready. */
import { inTime } from '../../adapters/in-time.ts'

/**
 * @returns a short description of the fault, or undefined when there is none
 * @throws Error when the checked service does not answer; the error itself is not shown
 */
export type Check = () => Promise<string | undefined>

export interface ReadinessAnswer {
  ready: boolean
  /** One line per check. */
  text: string
}

/** Shorter than the timeout of a probe. */
const CHECK_LIMIT_MS = 3_000
const SILENT = 'does not answer'

const outcomeOf = (check: Check) => inTime(check(), CHECK_LIMIT_MS).catch(() => SILENT)

/** Builds a check that passes when the service answers now. */
export function answers(ask: () => Promise<unknown>): Check {
  return async () => {
    await ask()
    return undefined
  }
}

/**
 * Builds a check that passes once the service has answered since the process started. A process
 * with a wrong address never becomes ready, but a later outage does not make it unready.
 */
export function hasAnswered(ask: () => Promise<unknown>): Check {
  let isReached = false
  return async () => {
    if (!isReached) await ask()
    isReached = true
    return undefined
  }
}

/** Builds a check that reports the fault of the first check, or else that of the second. */
export const both =
  (first: Check, second: Check): Check =>
  async () =>
    (await first()) ?? second()

/** Runs all checks on each request. A draining process is never ready. */
export class Readiness {
  readonly #checks: Readonly<Record<string, Check>>
  #drains = false

  /** @param checks by the name shown in the answer */
  constructor(checks: Readonly<Record<string, Check>>) {
    this.#checks = checks
  }

  /** Makes the process unready, so that it gets no more work. */
  drain(): void {
    this.#drains = true
  }

  /** Whether the process is shutting down. */
  get isDraining(): boolean {
    return this.#drains
  }

  /** Answers the health server. The checks run concurrently, each with its own timeout. */
  answer = async (): Promise<ReadinessAnswer> => {
    if (this.#drains) return { ready: false, text: 'process: draining\n' }
    const found = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => [name, await outcomeOf(check)]),
    )
    return {
      ready: found.every(([, fault]) => fault === undefined),
      text: found.map(([name, fault = 'ok']) => `${name}: ${fault}\n`).join(''),
    }
  }
}
