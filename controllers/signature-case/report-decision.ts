/** Reports a decision that the controller has carried out: a log line and a metric. */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { Plan } from './decide.ts'

const MILLISECONDS_PER_SECOND = 1_000

export interface ReportDeps {
  log: { info(details: object, message: string): void }
  metrics: Metrics
  now(): Date
}

const phaseOf = ({ status }: SignatureCase) => status?.phase ?? 'NEW'

/** Returns when the case entered its phase, in milliseconds since 1970; NaN if that is unknown. */
function enteredMs({ metadata, status }: SignatureCase): number {
  const at = status?.document?.acceptedAt ?? status?.createdAt ?? metadata.creationTimestamp
  return Date.parse(at ?? '')
}

/** Kinds and states of a plan; names, addresses and titles are never part of it. */
function describePlan({ rewrite, auditEvents, jobs, order, isReleased, isOver }: Plan) {
  return {
    events: auditEvents.map(({ type }) => type),
    jobs: jobs.map(({ kind }) => kind),
    ...(rewrite && { rewritesFacts: true }),
    ...(order && { ordersErasure: true }),
    ...((isReleased || isOver) && { removesResource: true }),
  }
}

/**
 * Writes one log line for the decision, and measures the time in the phase that the case left.
 *
 * @param before the case as it was when the plan was made
 */
export function reportDecision(plan: Plan, before: SignatureCase, deps: ReportDeps): void {
  const { log, metrics, now } = deps
  const phase = phaseOf(before)
  const next = plan.replacement ? phaseOf(plan.replacement) : phase
  const { tenant, caseId } = plan.key
  const change = next === phase ? {} : { previousPhase: phase }
  log.info({ tenant, caseId, phase: next, ...change, ...describePlan(plan) }, 'case decided')
  if (next === phase) return
  const seconds = (now().getTime() - enteredMs(before)) / MILLISECONDS_PER_SECOND
  if (!Number.isFinite(seconds)) return
  metrics.observe('sigcase_case_phase_duration_seconds', { phase }, Math.max(seconds, 0))
}
