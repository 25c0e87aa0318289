import t from 'tap'
import { ServiceError } from '../../domain/errors.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import { reportFailedJob, secondsBetween, startCounters, timed } from '../../workers/measure.ts'

function recording() {
  const observed: unknown[][] = []
  const counted: unknown[][] = []
  const metrics = {
    observe: (...values: unknown[]) => void observed.push(values),
    count: (...values: unknown[]) => void counted.push(values),
  } as unknown as Metrics
  return { metrics, observed, counted }
}

t.test('work is measured with its result, and its error is thrown on', async (t) => {
  const { metrics, observed } = recording()
  const name = 'sigcase_job_duration_seconds'
  t.equal(await timed(name, { kind: 'notify' }, async () => 7, metrics), 7)
  const fail = timed(name, { kind: 'notify' }, async () => Promise.reject(new Error('x')), metrics)
  await t.rejects(fail, { message: 'x' })
  t.match(observed, [
    [name, { kind: 'notify', result: 'succeeded' }, Number],
    [name, { kind: 'notify', result: 'failed' }, Number],
  ])
})

t.test('a failed job is counted by a code, never by a message', async (t) => {
  const { metrics, counted } = recording()
  reportFailedJob('notify', new ServiceError('TIMEOUT'), metrics)
  reportFailedJob('notify', new Error('jana@x.example was refused'), metrics)
  t.same(counted, [
    ['sigcase_job_failures_total', { kind: 'notify', cause: 'TIMEOUT' }],
    ['sigcase_job_failures_total', { kind: 'notify', cause: 'other' }],
  ])
})

t.test('counters that alerts watch start at 0', async (t) => {
  const { metrics, counted } = recording()
  startCounters(['notify', 'webhook'], metrics)
  t.ok(counted.every(([, , value]) => value === 0))
  const seriesOf = (metric: string) => counted.filter(([name]) => name === metric).length
  t.equal(seriesOf('sigcase_job_failures_total'), 2)
  t.equal(seriesOf('sigcase_webhooks_ended_total'), 3)
  t.equal(seriesOf('sigcase_verification_disagreements_total'), 2)
  t.equal(seriesOf('sigcase_verification_reports_total'), 5)
})

t.test('clocks that disagree give no negative time', async (t) => {
  t.equal(secondsBetween('2026-11-02T08:00:00.000Z', '2026-11-02T08:00:01.500Z'), 1.5)
  t.equal(secondsBetween('2026-11-02T08:00:01.500Z', '2026-11-02T08:00:00.000Z'), 0)
})
