/** For how long an upload may still come, and a tenant's wish for more time (decision 51). */
import { UPLOAD_TAIL_MS } from '../limits.ts'
import type { SignatureCase } from './signature-case.ts'
import { uploadRequestMs } from './stated-times.ts'

/**
 * When the newest upload URL was given out, in milliseconds since 1970.
 *
 * @param nowMs milliseconds since 1970; a request of a later time is ignored
 */
export function uploadWindowMs({ spec }: SignatureCase, nowMs: number): number {
  return uploadRequestMs(spec, nowMs) ?? Date.parse(spec.creation.at)
}

/**
 * The spec after the tenant got an upload URL at `now`, or undefined when the window that is open
 * covers it: one that opened a moment ago ends later than the new URL by more than that moment.
 */
export function reopenUpload(
  signatureCase: SignatureCase,
  now: Date,
): SignatureCase['spec'] | undefined {
  if (now.getTime() - uploadWindowMs(signatureCase, now.getTime()) <= UPLOAD_TAIL_MS / 2)
    return undefined
  return { ...signatureCase.spec, uploadRequestedAt: now.toISOString() }
}
