/** Kubernetes Events for a new status, shown by `kubectl describe`. Pure. */
import type { CaseStatus, Phase } from '../../domain/cases/status.ts'
import type { Condition } from '../../domain/resources.ts'
import type { Announcement } from '../../domain/ports/case-resources.ts'

const normal = (reason: string, message: string): Announcement => ({
  type: 'Normal',
  reason,
  message,
})
const warning = (reason: string, message: string): Announcement => ({
  type: 'Warning',
  reason,
  message,
})

const OF_PHASE: Readonly<Record<Phase, (status: CaseStatus) => Announcement>> = {
  NEW: () => normal('Created', 'the case waits for its document'),
  IN_PROGRESS: ({ document }) =>
    normal(
      'DocumentAccepted',
      `the document has ${document?.pageCount} pages; participants can sign`,
    ),
  DONE: () => normal('Done', 'the signed PDF and the evidence PDF are ready'),
  UPLOAD_REJECTED: ({ rejectReason = '' }) => warning('UploadRejected', rejectReason),
  EXPIRED: () => normal('Expired', 'not all participants signed in time'),
  CANCELLED: ({ cancelReason }) => normal('Cancelled', cancelReason ?? 'the tenant gave no reason'),
  FAILED: ({ failureReason = '' }) => warning('Failed', failureReason),
}

/** Names no field: the names come from the PDF, and Events are kept in logs of clusters. */
function existingSignatures({ document }: CaseStatus): Announcement[] {
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
export function announcementsOf(before: CaseStatus | undefined, after: CaseStatus): Announcement[] {
  const faults = after.conditions.filter(
    (condition) =>
      condition.status === 'True' &&
      FAULTS.includes(condition.type) &&
      !isKnown(before?.conditions, condition),
  )
  const isInvalid = isTrue(after.conditions, 'Invalid')
  return [
    ...faults.map(({ type, message }) => warning(type, message)),
    ...(after.signed !== undefined && after.signed !== before?.signed && before !== undefined
      ? [normal('Signed', `${after.signed} participants have signed`)]
      : []),
    ...(after.phase !== before?.phase && !(isInvalid && after.phase === 'NEW')
      ? [OF_PHASE[after.phase](after)]
      : []),
    ...(after.document && !before?.document ? existingSignatures(after) : []),
    ...(isTrue(after.conditions, 'Erased') && !isTrue(before?.conditions, 'Erased')
      ? [normal('Erased', 'documents and personal values were erased')]
      : []),
  ]
}
