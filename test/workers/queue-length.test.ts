import t from 'tap'
import { RecordingJobQueue } from '../fixtures/memory-jobs.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'
import { reportQueues } from '../../workers/queue-length.ts'

const NOW = new Date('2026-11-02T09:00:00.000Z')

function world() {
  const jobs = new RecordingJobQueue()
  const metrics = new RecordingMetrics()
  return { jobs, metrics, now: () => NOW }
}

t.test('of every kind, jobs are counted that wait, are delayed and run', async (t) => {
  const w = world()
  const { jobs, metrics } = w
  await jobs.add('intake', 'one', CASE_KEY)
  await jobs.add('intake', 'two', CASE_KEY)
  await jobs.add('intake', 'late', CASE_KEY, { delayMs: 1_000 })
  jobs.oldest.set('intake', NOW.getTime() - 90_000)
  await reportQueues(['intake', 'trail-seal'], w)
  t.same(metrics.of('sigcase_jobs'), {
    '{kind="intake",state="waiting"}': 2,
    '{kind="intake",state="delayed"}': 1,
    '{kind="intake",state="running"}': 0,
    '{kind="trail-seal",state="waiting"}': 0,
    '{kind="trail-seal",state="delayed"}': 0,
    '{kind="trail-seal",state="running"}': 0,
  })
  t.same(metrics.of('sigcase_job_oldest_waiting_seconds'), {
    '{kind="intake"}': 90,
    '{kind="trail-seal"}': 0,
  })
})

t.test('no number remains while the queue is not reachable', async (t) => {
  const w = world()
  await reportQueues(['intake'], w)
  w.jobs.count = async () => {
    throw new Error('away')
  }
  await t.rejects(reportQueues(['intake'], w), /away/)
  t.equal(w.metrics.values.size, 0)
})
