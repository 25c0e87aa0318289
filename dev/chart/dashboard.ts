/** Builds the Grafana dashboard of the chart. */
import { burnRate } from './objectives.ts'

interface Panel {
  title: string
  /** Unit of Grafana: `s`, `short`, `reqps`, `percentunit`. */
  unit: string
  /** PromQL by legend. */
  queries: Readonly<Record<string, string>>
}

const PANEL_WIDTH = 8
const PANEL_HEIGHT = 8
const PANELS_PER_ROW = 3
const SCHEMA_VERSION = 39
const RATE = '[$__rate_interval]'

const quantile = (share: number, metric: string, ...labels: readonly string[]) =>
  `histogram_quantile(${share}, sum by (${['le', ...labels].join(', ')})` +
  ` (rate(${metric}_bucket${RATE})))`

const FAILED_REQUESTS = 'sigcase_http_requests_total{status="5xx"}'

const PANELS: readonly Panel[] = [
  {
    title: 'Error budgets: speed over 6 hours',
    unit: 'short',
    queries: { '{{slo}}': burnRate('6h') },
  },
  {
    title: 'Last signature to documents, 99th percentile',
    unit: 's',
    queries: { documents: quantile(0.99, 'sigcase_case_completion_seconds') },
  },
  {
    title: 'Event to first webhook, 99th percentile',
    unit: 's',
    queries: { webhooks: quantile(0.99, 'sigcase_webhook_first_attempt_seconds') },
  },
  {
    title: 'Requests by status',
    unit: 'reqps',
    queries: { '{{status}}': `sum by (status) (rate(sigcase_http_requests_total${RATE}))` },
  },
  {
    title: 'Failed requests by route',
    unit: 'reqps',
    queries: {
      '{{method}} {{route}}': `sum by (method, route) (rate(${FAILED_REQUESTS}${RATE}))`,
    },
  },
  {
    title: 'Requests, 99th percentile',
    unit: 's',
    queries: { '{{route}}': quantile(0.99, 'sigcase_http_request_duration_seconds', 'route') },
  },
  {
    title: 'Cases by phase',
    unit: 'short',
    queries: { '{{phase}}': 'sum by (phase) (sigcase_cases)' },
  },
  {
    title: 'Time of cases in a phase, median',
    unit: 's',
    queries: { '{{phase}}': quantile(0.5, 'sigcase_case_phase_duration_seconds', 'phase') },
  },
  {
    title: 'Oldest case that everyone has signed',
    unit: 's',
    queries: { age: 'max(sigcase_oldest_unfinished_case_seconds)' },
  },
  {
    title: 'Leaders',
    unit: 'short',
    queries: { leaders: 'sum(sigcase_controller_leads)' },
  },
  {
    title: 'Reconciles by result',
    unit: 'ops',
    queries: {
      '{{result}}': `sum by (result) (rate(sigcase_reconcile_duration_seconds_count${RATE}))`,
    },
  },
  {
    title: 'Waiting and running jobs',
    unit: 'short',
    queries: { '{{kind}} {{state}}': 'max by (kind, state) (sigcase_jobs)' },
  },
  {
    title: 'Age of the oldest waiting job',
    unit: 's',
    queries: { '{{kind}}': 'max by (kind) (sigcase_job_oldest_waiting_seconds)' },
  },
  {
    title: 'Jobs, 99th percentile',
    unit: 's',
    queries: { '{{kind}}': quantile(0.99, 'sigcase_job_duration_seconds', 'kind') },
  },
  {
    title: 'Failed jobs by cause',
    unit: 'ops',
    queries: {
      '{{kind}} {{cause}}': `sum by (kind, cause) (rate(sigcase_job_failures_total${RATE}))`,
    },
  },
  {
    title: 'Steps of finalise, 95th percentile',
    unit: 's',
    queries: { '{{step}}': quantile(0.95, 'sigcase_finalise_step_duration_seconds', 'step') },
  },
  {
    title: 'Outside systems, 95th percentile',
    unit: 's',
    queries: { '{{system}}': quantile(0.95, 'sigcase_dependency_call_duration_seconds', 'system') },
  },
  {
    title: 'Failed calls of outside systems',
    unit: 'ops',
    queries: {
      '{{system}} {{operation}} {{outcome}}':
        'sum by (system, operation, outcome) (rate(sigcase_dependency_call_duration_seconds_count' +
        `{outcome=~"error|timeout"}${RATE}))`,
    },
  },
  {
    title: 'Workers that can sign',
    unit: 'short',
    queries: { workers: 'sum(sigcase_worker_can_sign)' },
  },
  {
    title: 'Webhook attempts by outcome',
    unit: 'ops',
    queries: { '{{outcome}}': `sum by (outcome) (rate(sigcase_webhook_attempts_total${RATE}))` },
  },
  {
    title: 'Verifications by verdict',
    unit: 'ops',
    queries: {
      '{{verdict}}': `sum by (verdict) (rate(sigcase_verification_reports_total${RATE}))`,
    },
  },
  {
    title: 'Processes without Redis',
    unit: 'short',
    queries: { processes: 'count(sigcase_redis_connected == 0) or vector(0)' },
  },
  {
    title: 'Trusted lists: age',
    unit: 's',
    queries: { age: 'time() - max(sigcase_trusted_lists_refreshed_timestamp_seconds)' },
  },
  {
    title: 'Open streams',
    unit: 'short',
    queries: {
      kiosks: 'sum(sigcase_kiosk_streams)',
      'GraphQL subscriptions': 'sum(sigcase_graphql_streams)',
      'GraphQL sockets': 'sum(sigcase_graphql_sockets)',
    },
  },
  {
    title: 'Event to kiosk, 99th percentile',
    unit: 's',
    queries: { kiosks: quantile(0.99, 'sigcase_kiosk_delivery_seconds') },
  },
  {
    title: 'Certificates: time left',
    unit: 's',
    queries: {
      '{{key}}': 'min by (key) (sigcase_certificate_expiry_timestamp_seconds) - time()',
      'list of {{authority}}':
        'max by (authority) (sigcase_revocation_list_expiry_timestamp_seconds) - time()',
    },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: {
      '{{pod}}': 'process_resident_memory_bytes{job=~"sigcase-(api|controller|worker)-metrics"}',
    },
  },
  {
    title: 'Processor time',
    unit: 'short',
    queries: {
      '{{pod}}':
        'rate(process_cpu_seconds_total{job=~"sigcase-(api|controller|worker)-metrics"}' +
        `${RATE})`,
    },
  },
]

const SOURCE = { type: 'prometheus', uid: '${datasource}' }

function panelOf({ title, unit, queries }: Panel, index: number): object {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: SOURCE,
    gridPos: {
      x: (index % PANELS_PER_ROW) * PANEL_WIDTH,
      y: Math.floor(index / PANELS_PER_ROW) * PANEL_HEIGHT,
      w: PANEL_WIDTH,
      h: PANEL_HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], position) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + position),
      datasource: SOURCE,
      expr,
      legendFormat,
    })),
  }
}

/** All PromQL expressions of the dashboard. */
export const dashboardQueries = (): string[] =>
  PANELS.flatMap(({ queries }) => Object.values(queries))

/** Builds the dashboard in the JSON model of Grafana. */
export function dashboard(): object {
  return {
    uid: 'sigcase',
    title: 'sigcase',
    tags: ['sigcase'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', current: {} }],
    },
    panels: PANELS.map(panelOf),
  }
}
