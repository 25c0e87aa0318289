import t from 'tap'
import { MAXIMUM_SERIES, PrometheusMetrics } from '../../../adapters/prometheus/registry.ts'
import { METRICS } from '../../../domain/metrics.ts'

const linesOf = async (metrics: PrometheusMetrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name))

t.test('a component has its metrics and no others', async (t) => {
  for (const source of ['api', 'controller', 'worker'] as const) {
    const text = await new PrometheusMetrics(source).text()
    const found = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type])
    const expected = Object.entries(METRICS)
      .filter(([, { sources }]) => (sources as readonly string[]).includes(source))
      .map(([name, { type }]) => [name, type])
    t.same(found, expected, source)
  }
})

t.test('counters, gauges and histograms are written with their labels', async (t) => {
  const metrics = new PrometheusMetrics('worker')
  metrics.count('sigcase_job_failures_total', { kind: 'crl', cause: 'TIMEOUT' })
  metrics.count('sigcase_job_failures_total', { kind: 'crl', cause: 'TIMEOUT' }, 2)
  t.same(await linesOf(metrics, 'sigcase_job_failures_total'), [
    'sigcase_job_failures_total{kind="crl",cause="TIMEOUT"} 3',
  ])
  metrics.observe('sigcase_job_duration_seconds', { kind: 'crl', result: 'failed' }, 0.2)
  const lines = await linesOf(metrics, 'sigcase_job_duration_seconds')
  t.ok(lines.includes('sigcase_job_duration_seconds_bucket{le="0.1",kind="crl",result="failed"} 0'))
  t.ok(
    lines.includes('sigcase_job_duration_seconds_bucket{le="0.25",kind="crl",result="failed"} 1'),
  )
  t.ok(lines.includes('sigcase_job_duration_seconds_sum{kind="crl",result="failed"} 0.2'))
})

t.test('a gauge has no value until it is set, and none after it is cleared', async (t) => {
  const metrics = new PrometheusMetrics('worker')
  const name = 'sigcase_worker_can_sign'
  t.same(await linesOf(metrics, name), [])
  metrics.set(name, {}, 1)
  t.same(await linesOf(metrics, name), [`${name} 1`])
  metrics.clear(name)
  t.same(await linesOf(metrics, name), [])
  metrics.set('sigcase_jobs', { kind: 'crl', state: 'waiting' }, 1)
  metrics.clear('sigcase_jobs')
  t.same(await linesOf(metrics, 'sigcase_jobs'), [])
})

t.test('collectors run at each scrape, and one that fails does not end the scrape', async (t) => {
  const metrics = new PrometheusMetrics('worker')
  let scrapes = 0
  metrics.onScrape(() => {
    throw new Error('broken')
  })
  metrics.onScrape(async () => metrics.set('sigcase_worker_can_sign', {}, ++scrapes))
  t.same(await linesOf(metrics, 'sigcase_worker_can_sign'), ['sigcase_worker_can_sign 1'])
  t.same(await linesOf(metrics, 'sigcase_worker_can_sign'), ['sigcase_worker_can_sign 2'])
})

t.test('a metric of another component is discarded', async (t) => {
  const metrics = new PrometheusMetrics('api')
  metrics.set('sigcase_worker_can_sign', {}, 1)
  t.notMatch(await metrics.text(), 'sigcase_worker_can_sign')
})

t.test('the number of series is limited', async (t) => {
  const metrics = new PrometheusMetrics('worker')
  for (let cause = 0; cause < MAXIMUM_SERIES + 10; cause++) {
    metrics.count('sigcase_job_failures_total', { kind: 'crl', cause: String(cause) })
  }
  t.equal((await linesOf(metrics, 'sigcase_job_failures_total')).length, MAXIMUM_SERIES)
})
