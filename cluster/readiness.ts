/** Whether a process should get work, and if not, what it waits for. */
import { inTime } from '../adapters/in-time.ts'

/**
 * @returns what is missing, in a few words for people; undefined: nothing
 * @throws Error when what was asked does not answer; the error itself is shown to nobody
 */
export type Check = () => Promise<string | undefined>

export interface ReadinessAnswer {
  ready: boolean
  /** One line for each check. */
  text: string
}

/** Shorter than a probe waits. */
const CHECK_LIMIT_MS = 3_000
const SILENT = 'does not answer'

const outcomeOf = (check: Check) => inTime(check(), CHECK_LIMIT_MS).catch(() => SILENT)

/** A check that what is asked answers now. */
export function answers(ask: () => Promise<unknown>): Check {
  return async () => {
    await ask()
    return undefined
  }
}

/**
 * A check that what is asked has answered since the process started: one that was told a wrong
 * address never gets work, and a later outage is borne, and told to whoever asks the process.
 */
export function hasAnswered(ask: () => Promise<unknown>): Check {
  let isReached = false
  return async () => {
    if (!isReached) await ask()
    isReached = true
    return undefined
  }
}

/** A check that reports the fault of the first check, or else that of the second. */
export const both =
  (first: Check, second: Check): Check =>
  async () =>
    (await first()) ?? second()

/** Asks every check at each question; a process that drains is not ready, whatever they say. */
export class Readiness {
  readonly #checks: Readonly<Record<string, Check>>
  #drains = false

  /** @param checks by the name that people read */
  constructor(checks: Readonly<Record<string, Check>>) {
    this.#checks = checks
  }

  /** From now on the process gets no more work. */
  drain(): void {
    this.#drains = true
  }

  /** Whether the process was told to end. */
  get isDraining(): boolean {
    return this.#drains
  }

  /** As the health server asks; checks run beside each other, each within its time. */
  answer = async (): Promise<ReadinessAnswer> => {
    if (this.#drains) return { ready: false, text: 'process: drains\n' }
    const found = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => [name, await outcomeOf(check)]),
    )
    return {
      ready: found.every(([, fault]) => fault === undefined),
      text: found.map(([name, fault = 'ok']) => `${name}: ${fault}\n`).join(''),
    }
  }
}
