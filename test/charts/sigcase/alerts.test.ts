/** The alerts and the dashboard: they use metrics that exist, and each alert fires and clears. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import t from 'tap'
import { alertRules } from '../../../dev/chart/alert-rules.ts'
import { ALERTS } from '../../../dev/chart/alerts.ts'
import { dashboard, dashboardQueries } from '../../../dev/chart/dashboard.ts'
import { OBJECTIVES, recordingRules } from '../../../dev/chart/objectives.ts'
import { isInstalled } from '../../../dev/outside-programs.ts'
import { METRICS } from '../../../domain/metrics.ts'
import { example, find, render, ROOT, withHelm } from '../../fixtures/chart.ts'

/** Reached only when it hangs; a busy machine needs a minute for some. */
const PROMTOOL_LIMIT_MS = 300_000
/** Metrics that Prometheus itself makes. */
const FOREIGN = new Set(['up'])
const RECORDED = new Map(recordingRules().map(({ record, expr }) => [record, expr]))
const QUERIES = [
  ...ALERTS.map(({ expr }) => expr),
  ...dashboardQueries(),
  ...recordingRules().map(({ expr }) => expr),
]

/**
 * Series with one value each minute: at `firesAt` minutes the alert fires, at `clearAt` it does
 * not. `a+bxn` begins with `a`, and adds `b` n times.
 */
interface Scenario {
  alert: string
  series: Readonly<Record<string, string>>
  firesAt: number
  clearAt: number
}

const RULES = ALERTS.length + recordingRules().length
const REQUESTS = 'sigcase_http_requests_total{method="GET",route="/cases"'
const CREATE = 'sigcase_http_request_duration_seconds_bucket{method="POST",route="/cases"'
const CALLS = 'sigcase_dependency_call_duration_seconds_count{system="kms",operation="sign"'
const DAY_S = 86_400
const CERTIFICATE = 'sigcase_certificate_expiry_timestamp_seconds{key="seal"}'
const LIST = 'sigcase_revocation_list_expiry_timestamp_seconds{authority="issuing"}'
const NAME = /\b(sigcase_\w+|sigcase:[\w:]+|process_\w+|up)\b/g

