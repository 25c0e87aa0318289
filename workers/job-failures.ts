/** Notes which jobs fail, so that they are delayed and the controller learns when to add them. */
import {
  failureCountKey,
  jobId,
  keyRefusalKey,
  keyRefusalNote,
  RETRY_MEMORY_MS,
  retryAtKey,
  retryDelayMs,
} from '../domain/cases/jobs.ts'
import type { JobKind, JobPayloads } from '../domain/ports/jobs.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { WorkerDeps } from './deps.ts'
import { publishCaseChange } from './publish-case-change.ts'

type FailureDeps = Pick<WorkerDeps, 'ephemeral' | 'now' | 'timers' | 'log'>

function caseKeyOf(payload: JobPayloads[JobKind]): CaseKey | undefined {
  if (!('caseId' in payload)) return undefined
  const { tenant, caseId } = payload as CaseKey
  return { tenant, caseId }
}

/** @returns the delay until the retry in milliseconds */
async function countFailure(kind: JobKind, id: string, deps: FailureDeps): Promise<number> {
  const failures = await deps.ephemeral.increment(failureCountKey(kind, id), RETRY_MEMORY_MS)
  const delayMs = retryDelayMs(failures)
  const retryAtMs = deps.now().getTime() + delayMs
  await deps.ephemeral.set(retryAtKey(kind, id), String(retryAtMs), { ttlMs: delayMs })
  return delayMs
}

/**
 * Notes why the case waits when an operator has to fix a signing key; deletes the note for any
 * other failure.
 */
async function noteKeyRefusal(kind: JobKind, id: string, error: unknown, deps: FailureDeps) {
  const noteKey = keyRefusalKey(kind, id)
  const note = keyRefusalNote(error)
  if (!note) return deps.ephemeral.delete(noteKey)
  await deps.ephemeral.set(noteKey, JSON.stringify(note), { ttlMs: RETRY_MEMORY_MS })
}

/**
 * Notes a failure, so that the job is delayed, and notifies the controller when the retry is due.
 * If the failure cannot be noted, that is only logged.
 */
export async function noteFailure<K extends JobKind>(
  kind: K,
  payload: JobPayloads[K],
  failure: unknown,
  deps: FailureDeps,
): Promise<void> {
  const id = jobId(kind, payload)
  const unnoted = (error: unknown) =>
    deps.log.warn({ err: error, job: kind }, 'a job failure could not be recorded')
  const delayMs = await countFailure(kind, id, deps).catch((error: unknown) => {
    unnoted(error)
    return retryDelayMs(1)
  })
  await noteKeyRefusal(kind, id, failure, deps).catch(unnoted)
  const key = caseKeyOf(payload)
  if (!key) return
  // Only after the delay: until the job has ended, its id keeps a new one from being added.
  deps.timers.after(delayMs, () => void publishCaseChange(key, deps).catch(() => undefined))
}

/** Deletes the notes of a job that succeeded. If that fails, Redis deletes them later (TTL). */
export async function forgetFailures<K extends JobKind>(
  kind: K,
  payload: JobPayloads[K],
  { ephemeral }: Pick<FailureDeps, 'ephemeral'>,
): Promise<void> {
  const id = jobId(kind, payload)
  const notes = [failureCountKey(kind, id), keyRefusalKey(kind, id)]
  // At the same time, so that the store can merge them.
  await Promise.all(notes.map((key) => ephemeral.delete(key).catch(() => undefined)))
}
