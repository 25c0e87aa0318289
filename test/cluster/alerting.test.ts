/**
 * Prometheus and Alertmanager report each thing that is broken on a cluster, and that it was
 * mended. Real processes export what the rules and the dashboard ask for.
 */
import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Child } from '../../dev/local-cluster/child.ts'
import { ALERTS } from '../../dev/chart/alerts.ts'
import { intakeKey } from '../../domain/cases/keys.ts'
import {
  countDisagreement,
  keepSlow,
  oldCertificates,
  openCases,
  repeat,
  restart,
  serveVerifications,
  signAll,
  touchAll,
  uploadTo,
} from '../fixtures/alert-causes.ts'
import type { Client } from '../e2e/client.ts'
import { bucketOf } from '../fixtures/bucket.ts'
import { missingSeries } from '../fixtures/exported-series.ts'
import { RESTARTED, TENANT, withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'
import { startMonitoring, withoutMonitoring, type Monitoring } from '../fixtures/monitoring.ts'
import { httpReceiver } from '../fixtures/receiver.ts'

t.setTimeout(580_000)

const REQUEST_INTERVAL_MS = 150
const CREATE_INTERVAL_MS = 300
const TOUCH_INTERVAL_MS = 1_000
/** Requests are repeated for longer than an outage of the test. */
const PATIENCE_MS = 120_000
/** A job that failed often is tried again within a minute, and later on a busy machine. */
const DONE_MS = 240_000
const NOWHERE = 'http://127.0.0.1:1'
/** Enough failed jobs for the alerts about them. */
const CASES = 6

const portOf = (child: Child) => Number(new URL(child.options.readyUrl ?? '').port)
const portsOf = (...children: readonly Child[]) => children.map(portOf)
const instanceOf = (child: Child) => ({ instance: `127.0.0.1:${portOf(child)}` })

/** Alerts that were seen to fire and to clear. */
const fired = new Set<string>()
const cleared = new Set<string>()

function watched({ untilReported }: Monitoring) {
  const startedMs = performance.now()
  const after = () => `${Math.round(performance.now() - startedMs)} ms`
  return {
    async fires(alert: string, labels = {}) {
      await untilReported(alert, 'firing', labels)
      fired.add(alert)
      t.comment(`${after()}: ${alert} fires`)
    },
    async clear(...alerts: readonly string[]) {
      await Promise.all(alerts.map((alert) => untilReported(alert, 'resolved')))
      for (const alert of alerts) cleared.add(alert)
      t.comment(`${after()}: over: ${alerts.join(', ')}`)
    },
  }
}

async function start(cluster: TestCluster) {
  const { api, controllers, workers } = cluster
  const verifications = await serveVerifications()
  const folder = mkdtempSync(join(tmpdir(), 'monitoring-'))
  t.teardown(async () => {
    await verifications.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const monitoring = await startMonitoring(t, folder, [
    { job: 'sigcase-api-metrics', ports: portsOf(api) },
    { job: 'sigcase-controller-metrics', ports: portsOf(...controllers) },
    { job: 'sigcase-worker-metrics', ports: [...portsOf(...workers), verifications.port] },
  ])
  return { ...watched(monitoring), monitoring, verifications }
}

/** Three causes that have nothing to do with each other. */
async function breakSmallThings(
  t: Test,
  { environment }: TestCluster,
  people: Client,
): Promise<void> {
  const receiver = await httpReceiver((_, response) => response.writeHead(400).end())
  t.teardown(() => receiver.close())
  const url = `http://127.0.0.1:${receiver.port}/`
  await signAll(people, await openCases(people, 1, { callback: { url, authType: 'NONE' } }))
  const { case: created, upload } = await people.create('Contract', [{}])
  const place = intakeKey({ tenant: TENANT, caseId: created.id })
  await bucketOf(environment).putIfAbsent(place, Buffer.from('{}'), 'application/json')
  await uploadTo(people, upload.url)
}

await withLocalCluster(RESTARTED, async (cluster) => {
  if (withoutMonitoring !== false) return t.comment(withoutMonitoring)
  const { admin, api, controllers, reader, plane, outside, redis } = cluster
  const [first, second] = cluster.workers as [Child, Child]
  const [one, two] = controllers as [Child, Child]
  const people = await cluster.client(PATIENCE_MS)
  const hurried = await cluster.client()
  const { fires, clear, monitoring, verifications } = await start(cluster)

  t.test('the API server is slow, and then away', async (t) => {
    const create = () => hurried.create('Contract', [{}])
    const stopListing = repeat(() => hurried.request('GET', '/cases'), REQUEST_INTERVAL_MS)
    const stopCreating = repeat(() => Promise.all([create(), create()]), CREATE_INTERVAL_MS)
    const stopPauses = keepSlow(plane.pids.etcd)
    t.teardown(() => Promise.all([stopListing(), stopCreating()]))
    await fires('SigcaseApiSlow').finally(stopPauses)
    await stopCreating()
    await plane.killApiServer()
    await Promise.all([
      fires('SigcaseApiErrors'),
      fires('SigcaseBudgetBurnsFast', { slo: 'availability' }),
      fires('SigcaseBudgetBurnsSlowly', { slo: 'availability' }),
    ])
    await plane.restartApiServer()
    await clear('SigcaseApiErrors', 'SigcaseApiSlow')
  })

  t.test('a worker cannot sign, and the other has old certificates', async (t) => {
    const old = await oldCertificates(cluster)
    await Promise.all([
      restart(first, { KMS_ENDPOINT: NOWHERE }),
      restart(second, { KMS_CERTIFICATES: old.folder }),
    ])
    await breakSmallThings(t, cluster, people)
    countDisagreement(verifications.metrics)
    await Promise.all([
      fires('SigcaseWebhooksDead'),
      fires('SigcaseIntegrityViolation', { object: 'intake' }),
      fires('SigcaseJudgesDisagree'),
      fires('SigcaseCertificateExpiring', { key: 'seal' }),
      fires('SigcaseRevocationListExpiring', { authority: 'root' }),
      fires('SigcaseWorkerCannotSign', instanceOf(first)),
      fires('SigcaseDependencyFailing', { system: 'kms' }),
      second.ready(),
    ])
    await clear('SigcaseWebhooksDead', 'SigcaseIntegrityViolation', 'SigcaseJudgesDisagree')
    await second.end('SIGKILL')
    await signAll(people, await openCases(people, 1))
    await Promise.all([
      fires('SigcaseTargetDown', instanceOf(second)),
      fires('SigcaseCanaryFailing'),
      fires('SigcaseQueueOld', { kind: 'finalise' }),
    ])
    await old.mend()
    second.start({ KMS_CERTIFICATES: old.folder })
    await restart(first)
    await clear('SigcaseCertificateExpiring', 'SigcaseRevocationListExpiring')
    await clear('SigcaseWorkerCannotSign', 'SigcaseDependencyFailing', 'SigcaseTargetDown')
    await clear('SigcaseCanaryFailing', 'SigcaseQueueOld')
    await clear('SigcaseBudgetBurnsFast', 'SigcaseBudgetBurnsSlowly')
  })

  t.test('keys, reader, bucket and controllers fail', async () => {
    const cases = await openCases(people, CASES)
    for (const worker of [first, second]) worker.signal('SIGSTOP')
    await signAll(people, cases)
    await outside.setAway('keys', true)
    for (const worker of [first, second]) worker.signal('SIGCONT')
    await fires('SigcaseFinaliseFailing')
    await reader.end('SIGKILL')
    const others = await Promise.all(cases.map(() => people.create('Contract', [{}])))
    for (const { upload } of others) await uploadTo(people, upload.url)
    await fires('SigcaseJobsFailing', { kind: 'intake' })
    await outside.setAway('storage', true)
    // Each reconcile of a case without a verdict looks for one.
    const unread = others.map(({ case: { id } }) => id)
    const stopTouching = repeat(() => touchAll(admin, unread), TOUCH_INTERVAL_MS)
    await fires('SigcaseReconcilesFailing').finally(stopTouching)
    await outside.setAway('storage', false)
    await Promise.all(controllers.map((controller) => controller.end()))
    await fires('SigcaseNoLeader')
    one.start()
    await fires('SigcaseCaseOverdue')
    // The first one leads: a leader with two groups would have both.
    two.start({ CONTROLLER_SHARD_GROUPS: '2' })
    await fires('SigcaseShardGroupWithoutController', { group: '1' })
    await outside.setAway('keys', false)
    reader.start()
    await clear('SigcaseNoLeader', 'SigcaseReconcilesFailing')
    await clear('SigcaseFinaliseFailing', 'SigcaseJobsFailing')
    for (const { id } of cases) await people.untilNot('IN_PROGRESS', id, DONE_MS)
    await Promise.all(controllers.map((controller) => controller.end()))
    for (const controller of controllers) controller.start()
    await clear('SigcaseShardGroupWithoutController', 'SigcaseCaseOverdue')
    await Promise.all([...controllers, ...cluster.workers].map((child) => child.ready()))
  })

  t.test('Redis is lost, and then the API', async () => {
    await redis.end('SIGKILL')
    await fires('SigcaseRedisLost')
    redis.start()
    await api.end()
    await Promise.all([clear('SigcaseRedisLost'), fires('SigcaseApiDown')])
    api.start()
    await api.ready()
    await clear('SigcaseApiDown')
  })

  t.test('Node and Deno export every series of the rules and the dashboard', async (t) => {
    const workers = [first, second].map((worker) => instanceOf(worker).instance)
    t.strictSame(await missingSeries(monitoring, workers), [])
  })

  t.test('no alert was left out', async (t) => {
    const names = ALERTS.map(({ name }) => name)
    t.strictSame(
      names.filter((name) => !fired.has(name)),
      [],
    )
    t.strictSame(
      names.filter((name) => !cleared.has(name)),
      [],
    )
  })
})
