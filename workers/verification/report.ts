/**
 * Makes the report on a PDF: validates it, and completes the report with facts that are not in the
 * document.
 */
import {
  REMARKS,
  type CoreReport,
  type Remark,
  type ValidationReport,
} from '../../domain/contract/validation-report.ts'
import type { VerificationRefusal } from '../../domain/verification.ts'
import { snapshotState } from '../../trusted-lists/index.ts'
import { serviceAnchors, loadTrustedLists } from './trust.ts'
import { Annotator } from './annotator.ts'
import { findIssuedEnd } from './issued-end.ts'
import { type ReportDeps, validateInRounds } from './validate-in-rounds.ts'

export type { ReportDeps }

/** What the summary says first: the file is not exactly what was signed, or what was issued. */
function remarksOn(
  { document }: Pick<CoreReport, 'document'>,
  issuedEnd: number | undefined,
): Remark[] {
  const { size, unsignedTailBytes } = document
  const isEarlier = issuedEnd !== undefined && issuedEnd < size - unsignedTailBytes
  return [
    ...(unsignedTailBytes > 0 ? (['BYTES_AFTER_LAST_REVISION'] as const) : []),
    ...(isEarlier ? (['ISSUED_EARLIER'] as const) : []),
  ]
}

/** A report with the certificates (DER) of its chains, or why there is no report. */
export type Reported =
  | { report: ValidationReport; certificates: readonly Uint8Array[] }
  | { refusal: VerificationRefusal }

/**
 * Returns the report on a PDF, or why there is none.
 *
 * @throws Error when the sandbox, a key or a store fails
 */
export async function reportOn(pdf: Uint8Array, deps: ReportDeps): Promise<Reported> {
  const [own, lists] = await Promise.all([serviceAnchors(deps), loadTrustedLists(deps)])
  const verdict = await validateInRounds(pdf, own, lists, deps)
  if (verdict.outcome === 'not-a-pdf') return { refusal: 'NOT_A_PDF' }
  if (verdict.outcome === 'unreadable') return { refusal: 'UNREADABLE_DOCUMENT' }
  const { validation } = verdict
  const annotator = new Annotator(validation, own, lists)
  const signatures = validation.report.signatures.map((one) => annotator.signature(one))
  const issuedEnd = await findIssuedEnd({ signatures }, validation, deps)
  const remarks = remarksOn(validation.report, issuedEnd).map((code) => ({
    code,
    message: REMARKS[code],
  }))
  const report: ValidationReport = {
    ...validation.report,
    summary: { ...validation.report.summary, ...(remarks.length > 0 ? { remarks } : {}) },
    issuedByService: issuedEnd !== undefined,
    signatures,
    documentTimestamps: validation.report.documentTimestamps.map((one) => annotator.timeStamp(one)),
    ...(lists && { trustedLists: snapshotState(lists.snapshot, deps.now()) }),
  }
  return { report, certificates: validation.certificates }
}
