/** Both judges of signatures must come to the same result, whatever the document. */
import type { ValidationReport } from '../../pades/index.ts'

const FINDING = 'SECOND_JUDGE_DISAGREES'

type Judged = Pick<ValidationReport['signatures'][number], 'secondOpinion' | 'errors'>

/** What the second judge cannot read does not pass, and is not a contradiction. */
const isContradiction = ({ secondOpinion, errors }: Judged): boolean =>
  errors.some(({ key }) => key === FINDING) &&
  secondOpinion !== undefined &&
  !Object.values(secondOpinion).includes('unknown')

/** @throws Error when the judges contradict each other: a failure that must be explained */
export function assertOneJudgement({ signatures, documentTimestamps }: ValidationReport): void {
  const tokens = signatures.flatMap(({ timestamps }) => timestamps)
  const stamps = [...tokens, ...documentTimestamps]
  // A signature may have the finding because of a time-stamp on which it relies.
  const isDoubted = stamps.some(({ errors }) => errors.some(({ key }) => key === FINDING))
  const judged: readonly Judged[] = isDoubted ? stamps : [...stamps, ...signatures]
  const contradictions = judged.filter(isContradiction)
  if (contradictions.length === 0) return
  const opinions = contradictions.map(({ secondOpinion, errors }) => ({ secondOpinion, errors }))
  throw new Error(`the judges contradict each other: ${JSON.stringify(opinions)}`)
}
