/**
 * The catalogue of metrics: names, types, labels and meanings. The registry, the reference page and
 * the tests of the alerts use it.
 */

/** Upper bounds of the buckets of a duration, in seconds. */
const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]
/** A job may wait for several outside systems. */
const JOB_BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** From seconds to three months, because people decide when a case goes on. */
const PHASE_BUCKETS_S = [
  1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000,
]

export type MetricType = 'counter' | 'gauge' | 'histogram'
/** The processes that have metrics. */
export type MetricSource = 'api' | 'controller' | 'worker'

interface MetricKind {
  type: MetricType
  /** One sentence, with the unit. */
  help: string
  sources: readonly MetricSource[]
  /** Meaning of each label. Their values come from code, never from requests. */
  labels: Readonly<Record<string, string>>
  /** Upper bounds of a histogram, in the unit of the metric. */
  buckets?: readonly number[]
}

const ALL: readonly MetricSource[] = ['api', 'controller', 'worker']

export const METRICS = {
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'Processor time used, in seconds.',
    sources: ALL,
    labels: {},
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory, in bytes.',
    sources: ALL,
    labels: {},
  },
  process_uptime_seconds: {
    type: 'gauge',
    help: 'Time since the start of the process, in seconds.',
    sources: ALL,
    labels: {},
  },
  sigcase_dependency_call_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls to systems outside the process, in seconds.',
    sources: ALL,
    labels: {
      system: '`objects`, `api-server`, `kms`, `tsa`, `smtp`, `sms`, `index` or `http`',
      operation: 'the method of the port, or of the HTTP request',
      outcome:
        '`ok`; `refused`: a retry does not help; `timeout`: too slow or not reachable; `error`',
    },
    buckets: REQUEST_BUCKETS_S,
  },
  sigcase_redis_connected: {
    type: 'gauge',
    help: 'Whether the connection of the process to Redis can be used (1) or not (0).',
    sources: ALL,
    labels: {},
  },
  sigcase_integrity_violations_total: {
    type: 'counter',
    help: 'Objects that were changed outside the service.',
    sources: ALL,
    labels: { object: 'kind of the object', fault: 'short name of the fault' },
  },
  sigcase_http_requests_total: {
    type: 'counter',
    help: 'Answered HTTP requests.',
    sources: ['api'],
    labels: {
      method: 'HTTP method, or `other`',
      route: 'template of the path, or `none` for a path that does not exist',
      status: 'class of the status: `2xx`, `3xx`, `4xx` or `5xx`',
    },
  },
  sigcase_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of HTTP requests, except event streams, in seconds.',
    sources: ['api'],
    labels: { method: 'HTTP method, or `other`', route: 'template of the path, or `none`' },
    buckets: REQUEST_BUCKETS_S,
  },
  sigcase_kiosk_streams: {
    type: 'gauge',
    help: 'Connected kiosks of this process.',
    sources: ['api'],
    labels: {},
  },
  sigcase_kiosk_delivery_seconds: {
    type: 'histogram',
    help:
      'Time from the publishing of an event for a connected kiosk to its sending in the stream, ' +
      'in seconds.',
    sources: ['api'],
    labels: {},
    buckets: REQUEST_BUCKETS_S,
  },
  sigcase_graphql_streams: {
    type: 'gauge',
    help: 'Open streams of GraphQL subscriptions of this process.',
    sources: ['api'],
    labels: {},
  },
  sigcase_graphql_sockets: {
    type: 'gauge',
    help: 'Open WebSockets of GraphQL clients of this process.',
    sources: ['api'],
    labels: {},
  },
  sigcase_controller_leads: {
    type: 'gauge',
    help: 'Whether this replica has the first group of shards, so that it is the leader.',
    sources: ['controller'],
    labels: {},
  },
  sigcase_controller_shard_groups: {
    type: 'gauge',
    help: 'Number of groups of shards that the replicas share (`CONTROLLER_SHARD_GROUPS`).',
    sources: ['controller'],
    labels: {},
  },
  sigcase_controller_has_shard_group: {
    type: 'gauge',
    help: 'Whether this replica has the group of shards, so that it reconciles its cases.',
    sources: ['controller'],
    labels: { group: 'number of the group, from 0' },
  },
  sigcase_reconcile_duration_seconds: {
    type: 'histogram',
    help: 'Duration of the reconciles of cases, in seconds.',
    sources: ['controller'],
    labels: { result: '`succeeded` or `failed`' },
    buckets: REQUEST_BUCKETS_S,
  },
  sigcase_reconcile_requeues_total: {
    type: 'counter',
    help: 'Reconciles after which the case is scheduled again.',
    sources: ['controller'],
    labels: { reason: '`failed`: the reconcile failed; `due`: a deadline or a retry comes' },
  },
  sigcase_cases_archived_total: {
    type: 'counter',
    help: 'Ended cases that were moved to the object store.',
    sources: ['controller'],
    labels: {},
  },
  sigcase_cases_restored_total: {
    type: 'counter',
    help: 'Archived cases whose resource was created again because there was work for them.',
    sources: ['controller'],
    labels: {},
  },
  sigcase_reconcile_queue_length: {
    type: 'gauge',
    help: 'Cases that wait for a reconcile or are being reconciled.',
    sources: ['controller'],
    labels: {},
  },
  sigcase_cases: {
    type: 'gauge',
    help: 'Cases by phase in the groups of this replica, counted at every resync.',
    sources: ['controller'],
    labels: { phase: 'the phase, such as `IN_PROGRESS`' },
  },
  sigcase_case_phase_duration_seconds: {
    type: 'histogram',
    help: 'Time that a case spent in a phase, in seconds, measured when the case leaves the phase.',
    sources: ['controller'],
    labels: { phase: 'the phase that the case left: `NEW` or `IN_PROGRESS`' },
    buckets: PHASE_BUCKETS_S,
  },
  sigcase_oldest_unfinished_case_seconds: {
    type: 'gauge',
    help:
      'Time since the last signature of the oldest case that everyone has signed and that has ' +
      'not ended, in seconds; of the groups of this replica, counted at every resync.',
    sources: ['controller'],
    labels: {},
  },
  sigcase_jobs: {
    type: 'gauge',
    help: 'Jobs by kind and state.',
    sources: ['worker'],
    labels: { kind: 'kind of the job', state: '`waiting`, `delayed` or `running`' },
  },
  sigcase_job_oldest_waiting_seconds: {
    type: 'gauge',
    help: 'Age of the job that has been ready to run for the longest time, in seconds.',
    sources: ['worker'],
    labels: { kind: 'kind of the job' },
  },
  sigcase_job_duration_seconds: {
    type: 'histogram',
    help: 'Duration of jobs, in seconds.',
    sources: ['worker'],
    labels: { kind: 'kind of the job', result: '`succeeded` or `failed`' },
    buckets: JOB_BUCKETS_S,
  },
  sigcase_job_failures_total: {
    type: 'counter',
    help: 'Failed runs of jobs.',
    sources: ['worker'],
    labels: {
      kind: 'kind of the job',
      cause: 'a code of the error catalogue, the refusal of a signing key, or `other`',
    },
  },
  sigcase_finalise_step_duration_seconds: {
    type: 'histogram',
    help: 'Duration of the steps of the job `finalise`, in seconds.',
    sources: ['worker'],
    labels: { step: 'name of the step', result: '`succeeded` or `failed`' },
    buckets: JOB_BUCKETS_S,
  },
  sigcase_case_completion_seconds: {
    type: 'histogram',
    help: 'Time from the last signature of a case to its complete documents, in seconds.',
    sources: ['worker'],
    labels: {},
    buckets: JOB_BUCKETS_S,
  },
  sigcase_webhook_first_attempt_seconds: {
    type: 'histogram',
    help: 'Time from an event to the first attempt to deliver its webhook, in seconds.',
    sources: ['worker'],
    labels: {},
    buckets: JOB_BUCKETS_S,
  },
  sigcase_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver a webhook.',
    sources: ['worker'],
    labels: { outcome: '`delivered`, `retryable`, `unauthorized` or `final`' },
  },
  sigcase_webhooks_ended_total: {
    type: 'counter',
    help: 'Webhook events whose delivery has ended.',
    sources: ['worker'],
    labels: { state: '`delivered`, `dead` (all attempts failed) or `failed` (not retried)' },
  },
  sigcase_worker_can_sign: {
    type: 'gauge',
    help: 'Whether the last canary of this worker passed.',
    sources: ['worker'],
    labels: {},
  },
  sigcase_canary_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last canary of this worker that passed, in seconds since 1970.',
    sources: ['worker'],
    labels: {},
  },
  sigcase_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'End of the validity of the earliest-ending certificate of a key, in seconds since 1970.',
    sources: ['worker'],
    labels: { key: 'name of the signing key' },
  },
  sigcase_revocation_list_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'The `nextUpdate` of a published revocation list, in seconds since 1970.',
    sources: ['worker'],
    labels: { authority: '`issuing` or `root`; of several lists, the first to expire' },
  },
  sigcase_trusted_lists_refreshed_timestamp_seconds: {
    type: 'gauge',
    help: 'When the trusted lists in force were read, in seconds since 1970.',
    sources: ['worker'],
    labels: {},
  },
  sigcase_verification_reports_total: {
    type: 'counter',
    help: 'Reports about uploaded documents, or refusals to make one.',
    sources: ['worker'],
    labels: {
      verdict: 'worst indication of the signatures; `unsigned` without one; `refused`: no report',
    },
  },
  sigcase_verification_disagreements_total: {
    type: 'counter',
    help: 'Reports in which the two judges of signatures disagree.',
    sources: ['worker'],
    labels: {
      opinion:
        '`wrong`: the second judge contradicts; `unknown`: it cannot decide, or its library fails',
    },
  },
} as const satisfies Record<string, MetricKind>

export type MetricName = keyof typeof METRICS
type NamesOf<T extends MetricType> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never
}[MetricName]
export type CounterName = NamesOf<'counter'>
export type GaugeName = NamesOf<'gauge'>
export type HistogramName = NamesOf<'histogram'>
/** A value for every label of the metric. */
export type MetricLabels<N extends MetricName> = Readonly<
  Record<keyof (typeof METRICS)[N]['labels'], string>
>