const SCENARIOS: readonly Scenario[] = [
  {
    alert: 'SigcaseApiErrors',
    series: {
      [`${REQUESTS},status="2xx"}`]: '0+100x60',
      [`${REQUESTS},status="5xx"}`]: '0+10x20 200+0x40',
      'sigcase_http_requests_total{method="GET",route="/readyz",status="5xx"}': '0+900x60',
    },
    firesAt: 15,
    clearAt: 30,
  },
  {
    alert: 'SigcaseApiSlow',
    series: {
      [`${CREATE},le="1"}`]: '0+90x30 2700+100x40',
      [`${CREATE},le="5"}`]: '0+100x70',
      [`${CREATE},le="+Inf"}`]: '0+100x70',
    },
    firesAt: 25,
    clearAt: 50,
  },
  {
    alert: 'SigcaseBudgetBurnsFast',
    series: {
      [`${REQUESTS},status="2xx"}`]: '0+100x400',
      [`${REQUESTS},status="5xx"}`]: '0+3x90 270+0x310',
    },
    firesAt: 70,
    clearAt: 130,
  },
  {
    alert: 'SigcaseBudgetBurnsSlowly',
    series: {
      'sigcase_case_completion_seconds_bucket{le="30"}': '0+97x300 29100+100x600',
      sigcase_case_completion_seconds_count: '0+100x900',
    },
    firesAt: 200,
    // The window of six hours is clean then, that of three days is not.
    clearAt: 800,
  },
  {
    alert: 'SigcaseApiDown',
    // No pod at all, and then one that does not answer yet.
    series: { 'up{job="sigcase-api-metrics",instance="a"}': '_x5 0x5 1x20' },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseTargetDown',
    series: { 'up{job="sigcase-worker-metrics",instance="a"}': '0x10 1x20' },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseNoLeader',
    series: {
      'sigcase_controller_leads{pod="a"}': '0x10 1x20',
      'sigcase_controller_leads{pod="b"}': '0x30',
    },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseShardGroupWithoutController',
    series: {
      'sigcase_controller_has_shard_group{pod="a",group="0"}': '0x30',
      'sigcase_controller_has_shard_group{pod="a",group="1"}': '0x10 1x20',
      'sigcase_controller_has_shard_group{pod="b",group="1"}': '0x30',
      'sigcase_controller_has_shard_group{pod="b",group="2"}': '1x30',
    },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseReconcilesFailing',
    series: {
      'sigcase_reconcile_duration_seconds_count{result="failed"}': '0+5x30 150+0x40',
      'sigcase_reconcile_duration_seconds_count{result="succeeded"}': '0+20x70',
    },
    firesAt: 25,
    clearAt: 50,
  },
  {
    alert: 'SigcaseCaseOverdue',
    series: { sigcase_oldest_unfinished_case_seconds: '0+60x30 0x20' },
    firesAt: 25,
    clearAt: 35,
  },
  {
    alert: 'SigcaseFinaliseFailing',
    series: {
      'sigcase_job_failures_total{kind="finalise",cause="TIMEOUT",pod="a"}': '_x5 1x55',
      'sigcase_job_failures_total{kind="finalise",cause="TIMEOUT",pod="b"}': '_x5 3x55',
      'sigcase_job_failures_total{kind="finalise",cause="other",pod="b"}': '0x4 1x55',
      'sigcase_job_failures_total{kind="verify",cause="other"}': '0+9x60',
    },
    firesAt: 15,
    clearAt: 50,
  },
  {
    alert: 'SigcaseJobsFailing',
    series: { 'sigcase_job_failures_total{kind="notify",cause="other"}': '0+1x30 30+0x60' },
    firesAt: 28,
    clearAt: 80,
  },
  {
    alert: 'SigcaseQueueOld',
    series: { 'sigcase_job_oldest_waiting_seconds{kind="finalise"}': '0+60x20 0x20' },
    firesAt: 15,
    clearAt: 25,
  },
  {
    alert: 'SigcaseWebhooksDead',
    // The first scrape of a new worker comes after the event.
    series: { 'sigcase_webhooks_ended_total{state="dead"}': '_x10 2x100' },
    firesAt: 15,
    clearAt: 90,
  },
  {
    alert: 'SigcaseCanaryFailing',
    series: { 'sigcase_worker_can_sign{instance="a"}': '0x10 1x20' },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseWorkerCannotSign',
    series: { 'sigcase_worker_can_sign{instance="a"}': '0x20 1x20' },
    firesAt: 15,
    clearAt: 25,
  },
  {
    alert: 'SigcaseCertificateExpiring',
    series: {
      [CERTIFICATE]: `${20 * DAY_S}x90 ${900 * DAY_S}x60`,
    },
    firesAt: 80,
    clearAt: 110,
  },
  {
    alert: 'SigcaseRevocationListExpiring',
    series: {
      [LIST]: `${2 * DAY_S}x60 ${7 * DAY_S}x60`,
    },
    firesAt: 50,
    clearAt: 70,
  },
  {
    alert: 'SigcaseDependencyFailing',
    series: {
      [`${CALLS},outcome="timeout"}`]: '0+5x30 150+0x40',
      [`${CALLS},outcome="ok"}`]: '0+10x70',
    },
    firesAt: 25,
    clearAt: 50,
  },
  {
    alert: 'SigcaseRedisLost',
    series: {
      'sigcase_redis_connected{pod="a"}': '0x10 1x20',
      'sigcase_redis_connected{pod="b"}': '1x30',
    },
    firesAt: 8,
    clearAt: 15,
  },
  {
    alert: 'SigcaseIntegrityViolation',
    series: {
      'sigcase_integrity_violations_total{object="outcome",fault="wrongMac"}': '_x10 1x200',
    },
    firesAt: 15,
    clearAt: 100,
  },
  {
    alert: 'SigcaseJudgesDisagree',
    series: { 'sigcase_verification_disagreements_total{opinion="wrong"}': '_x10 1x200' },
    firesAt: 15,
    clearAt: 100,
  },
]

/** Series for which no alert of an objective, and none of events, fires at the minutes below. */
const QUIET: readonly Scenario['series'][] = [
  // Within the objective.
  { [`${REQUESTS},status="2xx"}`]: '0+9995x400', [`${REQUESTS},status="5xx"}`]: '0+5x400' },
  // Few events, of which one in three is bad.
  {
    'sigcase_webhook_first_attempt_seconds_bucket{le="60"}': '0x100 2x300',
    sigcase_webhook_first_attempt_seconds_count: '0x100 3x300',
  },
  // Old events, and one scrape that failed an hour before.
  {
    'sigcase_integrity_violations_total{object="outcome",fault="wrongMac"}': '5x139 stale 5x300',
    'sigcase_verification_disagreements_total{opinion="wrong"}': '5x139 stale 5x300',
  },
]

const QUIET_ALERTS = 'SigcaseBudget.*|SigcaseIntegrityViolation|SigcaseJudgesDisagree'

const quietTest = (series: Scenario['series']): object => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [110, 200, 390].map((minutes) => ({
    expr: `count(ALERTS{alertname=~"${QUIET_ALERTS}",alertstate="firing"}) or vector(0)`,
    eval_time: `${minutes}m`,
    exp_samples: [{ labels: '{}', value: 0 }],
  })),
})

