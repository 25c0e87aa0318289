/**
 * Prometheus and Alertmanager on the node, with what the chart creates for them: alerts fire in
 * their own time when components are away, and clear when they are back.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../../dev/pods/layout.ts'
import { installChart } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, REPLICAS, until, untilWhole } from './cases.ts'
import {
  MONITORING_VALUES,
  prepareMonitoring,
  query,
  removeMonitoring,
  reports,
  startMonitoring,
  untilReported,
} from './monitoring.ts'

/** An alert waits at least three minutes, and Prometheus scrapes every 30 seconds. */
const ALERT_LIMIT_MS = 600_000

t.setTimeout(4 * ALERT_LIMIT_MS)
await untilWhole()
await prepareMonitoring()
await installChart({ ...cluster, set: MONITORING_VALUES })
await startMonitoring()
t.teardown(async () => {
  await installChart(cluster)
  await removeMonitoring()
})

type Component = keyof typeof REPLICAS

const scale = (component: Component, count: number) =>
  kubectl.run('scale', `deployment/sigcase-${component}`, NAMESPACE, `--replicas=${count}`)

/** Takes all pods of components away until the alerts have fired, and waits until they clear. */
async function loseAll(components: readonly Component[], alerts: readonly string[]): Promise<void> {
  for (const component of components) await scale(component, 0)
  try {
    for (const alert of alerts) {
      t.comment(`${alert} fires after ${await untilReported(alert, 'firing', ALERT_LIMIT_MS)} s`)
    }
  } finally {
    for (const component of components) await scale(component, REPLICAS[component])
  }
  for (const alert of alerts) {
    t.comment(`${alert} is over after ${await untilReported(alert, 'resolved', ALERT_LIMIT_MS)} s`)
  }
}

t.test('Prometheus reads the metrics of every pod, through the NetworkPolicies', async (t) => {
  for (const component of ['api', 'controller', 'worker'] as const) {
    const up = `up{job="sigcase-${component}-metrics",namespace="sigcase-system"} == 1`
    await until(`${component} is read`, async () =>
      (await query(up)).length === REPLICAS[component] ? true : undefined,
    )
  }
  t.same(
    (await query('ALERTS{alertstate="firing"}')).map(({ metric }) => metric.alertname),
    [],
    'no alert fires on a cluster that is well',
  )
})

t.test('workers and Redis are away', { timeout: 2 * ALERT_LIMIT_MS }, async (t) => {
  await loseAll(['worker', 'redis'], ['SigcaseCanaryFailing', 'SigcaseRedisLost'])
  await untilWhole()
  t.pass('all pods are back')
})

t.test('the API has no pods', { timeout: 2 * ALERT_LIMIT_MS }, async (t) => {
  await loseAll(['api'], ['SigcaseApiDown'])
  await untilWhole()
  t.pass('all pods are back')
})

t.test('each report links a runbook', async (t) => {
  for (const { labels, annotations } of await reports()) {
    t.ok(existsSync(join(ROOT, annotations.runbook_url ?? '')), labels.alertname)
  }
})
