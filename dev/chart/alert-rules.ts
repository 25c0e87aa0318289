/** Builds the rules of the chart: what Prometheus records for the objectives, and the alerts. */
import { ALERTS } from './alerts.ts'
import { recordingRules } from './objectives.ts'

/** The template replaces it by the value `prometheusRule.runbookBaseUrl`. */
const RUNBOOKS_PLACEHOLDER = 'RUNBOOKS'

/** Builds the `spec` of a PrometheusRule, which is also a rule file of Prometheus. */
export function alertRules(): { groups: { name: string; rules: object[] }[] } {
  const rules = ALERTS.map(
    ({ name, runbook, expr, for: duration, severity, summary, description }) => ({
      alert: name,
      expr,
      for: duration,
      labels: { severity },
      annotations: {
        summary,
        description,
        runbook_url: `${RUNBOOKS_PLACEHOLDER}/${runbook}.md`,
      },
    }),
  )
  return {
    groups: [
      { name: 'sigcase-objectives', rules: recordingRules() },
      { name: 'sigcase', rules },
    ],
  }
}