/** A test file of promtool: alerts that fire now are listed with their labels only. */
function promtoolTest({ alert, series, firesAt, clearAt }: Scenario): object {
  return {
    interval: '1m',
    name: alert,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      [firesAt, 1],
      [clearAt, 0],
    ].map(([minutes, count]) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${minutes}m`,
      exp_samples: [{ labels: '{}', value: count }],
    })),
  }
}

/**
 * The rules that decide whether one alert fires: evaluating all of them for each scenario takes ten
 * times as long.
 */
function rulesOf(alert: string): object {
  const expr = ALERTS.find(({ name }) => name === alert)?.expr ?? ''
  const isUsed = (rule: { alert?: string; record?: string }) =>
    rule.alert === alert || (rule.record !== undefined && expr.includes(rule.record))
  const groups = alertRules().groups.map(({ name, rules }) => ({
    name,
    rules: rules.filter(isUsed),
  }))
  return { groups: groups.filter(({ rules }) => rules.length > 0) }
}

function promtool(...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    timeout: PROMTOOL_LIMIT_MS,
  })
  return { status, text: stdout + stderr }
}

const withPromtool = isInstalled('promtool') ? {} : { skip: 'promtool is not installed' }

t.test('every query uses metrics and labels of the catalogue', async (t) => {
  for (const query of QUERIES) {
    const names = [...query.matchAll(NAME)].map(([, name]) => `${name}`)
    t.ok(names.length > 0, query)
    for (const name of names) {
      const base = name.replace(/_(bucket|count|sum)$/, '')
      const isMade = FOREIGN.has(name) || RECORDED.has(name)
      t.ok(isMade || name in METRICS || base in METRICS, name)
    }
    for (const [, name = '', matchers = ''] of query.matchAll(/\b(sigcase_\w+)\{([^}]*)\}/g)) {
      const base = name in METRICS ? name : name.replace(/_(bucket|count|sum)$/, '')
      const { labels } = METRICS[base as keyof typeof METRICS]
      const used = [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => `${label}`)
      const isBound = (label: string) => label === 'le' && name.endsWith('_bucket')
      for (const label of used)
        t.ok(label in labels || isBound(label), `${name} has the label ${label}`)
    }
  }
})

t.test('each alert has its runbook, and each runbook its alert', async (t) => {
  for (const { name, runbook } of ALERTS) {
    const path = join(ROOT, 'docs', 'runbooks', `${runbook}.md`)
    t.ok(existsSync(path), path)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    t.match(text, `\`${name}\``)
    for (const part of ['## What it means', '## How to investigate', '## How to fix']) {
      t.match(text, part, `${name}: ${part}`)
    }
  }
})

t.test('each alert is tested', async (t) => {
  t.same(
    SCENARIOS.map(({ alert }) => alert),
    ALERTS.map(({ name }) => name),
  )
})

t.test('each objective has a name of its own, and a bound that its histogram has', async (t) => {
  const names = OBJECTIVES.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  for (const { expr } of recordingRules()) {
    for (const [, name, le] of expr.matchAll(/(\w+)_bucket\{[^}]*le="([\d.]+)"/g)) {
      const metric = METRICS[name as keyof typeof METRICS] as { buckets?: readonly number[] }
      t.ok(metric.buckets?.includes(Number(le)), `${name} has the bound ${le}`)
    }
  }
})

t.test('the dashboard can be imported', async (t) => {
  const { panels } = JSON.parse(JSON.stringify(dashboard())) as { panels: { id: number }[] }
  t.ok(panels.length > 15)
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
})

t.test('promtool accepts the rules; each alert fires and clears', withPromtool, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-alerts-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const rules = join(folder, 'rules.yaml')
  writeFileSync(rules, dump(alertRules()))
  t.match(promtool('check', 'rules', rules), { status: 0, text: `${RULES} rules found` })
  const files = SCENARIOS.map((scenario) => {
    const file = join(folder, `${scenario.alert}.yaml`)
    const own = join(folder, `${scenario.alert}-rules.yaml`)
    writeFileSync(own, dump(rulesOf(scenario.alert)))
    const tests = [promtoolTest(scenario)]
    writeFileSync(file, dump({ rule_files: [own], evaluation_interval: '1m', tests }))
    return file
  })
  const quiet = join(folder, 'quiet.yaml')
  const tests = QUIET.map(quietTest)
  // All rules each minute took 6 s of CPU time.
  writeFileSync(quiet, dump({ rule_files: [rules], evaluation_interval: '5m', tests }))
  // A process for each file took 2 s of CPU time.
  const { status, text } = promtool('test', 'rules', ...files, quiet)
  for (const file of [...files, quiet]) t.match(text, `Unit Testing:  ${file}\n  SUCCESS`, file)
  t.equal(status, 0, text)
})

t.test('the chart installs rules and dashboard when it is asked to', withHelm, async (t) => {
  const values = example('full')
  const manifests = render({ values })
  const rule = find(manifests, 'PrometheusRule', 'sigcase')
  t.match(rule.metadata.labels, { release: 'prometheus' })
  const text = JSON.stringify(rule)
  const base = 'https://runbooks.example.com/sigcase'
  for (const { runbook } of ALERTS) t.match(text, `"runbook_url":"${base}/${runbook}.md"`)
  t.notMatch(text, 'RUNBOOKS')
  const map = find(manifests, 'ConfigMap', 'sigcase-dashboard') as unknown as {
    metadata: { labels: object }
    data: Record<string, string>
  }
  t.match(map.metadata.labels, { grafana_dashboard: '1' })
  t.same(JSON.parse(map.data['sigcase.json'] ?? ''), JSON.parse(JSON.stringify(dashboard())))
  const without = render({ values: example('minimal') })
  t.notOk(without.some(({ kind }) => kind === 'PrometheusRule'))
  t.notOk(without.some(({ metadata: { name } }) => name === 'sigcase-dashboard'))
})
