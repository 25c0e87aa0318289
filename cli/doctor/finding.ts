/** What `sigcase doctor` finds, and how it runs its checks. */
import { describeError, type ErrorDescription } from '../../domain/describe-error.ts'
import { within } from '../../adapters/shared/in-time.ts'

/** The processes of the service, by the environment that they read. */
export const PROCESSES = ['embedded', 'api', 'controller', 'worker'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** `warning`: the service runs, but something will go wrong later or sometimes. */
export type Outcome = 'ok' | 'warning' | 'failed' | 'skipped'

/** The result of one check. */
export interface Finding {
  check: string
  outcome: Outcome
  /** What was seen; it contains no secret. */
  detail: string
  /** What to do; absent when nothing is to be done. */
  remedy?: string
}

/** A check without its name. @throws Error for a fault without a finding of its own */
export type Ask = () => Promise<Omit<Finding, 'check'>>

/** A check; `remedy` says what to do when it throws. */
export interface Check {
  name: string
  ask: Ask
  remedy: string
}

const CHECK_LIMIT_MS = 15_000

/** Builds a finding for something that works. */
export const ok = (detail: string): Omit<Finding, 'check'> => ({ outcome: 'ok', detail })
/** Builds a finding for something that does not work. */
export const failed = (detail: string, remedy: string): Omit<Finding, 'check'> => ({
  outcome: 'failed',
  detail,
  remedy,
})
/** Builds a finding for something that will go wrong. */
export const warning = (detail: string, remedy: string): Omit<Finding, 'check'> => ({
  outcome: 'warning',
  detail,
  remedy,
})

/** Causes that say something new to an operator. */
const MAXIMUM_CAUSES = 3

/** Returns the messages of an error and of its causes, each once, without the query of any URL. */
export function summariseError(error: unknown): string {
  const messages: string[] = []
  let current: ErrorDescription | undefined = describeError(error, MAXIMUM_CAUSES)
  for (; current; current = current.cause) {
    const { type, message, code, cause } = current
    const text = message || String(code ?? type)
    // The ports report every outage as TIMEOUT; the cause says what happened.
    const isGeneral = type === 'ServiceError' && cause !== undefined
    if (!isGeneral && !messages.includes(text)) messages.push(text)
  }
  return messages.join(': ')
}

/** Runs the checks concurrently, each with its own time limit, and keeps their order. */
export async function runChecks(checks: readonly Check[]): Promise<Finding[]> {
  return Promise.all(
    checks.map(async ({ name, ask, remedy }) => {
      try {
        return { check: name, ...(await within(ask(), CHECK_LIMIT_MS)) }
      } catch (error) {
        return { check: name, outcome: 'failed' as const, detail: summariseError(error), remedy }
      }
    }),
  )
}
