import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { KubernetesLeaderLease, LEASE_TIMES } from '../../../adapters/kubernetes/leader-lease.ts'
import type { ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { leaderLeaseContract, startCampaign, until } from '../../contract/leader-lease.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { watchCores } from '../../fixtures/busy.ts'

const ROOT = '/apis/coordination.k8s.io/v1'
const NAMESPACE = 'sigcase-system'
/** A Lease counts in whole seconds. */
const TIMES = { durationMs: 4_000, giveUpMs: 2_700, renewMs: 300, retryMs: 100 }

/** An API server that a test can cut one replica off from, or keep waiting. */
function breakable(api: ApiServer) {
  let broken = false
  let held: Promise<void> | undefined
  const send = async (request: never) => {
    if (broken) throw new ServiceError('TIMEOUT')
    await held
    return api.send(request)
  }
  const cut = (value: boolean) => {
    broken = value
  }
  /** @returns lets what waits go on */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  return { api: { ...api, send } as unknown as ApiServer, cut, hold }
}

t.test('a leader gives up before the others take over, within 20 s', async (t) => {
  const { durationMs, giveUpMs, renewMs, retryMs } = LEASE_TIMES
  t.ok(giveUpMs < durationMs && renewMs < giveUpMs)
  t.ok(durationMs + retryMs < 20_000)
})

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, [NAMESPACE])
  const log = { warn: () => {} }
  const lease = (identity: string, api = admin) =>
    new KubernetesLeaderLease(
      { api, timers: systemTimers, log },
      {
        namespace: NAMESPACE,
        name: 'controller',
        replica: identity,
        identity,
        groups: 1,
        times: TIMES,
      },
    )
  const empty = () => clear(admin, ROOT, 'leases', [NAMESPACE])

  leaderLeaseContract('Kubernetes', async (_t, replicas) => {
    await empty()
    return Array.from({ length: replicas }, (_, index) => lease(`replica-${index}`))
  })

  t.test('a leader that cannot renew gives up before another takes over', async (t) => {
    await empty()
    const { api, cut } = breakable(admin)
    const first = startCampaign(t, lease('first', api))
    await until(() => first.leads)
    const second = startCampaign(t, lease('second'))
    await sleep(3 * TIMES.durationMs)
    t.same([first.received, second.received], [['elected'], []], 'a leader that renews stays')
    const isBusy = watchCores()
    cut(true)
    const gaveUpAfterMs = await until(() => !first.leads)
    t.notOk(second.leads)
    t.ok(gaveUpAfterMs <= TIMES.giveUpMs + TIMES.retryMs || isBusy())
    await until(() => second.leads)
    cut(false)
    await sleep(5 * TIMES.retryMs)
    t.same(first.received, ['elected', 'lost'])
    await second.end()
    await until(() => first.leads)
  })

  t.test('a leader whose request hangs gives up as early', async (t) => {
    await empty()
    const { api, hold } = breakable(admin)
    const first = startCampaign(t, lease('first', api))
    await until(() => first.leads)
    const isBusy = watchCores()
    const goOn = hold()
    t.teardown(goOn)
    const gaveUpAfterMs = await until(() => !first.leads)
    t.ok(gaveUpAfterMs <= TIMES.giveUpMs + TIMES.retryMs || isBusy())
    t.same(first.received, ['elected', 'lost'])
  })

  t.test('a lease that was taken over records how often and since when', async (t) => {
    await empty()
    for (const identity of ['first', 'second']) {
      const replica = startCampaign(t, lease(identity))
      await until(() => replica.leads)
      if (identity === 'first') await replica.end()
    }
    const path = `${ROOT}/namespaces/${NAMESPACE}/leases/controller`
    const { spec } = await admin.send<{ spec: Record<string, unknown> }>({ path })
    t.match(spec, { holderIdentity: 'second', leaseDurationSeconds: 4, leaseTransitions: 2 })
    t.match(spec.renewTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })
})
