/**
 * Reads whether the job that a case waits for keeps failing, and whether a signing key is the
 * cause.
 */
import {
  FAILURES_BEFORE_WARNING,
  failureCountKey,
  jobId,
  keyRefusalKey,
  readKeyRefusalNote,
} from '../../../domain/cases/jobs.ts'
import { hasEnded } from '../../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import type { ExpiringValues } from '../../../domain/ports/expiring-values.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { FailuresObservation } from '../observation.ts'

/** The one job, other than mails, that a case in this state can wait for. */
function ownJob({ status }: SignatureCase): 'intake' | 'finalise' | 'trail-seal' | 'retention' {
  if (status?.erasure) return 'retention'
  if (status && hasEnded(status.phase)) return 'trail-seal'
  return status?.document ? 'finalise' : 'intake'
}

/**
 * Reads notes of failures. They are hints: when the store is not reachable, they count as absent.
 */
export async function observeFailures(
  signatureCase: SignatureCase,
  key: CaseKey,
  ephemeral: Pick<ExpiringValues, 'get'>,
): Promise<FailuresObservation> {
  const kind = ownJob(signatureCase)
  const id = jobId(kind, key)
  const hint = (name: string) => ephemeral.get(name).catch(() => undefined)
  const [failures, note] = await Promise.all([
    hint(failureCountKey(kind, id)),
    hint(keyRefusalKey(kind, id)),
  ])
  const keyRefusal = note === undefined ? undefined : readKeyRefusalNote(note)
  if (keyRefusal) return { failing: kind, keyRefusal }
  return Number(failures ?? 0) >= FAILURES_BEFORE_WARNING ? { failing: kind } : {}
}
