/** Counts the results of verifications, and reports in which the two judges disagree. */
import type { CoreReport } from '../../domain/contract/validation-report.ts'
import { NO_METRICS, type Metrics } from '../../domain/ports/metrics.ts'
import type { VerificationRefusal } from '../../domain/verification.ts'

const DISAGREEMENT = 'SECOND_JUDGE_DISAGREES'
/** From the worst to the best. */
const INDICATIONS = ['TOTAL_FAILED', 'INDETERMINATE', 'TOTAL_PASSED'] as const

function verdictOf({ signatures }: Pick<CoreReport, 'signatures'>): string {
  const found = new Set(signatures.map(({ indication }) => indication))
  return INDICATIONS.find((indication) => found.has(indication)) ?? 'unsigned'
}

function isDisagreed({ signatures, documentTimestamps }: CoreReport): boolean {
  const all = [...signatures, ...documentTimestamps]
  return all.some(({ errors }) => errors.some(({ key }) => key === DISAGREEMENT))
}

/** Counts one result by the worst indication of its signatures. */
export function countVerification(
  result: { report: CoreReport } | { refusal: VerificationRefusal },
  metrics: Metrics = NO_METRICS,
): void {
  const verdict = 'report' in result ? verdictOf(result.report) : 'refused'
  metrics.count('sigcase_verification_reports_total', { verdict })
  if ('report' in result && isDisagreed(result.report)) {
    metrics.count('sigcase_verification_disagreements_total', {})
  }
}
