/** The alerts of the service: when each fires, and what it says. */
import { burnRate, eventCount, type Window } from './objectives.ts'

export interface Alert {
  /** Name of the alert. */
  name: string
  /** File in `docs/runbooks/`, without `.md`. */
  runbook: string
  /** PromQL; the alert fires while it has a result for the time `for`. */
  expr: string
  for: string
  severity: 'critical' | 'warning'
  /** One sentence. */
  summary: string
  /** May contain templates of Prometheus. */
  description: string
}

/** Probes answer 503 while the service is unavailable; that is another alert. */
const REQUESTS = 'sigcase_http_requests_total{route!~"/(healthz|readyz)"}'
const FAILED_REQUESTS = REQUESTS.replace('}', ',status="5xx"}')
const OTHER_FAILED_JOBS = 'sigcase_job_failures_total{kind!="finalise"}'
const DAY_S = 86_400
const FIRST_CERTIFICATE = 'min by (key) (sigcase_certificate_expiry_timestamp_seconds)'

/**
 * Counts the events in a window, for each series. `increase` does not see those before the first
 * scrape of a series, so the value itself counts while the series is younger than the window
 * (decision 272). A series without a sample for less than five minutes is not young.
 */
const eventsIn = (series: string, window: string) =>
  `(${series} unless max_over_time(${series}[5m] offset ${window}))` +
  ` or increase(${series}[${window}])`

/** Fewer events say little: one slow request of three would wake somebody up. */
const MIN_EVENTS = 30

/**
 * An error budget burns at a speed over a long window, and still does over a short one, so that the
 * alert ends soon after the cause (the multiwindow alerts of the SRE workbook, chapter 5).
 */
const burns = (speed: number, long: Window, short: Window) =>
  `${burnRate(long)} > ${speed} and ${burnRate(short)} > ${speed}` +
  ` and ${eventCount(long)} >= ${MIN_EVENTS}`

