/** What of a new status people hear in `kubectl describe`. Pure. */
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
  NEW: () => normal('Created', 'waits for its document'),
  IN_PROGRESS: ({ document }) =>
    normal('DocumentAccepted', `the document has ${document?.pageCount} pages; people can sign`),
  DONE: () => normal('Done', 'signed PDF and evidence are there'),
  UPLOAD_REJECTED: ({ rejectReason = '' }) => warning('UploadRejected', rejectReason),
  EXPIRED: () => normal('Expired', 'not everybody signed in time'),
  CANCELLED: ({ cancelReason }) => normal('Cancelled', cancelReason ?? 'no reason was given'),
  FAILED: ({ failureReason = '' }) => warning('Failed', failureReason),
}

/** Conditions that are faults while they are true. */
const FAULTS = ['Invalid', 'SignatureIgnored', 'Delayed']

const isTrue = (conditions: readonly Condition[] | undefined, name: string) =>
  conditions?.some(({ type, status }) => type === name && status === 'True') ?? false

/** A fault that goes on for another reason is told again. */
const isKnown = (conditions: readonly Condition[] | undefined, fault: Condition) =>
  conditions?.some(
    ({ type, status, reason }) =>
      type === fault.type && status === fault.status && reason === fault.reason,
  ) ?? false

/** @param before undefined when nobody looked at the case before */
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
      ? [normal('Signed', `${after.signed} participants signed`)]
      : []),
    ...(after.phase !== before?.phase && !(isInvalid && after.phase === 'NEW')
      ? [OF_PHASE[after.phase](after)]
      : []),
    ...(isTrue(after.conditions, 'Erased') && !isTrue(before?.conditions, 'Erased')
      ? [normal('Erased', 'documents and personal values were erased')]
      : []),
  ]
}
