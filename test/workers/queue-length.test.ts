import t from 'tap'
import { RecordingJobQueue } from '../fixtures/memory-jobs.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'
import { queueLengthMetric, queueLengths } from '../../workers/queue-length.ts'

t.test('the metric tells of every kind what waits, is delayed and runs', async (t) => {
  const jobs = new RecordingJobQueue()
  await jobs.add('intake', 'one', CASE_KEY)
  await jobs.add('intake', 'two', CASE_KEY)
  await jobs.add('intake', 'late', CASE_KEY, { delayMs: 1_000 })
  const lengths = await queueLengths(jobs, ['intake', 'trail-seal'])
  t.same(lengths.intake, { waiting: 2, delayed: 1, running: 0 })
  t.equal(
    queueLengthMetric(lengths),
    [
      '# HELP sigcase_jobs Jobs by kind and state.',
      '# TYPE sigcase_jobs gauge',
      'sigcase_jobs{kind="intake",state="waiting"} 2',
      'sigcase_jobs{kind="intake",state="delayed"} 1',
      'sigcase_jobs{kind="intake",state="running"} 0',
      'sigcase_jobs{kind="trail-seal",state="waiting"} 0',
      'sigcase_jobs{kind="trail-seal",state="delayed"} 0',
      'sigcase_jobs{kind="trail-seal",state="running"} 0',
      '',
    ].join('\n'),
  )
})
