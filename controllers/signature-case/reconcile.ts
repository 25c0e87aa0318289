/** Reconciles one case: gather, decide, apply. */
import { isRestoring } from '../../domain/cases/archive.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { ConflictError, type CaseKey } from '../../domain/ports/stores.ts'
import { NO_TRACER, TRACE_ANNOTATION, type Tracer } from '../../domain/ports/tracing.ts'
import { apply, type ApplyDeps } from './apply.ts'
import { decide, type Plan } from './decide.ts'
import { gather, type GatherDeps } from './gather.ts'
import { reportDecision, type ReportDeps } from './report-decision.ts'

export type ReconcileDeps = GatherDeps &
  ApplyDeps &
  ReportDeps & {
    /** Absent: nothing is traced. */
    tracer?: Tracer
    /** Called for a case without a resource. @returns whether it has one now */
    onAbsent?: (key: CaseKey) => Promise<boolean>
    /** Completes the restoring of an archived case whose resource has no status yet. */
    completeRestoring?: (key: CaseKey) => Promise<unknown>
  }

/** After this many lost races, a later run reconciles the case. */
const MAXIMUM_LOST_RACES = 10

/** Whether the plan changes anything; most runs find that nothing is due. */
function changesAnything(plan: Plan): boolean {
  const { rewrite, credentials, replacement, order, upload } = plan
  const writes = [rewrite, credentials, replacement, order, upload]
  const flags = [plan.adoptsSecrets, plan.isReleased, plan.isOver]
  const lists = [plan.auditEvents, plan.jobs]
  return (
    writes.some((one) => one !== undefined) ||
    flags.some(Boolean) ||
    lists.some(({ length }) => length > 0)
  )
}

/** Carries out the plan and reports it. The error of a plan that failed is logged elsewhere. */
async function applyAndReport(
  plan: Plan,
  before: SignatureCase,
  deps: ReconcileDeps,
): Promise<void> {
  await apply(plan, deps)
  reportDecision(plan, before, deps)
}

/**
 * Carries out the plan in a span of the trace in which the case was created. A run without changes
 * has no span and no line in the log, because an open case is reconciled for weeks.
 *
 * @param startedMs when the run began, by `performance.now()`
 */
async function applyInSpan(
  plan: Plan,
  before: SignatureCase,
  startedMs: number,
  deps: ReconcileDeps,
): Promise<void> {
  const { tracer = NO_TRACER } = deps
  if (!changesAnything(plan)) return apply(plan, deps)
  const { tenant, caseId } = plan.key
  const options = {
    attributes: { 'sigcase.tenant': tenant, 'sigcase.case_id': caseId },
    parent: before.metadata.annotations?.[TRACE_ANNOTATION],
    startedAgoMs: performance.now() - startedMs,
  }
  await tracer.span('reconcile', options, () => applyAndReport(plan, before, deps))
}

/**
 * @returns when to reconcile again without a notification, in milliseconds since 1970
 * @throws ConflictError when other writers won too many times in a row
 */
export async function reconcile(key: CaseKey, deps: ReconcileDeps): Promise<number | undefined> {
  for (let lost = 0; ; lost++) {
    const startedMs = performance.now()
    const observation = await gather(key, deps)
    if (!observation) {
      if (lost < MAXIMUM_LOST_RACES && (await deps.onAbsent?.(key))) continue
      return undefined
    }
    try {
      if (isRestoring(observation.signatureCase) && deps.completeRestoring) {
        await deps.completeRestoring(key)
        throw new ConflictError('the case was restored')
      }
      const plan = decide(observation)
      await applyInSpan(plan, observation.signatureCase, startedMs, deps)
      return plan.wakeAtMs
    } catch (error) {
      if (!(error instanceof ConflictError) || lost >= MAXIMUM_LOST_RACES) throw error
    }
  }
}
