/** A scraper gets OpenMetrics when it asks for it, and the Prometheus text format otherwise. */
import t from 'tap'
import { prefersOpenMetrics } from '../../../adapters/prometheus/openmetrics.ts'
import { PrometheusMetrics } from '../../../adapters/prometheus/registry.ts'
import { METRICS } from '../../../domain/metrics.ts'
import { serveOperations } from '../../../runtime/cluster/operations.ts'

const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
const TEXT = 'text/plain; version=0.0.4; charset=utf-8'
/** What Prometheus 2.42 sends. */
const SCRAPER =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,' +
  'text/plain;version=0.0.4;q=0.5,*/*;q=0.1'

t.test('the header decides, with its weights', async (t) => {
  t.ok(prefersOpenMetrics(SCRAPER))
  t.ok(prefersOpenMetrics('Application/OpenMetrics-Text'))
  t.ok(prefersOpenMetrics('text/plain;q=0.3, application/openmetrics-text; version=1.0.0; q=0.6'))
  t.notOk(prefersOpenMetrics(undefined))
  t.notOk(prefersOpenMetrics('*/*'))
  t.notOk(prefersOpenMetrics('application/openmetrics-text;q=0, text/plain;q=0'))
  t.notOk(prefersOpenMetrics('text/plain;q=0.6, application/openmetrics-text;q=0.5'))
})

t.test('help texts need no escape in either format', async (t) => {
  for (const { help } of Object.values(METRICS)) t.notMatch(help, /["\\\n]/)
})

t.test('each process serves both formats, in any order', async (t) => {
  const metrics = new PrometheusMetrics('api')
  metrics.count('process_cpu_seconds_total', {}, 2)
  metrics.set('process_uptime_seconds', {}, 3)
  const server = await serveOperations(
    { host: '127.0.0.1', port: 0 },
    {
      readiness: async () => ({ ready: true, text: 'ok\n' }),
      metrics: () => metrics.text(),
    },
  )
  t.teardown(() => server.close())
  const scrape = async (accept: string) => {
    const url = `http://127.0.0.1:${server.port}/metrics`
    const answer = await fetch(url, { headers: { accept } })
    return { type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const before = await scrape('*/*')
  t.equal(before.type, TEXT)
  t.match(before.text, /^# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 2$/m)
  t.notMatch(before.text, '# EOF')

  const { type, text } = await scrape(SCRAPER)
  t.equal(type, OPENMETRICS)
  t.match(text, /^# HELP process_cpu_seconds Processor time used/m)
  t.match(text, /^# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total 2$/m)
  t.match(text, /^process_uptime_seconds 3$/m)
  t.notMatch(text, /\n\n/)
  t.ok(text.endsWith('\n# EOF\n'))
  t.same(await scrape('*/*'), before, 'a scrape does not change the next one')
})
