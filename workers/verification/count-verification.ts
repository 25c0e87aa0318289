/** Counts the results of verifications, and reports in which the two judges disagree. */
import type { CoreReport } from '../../domain/contract/validation-report.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { VerificationRefusal } from '../../domain/verification.ts'

const DISAGREEMENT = 'SECOND_JUDGE_DISAGREES'
/** From the worst to the best. */
const INDICATIONS = ['TOTAL_FAILED', 'INDETERMINATE', 'TOTAL_PASSED'] as const
/** Values of the label `verdict`. */
export const VERDICTS = [...INDICATIONS, 'unsigned', 'refused'] as const

function verdictOf({ signatures }: Pick<CoreReport, 'signatures'>): string {
  const found = new Set(signatures.map(({ indication }) => indication))
  return INDICATIONS.find((indication) => found.has(indication)) ?? 'unsigned'
}

/** What the second judge says where it disagrees; undefined where both judges agree. */
function disagreementIn(report: CoreReport): 'wrong' | 'unknown' | undefined {
  const { signatures, documentTimestamps } = report
  const all = [...signatures, ...documentTimestamps]
  const disagreed = all.filter(({ errors }) => errors.some(({ key }) => key === DISAGREEMENT))
  if (disagreed.length === 0) return undefined
  const opinions = [...all, ...signatures.flatMap(({ timestamps }) => timestamps)].flatMap(
    ({ secondOpinion }) => Object.values(secondOpinion ?? {}),
  )
  return opinions.includes('wrong') ? 'wrong' : 'unknown'
}

/** Counts one result by the worst indication of its signatures. */
export function countVerification(
  result: { report: CoreReport } | { refusal: VerificationRefusal },
  metrics: Metrics,
): void {
  const verdict = 'report' in result ? verdictOf(result.report) : 'refused'
  metrics.count('sigcase_verification_reports_total', { verdict })
  const opinion = 'report' in result ? disagreementIn(result.report) : undefined
  if (opinion) metrics.count('sigcase_verification_disagreements_total', { opinion })
}
