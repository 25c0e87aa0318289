/**
 * Carries a plan out: status first, then the trail, then the jobs (last of gather, decide, apply).
 */
import type { AuditTrail } from '../../domain/audit/trail.ts'
import { retryAtKey } from '../../domain/cases/jobs.ts'
import type { Ephemeral } from '../../domain/ports/ephemeral.ts'
import type { JobQueue } from '../../domain/ports/jobs.ts'
import type { SecretStore } from '../../domain/ports/secret-store.ts'
import type { CaseStore } from '../../domain/ports/stores.ts'
import type { Plan } from './decide.ts'
import type { PlannedJob } from './work.ts'

export interface ApplyDeps {
  cases: CaseStore
  secrets: SecretStore
  trail: AuditTrail
  jobs: JobQueue
  ephemeral: Ephemeral
  now(): Date
}

/** A job that failed waits its time; when the note of it is lost, it is tried at once. */
async function addJob(job: PlannedJob, { jobs, ephemeral, now }: ApplyDeps): Promise<void> {
  const retryAt = await ephemeral.get(retryAtKey(job.kind, job.id))
  const delayMs = Math.max(Number(retryAt ?? 0) - now().getTime(), 0)
  await jobs.add(job.kind, job.id, job.payload, delayMs > 0 ? { delayMs } : {})
}

/**
 * Each part can be done again: when this ends half-way, the next plan holds what is left.
 *
 * @throws ConflictError when the case was written meanwhile: gather and decide again
 */
export async function apply(plan: Plan, deps: ApplyDeps): Promise<void> {
  if (plan.isFirst) await deps.secrets.adopt(plan.key)
  if (plan.replacement) await deps.cases.replaceStatus(plan.replacement)
  await deps.trail.append(plan.key, plan.auditEvents)
  for (const job of plan.jobs) await addJob(job, deps)
}
