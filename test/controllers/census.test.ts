import t from 'tap'
import { Census } from '../../controllers/census.ts'
import { GroupNumbers } from '../../controllers/group-numbers.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { participant, signature, signatureCase } from '../fixtures/signature-case.ts'

const OLDEST = 'sigcase_oldest_unfinished_case_seconds'

t.test('cases are counted by phase, and an absent phase is 0', async (t) => {
  const census = new Census()
  census.add(signatureCase())
  census.add(signatureCase({ phase: 'DONE' }))
  census.addFinished(new Map([['DONE', 1]]))
  const metrics = new RecordingMetrics()
  const numbers = new GroupNumbers(metrics)
  numbers.setCensus(0, census, 0)
  t.match(metrics.of('sigcase_cases'), {
    '{phase="NEW"}': 1,
    '{phase="DONE"}': 2,
    '{phase="FAILED"}': 0,
  })
  t.equal(metrics.values.get(OLDEST), 0)
  numbers.forget(0, 0)
  t.equal(metrics.values.size, 0)
})

t.test('a case is overdue from the last signature until its end', async (t) => {
  const all = [signature(participant(1)), signature(participant(2))]
  const lastMs = Math.max(...all.map(({ signedAt }) => Date.parse(signedAt)))
  const ageOf = (value: ReturnType<typeof signatureCase>) => {
    const census = new Census()
    census.add(value)
    const metrics = new RecordingMetrics()
    new GroupNumbers(metrics).setCensus(0, census, lastMs + 60_000)
    return metrics.values.get(OLDEST)
  }
  t.equal(participant(2).id, all[1]?.participantId)
  t.equal(ageOf(signatureCase({ phase: 'IN_PROGRESS', signatures: all })), 60)
  t.equal(ageOf(signatureCase({ phase: 'IN_PROGRESS', signatures: all.slice(0, 1) })), 0)
  t.equal(ageOf(signatureCase({ phase: 'DONE', signatures: all })), 0)
})

t.test('the numbers of all groups of a process are one', async (t) => {
  const metrics = new RecordingMetrics()
  const numbers = new GroupNumbers(metrics)
  const lastMs = Date.parse(signature(participant(2)).signedAt)
  const counted = (overdue: boolean) => {
    const census = new Census()
    const signatures = [signature(participant(1)), signature(participant(2))]
    census.add(signatureCase({ phase: 'IN_PROGRESS', ...(overdue && { signatures }) }))
    return census
  }
  numbers.setCensus(0, counted(false), lastMs)
  numbers.setCensus(3, counted(true), lastMs + 1_000)
  numbers.setQueueLength(0, 2)
  numbers.setQueueLength(3, 5)
  const series = 'sigcase_cases{phase="IN_PROGRESS"}'
  t.equal(metrics.values.get(series), 2)
  t.equal(metrics.values.get(OLDEST), 1)
  t.equal(metrics.values.get('sigcase_reconcile_queue_length'), 7)
  numbers.forget(3, lastMs)
  t.equal(metrics.values.get(series), 1)
  t.equal(metrics.values.get(OLDEST), 0)
  t.equal(metrics.values.get('sigcase_reconcile_queue_length'), 2)
  numbers.forget(0, lastMs)
  t.equal(metrics.values.size, 0)
})
