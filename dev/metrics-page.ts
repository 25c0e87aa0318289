/** Builds the reference page of metrics and alerts. */
import { METRICS } from '../domain/metrics.ts'
import { ALERTS } from './chart/alerts.ts'
import { OBJECTIVES } from './chart/objectives.ts'
import { MADE_BY, table } from './markdown.ts'

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const texts = Object.entries(labels).map(([name, meaning]) => `\`${name}\`: ${meaning}`)
  return texts.join('<br>') || '–'
}

/** Lists every metric with its type, labels and meaning, and every alert. */
export function metricsPage(): string {
  const metrics = Object.entries(METRICS).map(([name, { type, help, labels, sources }]) => [
    `\`${name}\``,
    type,
    sources.join(', '),
    help,
    labelsOf(labels),
  ])
  const alerts = ALERTS.map(({ name, severity, for: duration, summary, runbook }) => [
    `[${name}](../runbooks/${runbook}.md)`,
    severity,
    duration,
    summary,
  ])
  const objectives = OBJECTIVES.map(({ name, promise }) => [`\`${name}\``, promise])
  return [
    MADE_BY,
    '# Metrics and alerts',
    '',
    'Generated from `domain/metrics.ts` and `dev/chart/alerts.ts`. Every process on a cluster',
    'serves its metrics in the Prometheus text format at `/metrics` on its operations port (9090).',
    'A scraper that asks for `application/openmetrics-text` gets OpenMetrics 1.0 (decision 269).',
    'Names, labels and their meanings do not change within a major version; labels may get new',
    'values.',
    'Labels never contain paths, ids, addresses or names of tenants (decision 201).',
    '',
    ...table(['metric', 'type', 'process', 'meaning', 'labels'], metrics),
    '',
    'A histogram `x` has the series `x_bucket` (with the label `le`), `x_sum` and `x_count`. Every',
    'worker reports the jobs of all workers, so take the maximum over workers. A controller',
    'reports the cases of its groups of shards, so take the sum over controllers.',
    '',
    '## Service level objectives',
    '',
    'They are for 30 days. The series `sigcase:slo_burn:rate1h`, and those of other windows,',
    'record how fast an objective uses up its error budget: at 1 the budget lasts 30 days.',
    '',
    ...table(['slo', 'objective'], objectives),
    '',
    '## Alerts',
    '',
    'The value `prometheusRule.enabled` of the chart creates them, `dashboard.enabled` a dashboard',
    'for Grafana. Each alert links its runbook.',
    '',
    ...table(['alert', 'severity', 'fires after', 'meaning'], alerts),
    '',
  ].join('\n')
}
