import t from 'tap'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import { countVerification } from '../../../workers/verification/count-verification.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'

const DISAGREEMENTS = 'sigcase_verification_disagreements_total'
const { signatures } = VALIDATION_REPORT

function counted(report: object): RecordingMetrics {
  const metrics = new RecordingMetrics()
  countVerification({ report: { ...VALIDATION_REPORT, ...report } } as never, metrics)
  return metrics
}

t.test('a report counts by the worst of its signatures', async (t) => {
  const [first] = signatures
  const judged = (...indications: string[]) => ({
    signatures: indications.map((indication) => ({ ...first, indication })),
  })
  const verdicts = [
    [judged('TOTAL_PASSED'), 'TOTAL_PASSED'],
    [judged('TOTAL_PASSED', 'INDETERMINATE'), 'INDETERMINATE'],
    [judged('TOTAL_FAILED', 'TOTAL_PASSED', 'INDETERMINATE'), 'TOTAL_FAILED'],
    [judged(), 'unsigned'],
  ] as const
  for (const [report, verdict] of verdicts) {
    const found = counted(report).of('sigcase_verification_reports_total')
    t.same(found, { [`{verdict="${verdict}"}`]: 1 })
  }
})

t.test('a refusal counts, too', async (t) => {
  const metrics = new RecordingMetrics()
  countVerification({ refusal: 'DOCUMENT_TOO_LARGE' }, metrics)
  t.same(metrics.of('sigcase_verification_reports_total'), { '{verdict="refused"}': 1 })
})

t.test('a disagreement counts once for a report, and only with the finding', async (t) => {
  t.same(counted({}).of(DISAGREEMENTS), {})
  const errors = [{ key: 'SECOND_JUDGE_DISAGREES', text: '' }]
  const disagreed = signatures.map((one) => ({ ...one, errors }))
  const twice = counted({ signatures: [...disagreed, ...disagreed] })
  t.same(twice.of(DISAGREEMENTS), { '{opinion="unknown"}': 1 })
  const secondOpinion = { value: 'wrong' }
  const contradicted = disagreed.map((one) => ({ ...one, secondOpinion }))
  t.same(counted({ signatures: contradicted }).of(DISAGREEMENTS), { '{opinion="wrong"}': 1 })
  const stamped = disagreed.map((one) => ({ ...one, timestamps: [{ secondOpinion }] }))
  t.same(counted({ signatures: stamped }).of(DISAGREEMENTS), { '{opinion="wrong"}': 1 })
})
