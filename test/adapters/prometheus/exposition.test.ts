/** What each process serves is what Prometheus' own tool accepts. */
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { PrometheusMetrics } from '../../../adapters/prometheus/registry.ts'
import { isInstalled } from '../../../dev/outside-programs.ts'
import {
  METRICS,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type MetricName,
} from '../../../domain/metrics.ts'
import type { Metrics } from '../../../domain/ports/metrics.ts'

const skip = isInstalled('promtool') ? false : 'promtool is not installed'

/** Gives every metric of a process a value. */
function fill(metrics: Metrics, name: MetricName): void {
  const { type, labels } = METRICS[name]
  const given = Object.fromEntries(Object.keys(labels).map((label) => [label, 'a "value"\\']))
  if (type === 'counter') metrics.count(name as CounterName, given as never)
  else if (type === 'gauge') metrics.set(name as GaugeName, given as never, 1)
  else metrics.observe(name as HistogramName, given as never, 1)
}

for (const source of ['api', 'controller', 'worker'] as const) {
  t.test(`promtool accepts the metrics of the ${source}`, { skip }, async (t) => {
    const metrics = new PrometheusMetrics(source)
    const names = (Object.keys(METRICS) as MetricName[]).filter((name) =>
      (METRICS[name].sources as readonly string[]).includes(source),
    )
    for (const name of names) fill(metrics, name)
    const text = await metrics.text()
    for (const name of names) t.match(text, new RegExp(`^${name}(_bucket)?[{ ]`, 'm'), name)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    })
    t.equal(status, 0, stdout + stderr)
  })
}
