/** The Kubernetes side of a case: finalizer, removal and the Secret with the upload URL. Pure. */
import { FINALIZER, isFromApi, withFinalizer } from '../../domain/cases/complete.ts'
import { askedErasure } from '../../domain/cases/erasure.ts'
import { isSettled } from '../../domain/cases/finished.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseStatus, Phase } from '../../domain/cases/status.ts'
import { uploadWindowMs } from '../../domain/cases/upload-window.ts'
import { UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import { isBlocked } from './conditions.ts'
import type { Observation } from './observation.ts'
import type { PendingWork } from './pending-work.ts'

/** A namespace is deleted within a minute, even if work is pending. */
export const PLACE_END_PATIENCE_MS = 30_000
export const REMOVAL_POLL_MS = 10_000
/** Reason of the cancellation of a case whose resource is deleted. */
export const REMOVED = 'The resource was removed'

export type UploadPlan = { do: 'publish'; expiresAt: Date } | { do: 'remove' }

/** Work that can still be done in a namespace that is being deleted. */
type PendingInPlace = Pick<PendingWork, 'auditEvents' | 'jobs'>

/**
 * Removing a case that has not ended cancels it first, so that everyone involved is notified
 * (design 3).
 */
function cancelled({ signatureCase }: Observation): SignatureCase | undefined {
  const { metadata, spec, status } = signatureCase
  const at = metadata.deletionTimestamp
  if (at === undefined || spec.cancellation || hasEnded(status?.phase ?? 'NEW')) return undefined
  const cancellation = { at, reason: REMOVED }
  return { ...signatureCase, spec: { ...spec, cancellation } }
}

/**
 * The case with other facts or finalizers, to be written before its state is read; undefined when
 * nothing has to change.
 */
export function rewriteOf(observation: Observation): SignatureCase | undefined {
  const { signatureCase, lacksFinalizer, withLostFacts } = observation
  if (lacksFinalizer) return withFinalizer(signatureCase)
  return cancelled(observation) ?? withLostFacts
}

/** Whether a case that is to be removed can be removed now. */
export function isReleased(observation: Observation, status: CaseStatus): boolean {
  const { deletionTimestamp, finalizers } = observation.signatureCase.metadata
  if (deletionTimestamp === undefined || !finalizers?.includes(FINALIZER)) return false
  if (isBlocked(observation)) return true
  const isErased = status.erasure?.erasedAt !== undefined
  return isSettled(status) && (isErased || askedErasure(observation.signatureCase) !== 'asked')
}

/**
 * Whether a case can be removed with the namespace of its tenant. Removal does not wait for
 * webhooks, because their credentials are gone. It waits a limited time for the seal of the trail
 * and for mails.
 */
export function isLeft(
  { isNamespaceEnding, signatureCase, nowMs }: Observation,
  pending: PendingInPlace,
) {
  const { deletionTimestamp, finalizers } = signatureCase.metadata
  if (!isNamespaceEnding || deletionTimestamp === undefined) return false
  if (!finalizers?.includes(FINALIZER)) return false
  const hasPendingWork = pending.auditEvents.length > 0 || pending.jobs.length > 0
  return !hasPendingWork || nowMs >= Date.parse(deletionTimestamp) + PLACE_END_PATIENCE_MS
}

/** When to reconcile a case that is being removed: its namespace may be deleted in the meantime. */
export function wakeOfRemoval({ signatureCase, nowMs }: Observation): number | undefined {
  const { deletionTimestamp, finalizers } = signatureCase.metadata
  const isKept = deletionTimestamp !== undefined && finalizers?.includes(FINALIZER) === true
  return isKept ? nowMs + REMOVAL_POLL_MS : undefined
}

/** The case without the service's finalizer. */
export function released({ metadata, ...rest }: SignatureCase): SignatureCase {
  const finalizers = metadata.finalizers?.filter((name) => name !== FINALIZER) ?? []
  return { ...rest, metadata: { ...metadata, finalizers } }
}

/**
 * Plans the Secret with the upload URL, for a case that was applied with kubectl, until its
 * document is accepted.
 */
export function uploadPlan(observation: Observation, phase: Phase): UploadPlan | undefined {
  const { signatureCase, publishedUpload, nowMs } = observation
  if (isFromApi(signatureCase)) return undefined
  if (phase !== 'NEW' || isBlocked(observation)) return publishedUpload && { do: 'remove' }
  const expiresAtMs = uploadWindowMs(signatureCase, nowMs) + UPLOAD_URL_LIFE_MS
  const isKnown = publishedUpload !== undefined && publishedUpload.getTime() >= expiresAtMs
  if (isKnown || expiresAtMs <= nowMs) return undefined
  return { do: 'publish', expiresAt: new Date(expiresAtMs) }
}
