import t from 'tap'
import { Census, forgetCensus } from '../../controllers/census.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { participant, signature, signatureCase } from '../fixtures/signature-case.ts'

const OLDEST = 'sigcase_oldest_unfinished_case_seconds'

t.test('cases are counted by phase, and an absent phase is 0', async (t) => {
  const census = new Census()
  census.add(signatureCase())
  census.add(signatureCase({ phase: 'DONE' }))
  census.add(signatureCase({ phase: 'DONE' }))
  const metrics = new RecordingMetrics()
  census.report(metrics, 0)
  t.match(metrics.of('sigcase_cases'), {
    '{phase="NEW"}': 1,
    '{phase="DONE"}': 2,
    '{phase="FAILED"}': 0,
  })
  t.equal(metrics.values.get(OLDEST), 0)
  forgetCensus(metrics)
  t.equal(metrics.values.size, 0)
})

t.test('a case is overdue from the last signature until its end', async (t) => {
  const all = [signature(participant(1)), signature(participant(2))]
  const lastMs = Math.max(...all.map(({ signedAt }) => Date.parse(signedAt)))
  const ageOf = (value: ReturnType<typeof signatureCase>) => {
    const census = new Census()
    census.add(value)
    const metrics = new RecordingMetrics()
    census.report(metrics, lastMs + 60_000)
    return metrics.values.get(OLDEST)
  }
  t.equal(participant(2).id, all[1]?.participantId)
  t.equal(ageOf(signatureCase({ phase: 'IN_PROGRESS', signatures: all })), 60)
  t.equal(ageOf(signatureCase({ phase: 'IN_PROGRESS', signatures: all.slice(0, 1) })), 0)
  t.equal(ageOf(signatureCase({ phase: 'DONE', signatures: all })), 0)
})
