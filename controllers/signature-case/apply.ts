/**
 * Carries out a plan: first the status, then the trail, then the jobs. Last step of gather, decide,
 * apply.
 */
import type { AuditTrail } from '../../application/audit/trail.ts'
import { windowAt } from '../../application/limits/bounds.ts'
import { mailsWaitKey, remainingDelayMs, retryAtKey } from '../../domain/cases/jobs.ts'
import { mayHaveRecord } from '../../domain/cases/archive.ts'
import { endedAtOf } from '../../domain/cases/erasure.ts'
import { archiveKey, removedKey, tombstoneKey, uploadKey } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE, PDF_TYPE } from '../../domain/media-types.ts'
import type { CaseResources } from '../../domain/ports/case-resources.ts'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import type { JobQueue } from '../../domain/ports/jobs.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseSecrets, SecretStore } from '../../domain/ports/secret-store.ts'
import { AlreadyExistsError, type CaseKey, type CaseStore } from '../../domain/ports/stores.ts'
import { putWorkerResult, type ResultDeps } from '../../application/store/stored-results.ts'
import type { Plan } from './decide.ts'
import { released, type UploadPlan } from './resource.ts'
import type { PlannedJob } from './pending-jobs.ts'

export interface ApplyDeps {
  cases: CaseStore
  secrets: SecretStore
  trail: AuditTrail
  jobs: JobQueue
  ephemeral: ExpiringValues
  objects: Pick<ObjectStore, 'presignPut' | 'delete'> & ResultDeps['objects']
  keyring: ResultDeps['keyring']
  alarm: ResultDeps['alarm']
  resources?: CaseResources
  log: { warn(details: object, message: string): void }
  now(): Date
}

/** Delay until the next day when the tenant has used up its mails for today, otherwise 0. */
async function mailDelayMs({ kind, payload }: PlannedJob, { ephemeral, now }: ApplyDeps) {
  if (kind !== 'notify' || !('tenant' in payload)) return 0
  const nowMs = now().getTime()
  const { index, endMs } = windowAt('tenantMailsPerDay', nowMs)
  const isWaiting = (await ephemeral.get(mailsWaitKey(payload.tenant, index))) !== undefined
  return isWaiting ? endMs - nowMs : 0
}

/**
 * Time until a job may run: the retry delay of its last failure, or the wait of its tenant's mails.
 * If the note of the failure is lost, the job runs at once.
 */
async function readDelay(job: PlannedJob, deps: ApplyDeps): Promise<number> {
  const { ephemeral, now } = deps
  // At the same time, so that the store can merge them.
  const [retryAt, mailMs] = await Promise.all([
    ephemeral.get(retryAtKey(job.kind, job.id)),
    mailDelayMs(job, deps),
  ])
  return Math.max(remainingDelayMs(retryAt, now().getTime()), mailMs)
}

async function addJobs(planned: readonly PlannedJob[], deps: ApplyDeps): Promise<void> {
  const delays = await Promise.all(planned.map((job) => readDelay(job, deps)))
  for (const [index, { kind, id, payload }] of planned.entries()) {
    const delayMs = delays[index] ?? 0
    await deps.jobs.add(kind, id, payload, delayMs > 0 ? { delayMs } : {})
  }
}

/** Copies the credentials, unless an earlier run has already written them. */
async function copyCredentials(key: CaseKey, credentials: CaseSecrets, { secrets }: ApplyDeps) {
  await secrets.create(key, credentials).catch((error: unknown) => {
    if (!(error instanceof AlreadyExistsError)) throw error
  })
}

async function carryOut(plan: UploadPlan, key: CaseKey, { objects, resources }: ApplyDeps) {
  if (plan.do === 'remove') return resources?.removeUpload(key)
  const { expiresAt } = plan
  const url = await objects.presignPut(uploadKey(key), { contentType: PDF_TYPE, expiresAt })
  await resources?.publishUpload(key, { url, expiresAt })
}

/** Writes Events for people to read; nothing depends on them. */
async function publishEvents(
  { replacement, kubernetesEvents }: Plan,
  { resources, log }: ApplyDeps,
) {
  if (!resources || !replacement) return
  for (const one of kubernetesEvents) {
    await resources.publishEvent(replacement, one).catch((error: unknown) => {
      log.warn({ err: error }, 'a Kubernetes Event could not be written')
    })
  }
}

async function removeSecrets(key: CaseKey, { secrets, resources }: ApplyDeps): Promise<void> {
  await secrets.delete(key)
  await resources?.removeUpload(key)
}

/**
 * Lets the API server remove the case, after its secrets are deleted. A record of the objects that
 * are kept lets the controller find them when the retention time of the tenant is over.
 */
async function release({ key, isNamespaceEnding }: Plan, deps: ApplyDeps): Promise<void> {
  const { cases, objects } = deps
  if (!isNamespaceEnding) await removeSecrets(key, deps)
  const current = await cases.get(key)
  if (!current) return
  const endedAt = endedAtOf(current) ?? current.metadata.deletionTimestamp
  if (endedAt !== undefined && current.status?.erasure?.erasedAt === undefined) {
    await objects.putIfAbsent(removedKey(key, endedAt), encodeJson({ endedAt }), JSON_TYPE)
  }
  // Otherwise the record would show the case that was removed.
  if (mayHaveRecord(current)) await objects.delete(archiveKey(key))
  await cases.replaceSpec(released(current))
}

/**
 * Carries out the plan. Each step is idempotent: after a failure, the next plan contains what is
 * left.
 *
 * @throws ConflictError when another writer changed the case; gather and decide again
 */
export async function apply(plan: Plan, deps: ApplyDeps): Promise<void> {
  if (plan.rewrite) {
    await deps.cases.replaceSpec(plan.rewrite)
    return
  }
  if (plan.credentials) await copyCredentials(plan.key, plan.credentials, deps)
  if (plan.adoptsSecrets || plan.credentials) await deps.secrets.adopt(plan.key)
  if (plan.replacement) await deps.cases.replaceStatus(plan.replacement, plan.durability)
  // The plan contains no events for a trail that failed verification.
  if (plan.auditEvents.length > 0) await deps.trail.append(plan.key, plan.auditEvents)
  if (plan.order) {
    const objectKey = tombstoneKey(plan.key)
    await putWorkerResult(objectKey, plan.order, { object: 'tombstone', key: plan.key }, deps)
  }
  await addJobs(plan.jobs, deps)
  if (plan.upload) await carryOut(plan.upload, plan.key, deps)
  await publishEvents(plan, deps)
  if (plan.isReleased) await release(plan, deps)
  if (plan.isOver) {
    await removeSecrets(plan.key, deps)
    await deps.cases.delete(plan.key)
  }
}
