/**
 * The service level objectives, and the rules that record how fast each uses up its error budget.
 */

export interface Objective {
  /** Label `slo` of the recorded series. */
  name: string
  /** One sentence. */
  promise: string
  /** Share of the events that must be good, over 30 days. */
  goal: number
  /** PromQL for the rate of all events and of the good ones. */
  all: (window: string) => string
  good: (window: string) => string
}

interface RecordingRule {
  record: string
  expr: string
  labels: { slo: string }
}

const REQUESTS = 'sigcase_http_requests_total{route!~"/(healthz|readyz)"}'
const GOOD_REQUESTS = REQUESTS.replace('}', ',status!="5xx"}')

const rate = (series: string) => (window: string) => `sum(rate(${series}[${window}]))`

/** An objective for the share of events that take at most `seconds`, a bound of the histogram. */
function within(histogram: string, seconds: string, labels = ''): Pick<Objective, 'all' | 'good'> {
  const others = labels === '' ? '' : `${labels},`
  const selector = labels === '' ? '' : `{${labels}}`
  return {
    all: rate(`${histogram}_count${selector}`),
    good: rate(`${histogram}_bucket{${others}le="${seconds}"}`),
  }
}

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'availability',
    promise: '99.9 % of the requests are answered without a 5xx status.',
    goal: 0.999,
    all: rate(REQUESTS),
    good: rate(GOOD_REQUESTS),
  },
  {
    name: 'create',
    promise: '99 % of the requests `POST /cases` are answered within 1 second.',
    goal: 0.99,
    ...within('sigcase_http_request_duration_seconds', '1', 'method="POST",route="/cases"'),
  },
  {
    name: 'completion',
    promise: '99 % of the signed documents are complete 30 seconds after the last signature.',
    goal: 0.99,
    ...within('sigcase_case_completion_seconds', '30'),
  },
  {
    name: 'webhook',
    promise: '99 % of the webhooks are sent for the first time within 60 seconds of their event.',
    goal: 0.99,
    ...within('sigcase_webhook_first_attempt_seconds', '60'),
  },
]

/** Windows of the alerts; each alert has a long and a short one. */
export const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const
export type Window = (typeof WINDOWS)[number]

/** Name of the series with the speed at which an error budget is used up; 1 lasts 30 days. */
export const burnRate = (window: Window): string => `sigcase:slo_burn:rate${window}`
/** Name of the series with the number of events in a window. */
export const eventCount = (window: Window): string => `sigcase:slo_events:increase${window}`

/** Builds the recording rules of all objectives. */
export function recordingRules(): RecordingRule[] {
  return OBJECTIVES.flatMap(({ name, goal, all, good }) =>
    WINDOWS.flatMap((window) => {
      const bad = `1 - (${good(window)} or vector(0)) / ${all(window)}`
      const budget = Number((1 - goal).toFixed(6))
      const events = all(window).replace('rate(', 'increase(')
      const labels = { slo: name }
      return [
        { record: burnRate(window), expr: `(${bad}) / ${budget}`, labels },
        { record: eventCount(window), expr: events, labels },
      ]
    }),
  )
}
