/** Reports in which the judges disagree are counted. */
import t from 'tap'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import { JudgeDisagreements } from '../../../workers/verification/disagreements.ts'

t.test('a report counts once, and only with the finding', async (t) => {
  const disagreements = new JudgeDisagreements()
  disagreements.note(VALIDATION_REPORT)
  t.match(disagreements.metric(), /^sigcase_verification_disagreements_total 0$/m)
  const errors = [{ key: 'SECOND_JUDGE_DISAGREES', text: '' }]
  const signatures = VALIDATION_REPORT.signatures.map((one) => ({ ...one, errors }))
  disagreements.note({ ...VALIDATION_REPORT, signatures: [...signatures, ...signatures] })
  t.match(disagreements.metric(), /^sigcase_verification_disagreements_total 1$/m)
  t.match(disagreements.metric(), /\n$/)
})
