/** Fuzzing fails where the judges contradict each other. */
import t from 'tap'
import { validateSignatures, type ValidationReport } from '../../pades/index.ts'
import { conclude } from '../../pades/findings.ts'
import { assertOneJudgement } from '../../dev/fuzz/one-judgement.ts'
import { OPTIONS, signSample } from '../pades/validate/sample.ts'

const report = await validateSignatures(await signSample(), OPTIONS)
type Opinion = NonNullable<ValidationReport['signatures'][number]['secondOpinion']>

/** The report with the finding and another opinion on its first signature. */
function doubted(secondOpinion: Opinion): ValidationReport {
  const [first, ...others] = report.signatures
  const signature = { ...first, ...conclude(['SECOND_JUDGE_DISAGREES']), secondOpinion }
  return { ...report, signatures: [signature, ...others] }
}

t.test('a contradiction is a failure; what the second judge cannot read is none', async (t) => {
  assertOneJudgement(report)
  assertOneJudgement(doubted({ value: 'unknown' }))
  t.throws(() => assertOneJudgement(doubted({ value: 'wrong' })), /contradict/)
  t.throws(() => assertOneJudgement(doubted({ value: 'right', path: 'wrong' })), /contradict/)
})
