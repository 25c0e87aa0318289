/** Prometheus and Alertmanager report what is broken on a cluster, and that it was mended. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Child } from '../../dev/local-cluster/child.ts'
import { RESTARTED, TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'
import { startMonitoring, withoutMonitoring } from '../fixtures/monitoring.ts'

t.setTimeout(400_000)

const REQUEST_INTERVAL_MS = 50

const portsOf = (...children: readonly (Child | undefined)[]) =>
  children.map((child) => Number(new URL(child?.options.readyUrl ?? '').port))

/** Lists the cases again and again until the test ends. */
function keepAsking(url: string, token: string): () => Promise<void> {
  const end = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const asking = (async () => {
    while (!end.signal.aborted) {
      const answer = await fetch(`${url}/cases`, { headers }).catch(() => undefined)
      await answer?.body?.cancel()
      await sleep(REQUEST_INTERVAL_MS)
    }
  })()
  return () => {
    end.abort()
    return asking
  }
}

await withLocalCluster(RESTARTED, ({ api, controllers, workers, plane, ...rest }) => {
  t.test('alerts fire when it breaks, and clear', { skip: withoutMonitoring }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'monitoring-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const { untilReported } = await startMonitoring(t, folder, [
      { job: 'sigcase-api-metrics', ports: portsOf(api) },
      { job: 'sigcase-controller-metrics', ports: portsOf(...controllers) },
      { job: 'sigcase-worker-metrics', ports: portsOf(...workers) },
    ])

    await Promise.all(controllers.map((controller) => controller.end('SIGKILL')))
    await t.resolves(untilReported('SigcaseTargetDown', 'firing'), 'a process is missing')
    await t.resolves(untilReported('SigcaseNoLeader', 'firing'), 'no controller leads')
    for (const controller of controllers) controller.start()
    await t.resolves(untilReported('SigcaseTargetDown', 'resolved'))
    await t.resolves(untilReported('SigcaseNoLeader', 'resolved'))

    const stopAsking = keepAsking(rest.url, await rest.token(TENANT))
    t.teardown(stopAsking)
    await plane.killApiServer()
    await t.resolves(untilReported('SigcaseApiErrors', 'firing'), 'the API cannot read cases')
    await t.resolves(untilReported('SigcaseBudgetBurnsFast', 'firing'), 'its objective is at risk')
    await plane.restartApiServer()
    await t.resolves(untilReported('SigcaseApiErrors', 'resolved'))
    await t.resolves(untilReported('SigcaseBudgetBurnsFast', 'resolved'))
  })
})
