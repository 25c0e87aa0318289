/**
 * Kubernetes Events for a new status, shown by `kubectl describe`: faults, and other ends than
 * DONE. The status itself shows progress and success. Pure.
 */
import type { CaseStatus, Phase } from '../../domain/cases/status.ts'
import type { Condition } from '../../domain/resources.ts'
import type { KubernetesEvent } from '../../domain/ports/case-resources.ts'
import { REMOVED } from './resource.ts'

const normal = (reason: string, message: string): KubernetesEvent => ({
  type: 'Normal',
  reason,
  message,
})
const warning = (reason: string, message: string): KubernetesEvent => ({
  type: 'Warning',
  reason,
  message,
})

/** A reason is free text that can name people, and Events are kept in logs of clusters. */
function reasonInEvent(reason: string | undefined): string {
  if (reason === undefined) return 'the tenant gave no reason'
  return reason === REMOVED ? REMOVED : 'the reason is in status.cancelReason'
}

/**
 * Each Event is an object in etcd, so only ends have one that somebody may want to act on. The
 * conditions show that a case is DONE.
 */
const OF_PHASE: Readonly<Partial<Record<Phase, (status: CaseStatus) => KubernetesEvent>>> = {
  // The reason can name a person whose signature field is misplaced.
  UPLOAD_REJECTED: () => warning('UploadRejected', 'the reason is in status.rejectReason'),
  EXPIRED: () => normal('Expired', 'not all participants signed in time'),
  CANCELLED: ({ cancelReason }) => normal('Cancelled', reasonInEvent(cancelReason)),
  FAILED: ({ failureReason = '' }) => warning('Failed', failureReason),
}

/** Names no field: the names come from the PDF, and Events are kept in logs of clusters. */
function existingSignatures({ document }: CaseStatus): KubernetesEvent[] {
  const codes = [...new Set(document?.warnings?.map(({ code }) => code))]
  if (codes.length === 0) return []
  return [warning('ExistingSignatures', `signatures of the upload: ${codes.join(', ')}`)]
}

/** Conditions that report a fault while they are True. */
const FAULTS = ['Invalid', 'SignatureIgnored', 'Delayed']

const isTrue = (conditions: readonly Condition[] | undefined, name: string) =>
  conditions?.some(({ type, status }) => type === name && status === 'True') ?? false

/** A fault is announced again when its reason changes. */
const isKnown = (conditions: readonly Condition[] | undefined, fault: Condition) =>
  conditions?.some(
    ({ type, status, reason }) =>
      type === fault.type && status === fault.status && reason === fault.reason,
  ) ?? false

/** @param before undefined when the case is reconciled for the first time */
export function kubernetesEventsOf(
  before: CaseStatus | undefined,
  after: CaseStatus,
): KubernetesEvent[] {
  const faults = after.conditions.filter(
    (condition) =>
      condition.status === 'True' &&
      FAULTS.includes(condition.type) &&
      !isKnown(before?.conditions, condition),
  )
  const ofPhase = after.phase === before?.phase ? undefined : OF_PHASE[after.phase]
  return [
    ...faults.map(({ type, message }) => warning(type, message)),
    ...(ofPhase ? [ofPhase(after)] : []),
    ...(after.document && !before?.document ? existingSignatures(after) : []),
    ...(isTrue(after.conditions, 'Erased') && !isTrue(before?.conditions, 'Erased')
      ? [normal('Erased', 'documents and personal values were erased')]
      : []),
  ]
}
