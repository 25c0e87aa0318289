/** Reports in a case that its reconciliation fails, and why: with a condition and an Event. */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import { describeError, type ErrorDescription } from '../../domain/describe-error.ts'
import type { CaseResources } from '../../domain/ports/case-resources.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

/** With the delays of the work queue, this many failures take 51 seconds. */
export const FAILURES_TO_REPORT = 9
const CONDITION = 'Delayed'
const REASON = 'ReconcileFails'
/** Error messages of API servers may quote whole objects. */
const MAXIMUM_CAUSE_LENGTH = 300
const FAILS = 'the controller fails repeatedly and retries every minute'
/** Without the cause, which can quote the case: logs of clusters keep Events. */
const EVENT = {
  type: 'Warning',
  reason: CONDITION,
  message: `${FAILS}; see the condition ${CONDITION}`,
} as const

/** The innermost cause; the message of a `ServiceError` is meant for callers and hides it. */
function findCause({ message, cause }: ErrorDescription): string {
  return cause === undefined ? message : findCause(cause)
}

/**
 * The status with the condition, or undefined when it already has it. A status with generation 0
 * means that no reconcile has succeeded yet.
 *
 * @param error the error that the last run threw
 */
function failingStatus(
  { status }: SignatureCase,
  error: unknown,
  nowMs: number,
): CaseStatus | undefined {
  const conditions = status?.conditions ?? []
  const before = conditions.find(({ type }) => type === CONDITION)
  if (before?.status === 'True' && before.reason === REASON) return undefined
  const cause = findCause(describeError(error)).slice(0, MAXIMUM_CAUSE_LENGTH)
  const condition = {
    type: CONDITION,
    status: 'True' as const,
    reason: REASON,
    message: `${FAILS}: ${cause}`,
    lastTransitionTime: new Date(nowMs).toISOString(),
  }
  return {
    phase: 'NEW',
    observedGeneration: 0,
    ...status,
    conditions: [...conditions.filter(({ type }) => type !== CONDITION), condition],
  }
}

export interface FailingDeps {
  cases: Pick<CaseStore, 'get' | 'replaceStatus'>
  resources?: CaseResources
  now(): Date
}

/**
 * Writes the condition; the next successful reconcile removes it.
 *
 * @throws any error of the stores, such as ConflictError; the next failure reports again
 */
export async function reportFailure(key: CaseKey, error: unknown, deps: FailingDeps) {
  const signatureCase = await deps.cases.get(key)
  const status = signatureCase && failingStatus(signatureCase, error, deps.now().getTime())
  if (!status) return
  const replacement = await deps.cases.replaceStatus({ ...signatureCase, status })
  await deps.resources?.publishEvent(replacement, EVENT)
}
