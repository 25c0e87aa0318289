/** The time window for the upload, and a tenant's request to extend it (decision 2). */
import { UPLOAD_TAIL_MS } from '../limits.ts'
import type { SignatureCase } from './signature-case.ts'
import { uploadRequestMs } from './stated-times.ts'

/**
 * Returns when the newest upload URL was issued, in milliseconds since 1970.
 *
 * @param nowMs milliseconds since 1970; a request with a later time is ignored
 */
export function uploadWindowMs({ spec }: SignatureCase, nowMs: number): number {
  return uploadRequestMs(spec, nowMs) ?? Date.parse(spec.creation.at)
}

/**
 * Returns the spec after the tenant got an upload URL at `now`, or undefined when the open window
 * covers the URL. A window that was opened a moment ago ends later than the new URL, because of its
 * tail.
 */
export function reopenUpload(
  signatureCase: SignatureCase,
  now: Date,
): SignatureCase['spec'] | undefined {
  if (now.getTime() - uploadWindowMs(signatureCase, now.getTime()) <= UPLOAD_TAIL_MS / 2)
    return undefined
  return { ...signatureCase.spec, uploadRequestedAt: now.toISOString() }
}
