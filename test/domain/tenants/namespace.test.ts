import t from 'tap'
import { isOlder, isNamespaceAwaited, namespaceFault } from '../../../domain/tenants/namespace.ts'
import type { Tenant } from '../../../domain/tenants/schema.ts'

const HOME = 'sigcase-system'
const tenant = (name: string, namespace: string, creationTimestamp: string, reason?: string) =>
  ({
    metadata: { name, creationTimestamp },
    spec: { namespace },
    ...(reason ? { status: { conditions: [{ type: 'Ready', status: 'False', reason }] } } : {}),
  }) as unknown as Tenant

const first = tenant('first', 'acme', '2026-11-01T00:00:00Z')
const second = tenant('second', 'acme', '2026-11-02T00:00:00Z')

t.test('the oldest tenant gets a namespace', async (t) => {
  t.ok(isOlder(first, second))
  t.equal(namespaceFault(first, [second, first], HOME), undefined)
  t.match(namespaceFault(second, [second, first], HOME), {
    reason: 'NamespaceTaken',
    message: 'acme is the namespace of tenant first',
  })
  const twin = tenant('also', 'acme', '2026-11-01T00:00:00Z')
  t.ok(isOlder(twin, first), 'the name decides between tenants of one age')
  t.equal(namespaceFault(second, [tenant('third', 'zoo', '2026-10-01T00:00:00Z')], HOME), undefined)
})

t.test('namespaces of Kubernetes and of the service are reserved', async (t) => {
  for (const namespace of ['default', 'kube-system', HOME]) {
    const one = tenant('one', namespace, '2026-11-01T00:00:00Z')
    t.match(namespaceFault(one, [one], HOME), { reason: 'NamespaceReserved' }, namespace)
  }
})

t.test('only a passing fault lets a tenant wait', async (t) => {
  const isAwaited = (reason?: string) => isNamespaceAwaited(tenant('one', 'acme', '', reason))
  t.ok(isAwaited(), 'no controller has looked yet')
  t.ok(isAwaited('NamespaceTerminating'))
  t.notOk(isAwaited('NamespaceTaken'))
})
