/** What each process serves is what Prometheus' own tool accepts. */
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { convertToOpenMetrics } from '../../../adapters/prometheus/openmetrics.ts'
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

/** The endings of the samples of a family, by its type. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

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

for (const source of ['api', 'controller', 'worker'] as const) {
  t.test(`the metrics of the ${source} follow OpenMetrics`, async (t) => {
    const metrics = new PrometheusMetrics(source)
    for (const [name, { sources }] of Object.entries(METRICS)) {
      if ((sources as readonly string[]).includes(source)) fill(metrics, name as MetricName)
    }
    const lines = convertToOpenMetrics(await metrics.text()).split('\n')
    t.same(lines.splice(-2), ['# EOF', ''])
    let family = ''
    let suffixes: readonly string[] = []
    for (const line of lines) {
      const [, name = '', type = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? []
      if (type !== '') {
        family = name
        suffixes = SUFFIXES[type] ?? []
      } else if (!line.startsWith('# HELP ')) {
        const [, sample = ''] = /^(\w+)(?:\{.*\})? \S+$/.exec(line) ?? []
        t.ok(
          suffixes.some((suffix) => sample === family + suffix),
          line,
        )
      }
    }
  })
}
