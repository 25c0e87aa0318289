/** Counts reports in which the two judges of signatures disagree, for Prometheus. */
import type { CoreReport } from '../../domain/contract/validation-report.ts'

const METRIC = 'sigcase_verification_disagreements_total'
const FINDING = 'SECOND_JUDGE_DISAGREES'

/** Counts for one process. */
export class JudgeDisagreements {
  #count = 0

  /** Counts a report when the judges disagree about one of its signatures or time-stamps. */
  note({ signatures, documentTimestamps }: CoreReport): void {
    const all = [...signatures, ...documentTimestamps]
    if (all.some(({ errors }) => errors.some(({ key }) => key === FINDING))) this.#count++
  }

  /** In the text format of Prometheus; ends with a line feed. */
  metric(): string {
    return (
      `# HELP ${METRIC} Reports in which the two judges of signatures disagree.\n` +
      `# TYPE ${METRIC} counter\n${METRIC} ${this.#count}\n`
    )
  }
}
