import t from 'tap'
import { KubernetesLeaseValue } from '../../../adapters/kubernetes/lease-value.ts'
import { RESTS_LEASE, viewOf } from '../../../adapters/kubernetes/lease-plan.ts'
import { swappedValueContract } from '../../contract/rest-stores.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { LeaseServer } from '../../fixtures/lease-server.ts'
import { MemoryValue } from '../../fixtures/memory-rests.ts'

const NAMESPACE = 'sigcase-system'
const PLACE = { namespace: NAMESPACE, name: RESTS_LEASE }

swappedValueContract('MemoryValue', async () => new MemoryValue())

t.test('the election ignores the Lease, and a lost connection is reported', async (t) => {
  const server = new LeaseServer()
  let isCut = false
  const value = new KubernetesLeaseValue(server.client(() => isCut), PLACE) // prettier-ignore
  await value.swap('one', undefined)
  const seen = [...server.leases.values()].map((lease) => ({ lease, unchangedMs: 1e9 }))
  t.equal(seen.length, 1)
  const view = viewOf(seen, { base: 'sigcase-controller', count: 2, self: 'me' })
  t.same(view.stale, [])
  t.same(view.members, ['me'])
  isCut = true
  const timeout = { name: 'ServiceError', code: 'TIMEOUT' }
  await t.rejects(value.read(), timeout)
  await t.rejects(value.swap('two', undefined), timeout)
})

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, [NAMESPACE])
  swappedValueContract('Kubernetes', async () => {
    await clear(admin, '/apis/coordination.k8s.io/v1', 'leases', [NAMESPACE])
    return new KubernetesLeaseValue(admin, PLACE)
  })
})