export const ALERTS: readonly Alert[] = [
  {
    name: 'SigcaseApiErrors',
    runbook: 'api-errors',
    expr: `sum(rate(${FAILED_REQUESTS}[5m])) / sum(rate(${REQUESTS}[5m])) > 0.05`,
    for: '5m',
    severity: 'critical',
    summary: 'The API answers more than 5 % of requests with a 5xx status.',
    description: '{{ $value | humanizePercentage }} of the requests fail.',
  },
  {
    name: 'SigcaseApiSlow',
    runbook: 'api-slow',
    expr:
      'histogram_quantile(0.99, sum by (le) (rate(' +
      'sigcase_http_request_duration_seconds_bucket{method="POST",route="/cases"}[10m]))) > 2.5',
    for: '10m',
    severity: 'warning',
    summary: 'One in a hundred requests to create a case takes longer than 2.5 seconds.',
    description: 'The 99th percentile is {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SigcaseBudgetBurnsFast',
    runbook: 'error-budget',
    expr: `(${burns(14.4, '1h', '5m')}) or (${burns(6, '6h', '30m')})`,
    for: '2m',
    severity: 'critical',
    summary: 'A service level objective uses up its error budget within days.',
    description:
      'The objective {{ $labels.slo }} burns its budget of 30 days {{ $value | humanize }} times ' +
      'as fast as it may.',
  },
  {
    name: 'SigcaseBudgetBurnsSlowly',
    runbook: 'error-budget',
    expr: burns(1, '3d', '6h'),
    for: '1h',
    severity: 'warning',
    summary: 'A service level objective will not be met if nothing changes.',
    description:
      'The objective {{ $labels.slo }} burns its budget of 30 days {{ $value | humanize }} times ' +
      'as fast as it may.',
  },
  {
    name: 'SigcaseApiDown',
    runbook: 'api-down',
    // Without pods there are no requests that fail, and no targets that do not answer.
    expr: '(sum(up{job="sigcase-api-metrics"}) or vector(0)) == 0',
    for: '3m',
    severity: 'critical',
    summary: 'Prometheus sees no process of the API, so tenants and participants get no answer.',
    description: 'No pod of the API runs and answers.',
  },
  {
    name: 'SigcaseTargetDown',
    runbook: 'target-down',
    expr: 'up{job=~"sigcase-(api|controller|worker)-metrics"} == 0',
    for: '5m',
    severity: 'warning',
    summary: 'Prometheus cannot read the metrics of a process.',
    description: '{{ $labels.job }} at {{ $labels.instance }} does not answer.',
  },
  {
    name: 'SigcaseNoLeader',
    runbook: 'no-leader',
    expr: '(sum(sigcase_controller_leads) or vector(0)) == 0',
    for: '3m',
    severity: 'critical',
    summary: 'No controller is the leader, so no case or only a part of them makes progress.',
    description: 'No replica of the controller reports that it leads.',
  },
  {
    name: 'SigcaseShardGroupWithoutController',
    runbook: 'shard-group-without-controller',
    expr: 'max by (group) (sigcase_controller_has_shard_group{group!="0"}) == 0',
    for: '3m',
    severity: 'critical',
    summary: 'No controller has a group of shards, so a part of the cases makes no progress.',
    description: 'No replica of the controller reports that it has group {{ $labels.group }}.',
  },
  {
    name: 'SigcaseReconcilesFailing',
    runbook: 'reconciles-failing',
    expr:
      'sum(rate(sigcase_reconcile_duration_seconds_count{result="failed"}[10m])) / ' +
      'sum(rate(sigcase_reconcile_duration_seconds_count[10m])) > 0.1',
    for: '10m',
    severity: 'warning',
    summary: 'More than 10 % of the reconciles of cases fail.',
    description: '{{ $value | humanizePercentage }} of the reconciles fail.',
  },
  {
    name: 'SigcaseCaseOverdue',
    runbook: 'case-overdue',
    expr: 'max(sigcase_oldest_unfinished_case_seconds) > 900',
    for: '5m',
    severity: 'critical',
    summary: 'A case that everyone has signed has no signed document yet.',
    description: 'The last signature was {{ $value | humanizeDuration }} ago.',
  },
  {
    name: 'SigcaseFinaliseFailing',
    runbook: 'finalise-failing',
    expr: `sum(${eventsIn('sigcase_job_failures_total{kind="finalise"}', '15m')}) >= 5`,
    for: '5m',
    severity: 'critical',
    summary: 'Signed documents cannot be made.',
    description: '{{ $value | humanize }} runs of the job `finalise` failed in 15 minutes.',
  },
  {
    name: 'SigcaseJobsFailing',
    runbook: 'jobs-failing',
    expr: `sum by (kind) (${eventsIn(OTHER_FAILED_JOBS, '30m')}) >= 10`,
    for: '5m',
    severity: 'warning',
    summary: 'A kind of job fails repeatedly.',
    description: '{{ $value | humanize }} runs of the job {{ $labels.kind }} failed in 30 minutes.',
  },
  {
    name: 'SigcaseQueueOld',
    runbook: 'queue-old',
    expr: 'max by (kind) (sigcase_job_oldest_waiting_seconds) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'Jobs wait too long for a worker.',
    description:
      'A job of the kind {{ $labels.kind }} has been waiting for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SigcaseWebhooksDead',
    runbook: 'webhooks-dead',
    expr: `sum(${eventsIn('sigcase_webhooks_ended_total{state=~"dead|failed"}', '1h')}) >= 1`,
    for: '1m',
    severity: 'warning',
    summary: 'Tenants did not get webhooks, and they are not retried.',
    description: '{{ $value | humanize }} webhooks ended without delivery in one hour.',
  },
  {
    name: 'SigcaseCanaryFailing',
    runbook: 'canary-failing',
    expr: '(max(sigcase_worker_can_sign) or vector(0)) == 0',
    for: '3m',
    severity: 'critical',
    summary: 'No worker can sign, so participants cannot sign either.',
    description: 'The canary passes on no worker.',
  },
  {
    name: 'SigcaseWorkerCannotSign',
    runbook: 'canary-failing',
    expr: 'sigcase_worker_can_sign == 0',
    for: '10m',
    severity: 'warning',
    summary: 'The canary of one worker fails.',
    description: '{{ $labels.instance }} leaves signing to other workers.',
  },
  {
    name: 'SigcaseCertificateExpiring',
    runbook: 'certificate-expiring',
    expr: `${FIRST_CERTIFICATE} - time() < ${30 * DAY_S}`,
    for: '1h',
    severity: 'warning',
    summary: 'A certificate of a signing key expires within 30 days.',
    description: 'The key {{ $labels.key }}: {{ $value | humanizeDuration }} left.',
  },
  {
    name: 'SigcaseRevocationListExpiring',
    runbook: 'revocation-list-expiring',
    expr:
      'max by (authority) (sigcase_revocation_list_expiry_timestamp_seconds) - time() < ' +
      `${3 * DAY_S}`,
    for: '30m',
    severity: 'critical',
    summary: 'A published revocation list expires within 3 days.',
    description: 'The list of {{ $labels.authority }}: {{ $value | humanizeDuration }} left.',
  },
  {
    name: 'SigcaseDependencyFailing',
    runbook: 'dependency-failing',
    expr:
      'sum by (system) (rate(' +
      'sigcase_dependency_call_duration_seconds_count{outcome=~"error|timeout",system!="http"}' +
      '[10m])) / sum by (system) (rate(' +
      'sigcase_dependency_call_duration_seconds_count{system!="http"}[10m])) > 0.2',
    for: '10m',
    severity: 'warning',
    summary: 'A system that the service needs fails or is too slow.',
    description: '{{ $value | humanizePercentage }} of the calls to {{ $labels.system }} fail.',
  },
  {
    name: 'SigcaseRedisLost',
    runbook: 'redis-lost',
    expr: 'count(sigcase_redis_connected == 0) > 0',
    for: '3m',
    severity: 'critical',
    summary: 'Processes have no connection to Redis; if none has one, cases make no progress.',
    description: 'Processes without a connection to Redis: {{ $value }}.',
  },
  {
    name: 'SigcaseIntegrityViolation',
    runbook: 'integrity-violation',
    expr: `(${eventsIn('sigcase_integrity_violations_total', '1h')}) > 0`,
    for: '0m',
    severity: 'critical',
    summary: 'An object in the store was changed outside the service.',
    description: 'Object {{ $labels.object }}, fault {{ $labels.fault }}.',
  },
  {
    name: 'SigcaseJudgesDisagree',
    runbook: 'judges-disagree',
    expr: `sum(${eventsIn('sigcase_verification_disagreements_total', '1h')}) >= 1`,
    for: '0m',
    severity: 'warning',
    summary: 'The two libraries that verify signatures came to different results.',
    description: '{{ $value | humanize }} reports in one hour.',
  },
]
