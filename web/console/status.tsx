/** The status of a case, in words and colour. */
import type { CaseStatus } from './use-cases.ts'
import { useConsoleTexts } from './use-console-texts.ts'

export const STATUSES: readonly CaseStatus[] = [
  'NEW',
  'IN_PROGRESS',
  'DONE',
  'UPLOAD_REJECTED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
]

const KINDS: Readonly<Record<CaseStatus, string>> = {
  NEW: '',
  IN_PROGRESS: 'active',
  DONE: 'good',
  UPLOAD_REJECTED: 'bad',
  EXPIRED: 'warn',
  CANCELLED: '',
  FAILED: 'bad',
}

/** A small label. */
export function Badge({ status }: { status: CaseStatus }) {
  const texts = useConsoleTexts()
  return <span class={`badge ${KINDS[status]}`}>{texts.statuses[status]}</span>
}
