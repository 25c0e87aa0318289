/** The resync of tenants while the API server fails, without a cluster. */
import t, { type Test } from 'tap'
import { buildTenantController } from '../../controllers/tenants.ts'
import type { Tenant, TenantStatus } from '../../domain/tenants/schema.ts'
import { FrozenTimers, settle } from '../fixtures/frozen-timers.ts'
import { until } from '../fixtures/until.ts'

const START = '2026-11-23T20:15:00.000Z'
const RETRY_MS = 5_000
const INTERVAL_MS = 300_000

const identity = { issuer: 'https://login.example', audience: 'sigcase', claim: 'org' }
const TENANT = {
  apiVersion: 'sigcase.dev/v1',
  kind: 'Tenant',
  metadata: { name: 'acme', resourceVersion: '1', generation: 1 },
  spec: { namespace: 'acme', identity: { ...identity, value: 'acme' } },
} as const

t.test('a resync that fails is repeated soon, one that succeeds after five minutes', async (t) => {
  const timers = new FrozenTimers(START)
  const warnings: string[] = []
  const made: string[] = []
  let written: TenantStatus | undefined
  let listings = 0
  let isDown = true
  const controller = buildTenantController({
    tenants: {
      get: async () => TENANT,
      list: async () => {
        listings++
        if (isDown) throw new Error('the API server answered 503')
        return { items: [TENANT] }
      },
      replaceStatus: async (tenant) => {
        written = tenant.status
        return tenant
      },
      watch: () => () => undefined,
    },
    namespaces: {
      ensure: async (namespace) => void made.push(namespace),
      watch: () => () => undefined,
    },
    home: 'sigcase-system',
    findLogoFault: () => undefined,
    timers,
    log: { warn: (_, message) => warnings.push(message) },
  })
  t.teardown(() => controller.stop())
  await controller.start()
  await timers.moveTo(timers.nowMs() + RETRY_MS)
  t.same(warnings, ['resync of tenants failed', 'resync of tenants failed'])
  t.same(made, [])

  isDown = false
  await timers.moveTo(timers.nowMs() + RETRY_MS)
  await settle()
  t.same(made, ['acme'], 'a tenant that no watch reported has its namespace')
  t.match(written?.conditions, [{ type: 'Ready', status: 'True' }])

  const before = listings
  await timers.moveTo(timers.nowMs() + INTERVAL_MS - 1)
  t.equal(listings, before)
  await timers.moveTo(timers.nowMs() + 1)
  t.ok(listings > before)
  t.equal(warnings.length, 2)
})

/** A tenant with a namespace and tokens of its own. */
function tenantNamed(name: string, createdAt = START): Tenant {
  return {
    ...TENANT,
    metadata: { ...TENANT.metadata, name, creationTimestamp: createdAt },
    spec: { namespace: name, identity: { ...identity, value: name } },
  }
}

/** A controller of tenants in memory, whose listings are counted. */
async function manyTenants(t: Test, count: number) {
  const timers = new FrozenTimers(START)
  const names = Array.from({ length: count }, (_, index) => `tenant-${index}`)
  const stored = new Map(names.map((name) => [name, tenantNamed(name)]))
  const watches: ((name: string) => void)[] = []
  let listings = 0
  const controller = buildTenantController({
    tenants: {
      get: async (name) => stored.get(name),
      list: async () => {
        listings++
        return { items: [...stored.values()] }
      },
      replaceStatus: async (tenant) => {
        const resourceVersion = `${Number(tenant.metadata.resourceVersion) + 1}`
        const next = { ...tenant, metadata: { ...tenant.metadata, resourceVersion } }
        stored.set(tenant.metadata.name, next)
        for (const onChange of watches) onChange(tenant.metadata.name)
        return next
      },
      watch: (onChange) => {
        watches.push(onChange)
        return () => undefined
      },
    },
    namespaces: { ensure: async () => undefined, watch: () => () => undefined },
    home: 'sigcase-system',
    findLogoFault: () => undefined,
    timers,
    log: { warn: () => undefined },
  })
  t.teardown(() => controller.stop())
  await controller.start()
  const reasonOf = (name: string) =>
    stored.get(name)?.status?.conditions.find(({ type }) => type === 'Ready')?.reason
  await until(() => names.every((name) => reasonOf(name) === 'NamespaceReady'))
  await settle()
  return {
    timers,
    reasonOf,
    listings: () => listings,
    store(tenant: Tenant) {
      stored.set(tenant.metadata.name, tenant)
      for (const onChange of watches) onChange(tenant.metadata.name)
    },
  }
}

t.test('a resync lists the tenants once, however many there are', async (t) => {
  const { timers, listings } = await manyTenants(t, 40)
  t.equal(listings(), 1, 'also while their status is written')
  await timers.moveTo(timers.nowMs() + INTERVAL_MS)
  await settle()
  t.equal(listings(), 2)
})

t.test('a tenant that claims another namespace is compared with all as they are now', async (t) => {
  const { store, reasonOf, listings } = await manyTenants(t, 3)
  const late = '2026-11-23T20:16:00.000Z'
  store(tenantNamed('late', late))
  await until(() => reasonOf('late') === 'NamespaceReady')
  t.equal(listings(), 2)
  const later = tenantNamed('later', '2026-11-23T20:17:00.000Z')
  store({ ...later, spec: { ...later.spec, namespace: 'late' } })
  await until(() => reasonOf('later') === 'NamespaceTaken')
  t.equal(reasonOf('later'), 'NamespaceTaken')
  store({ ...later, spec: { ...later.spec, identity: tenantNamed('tenant-1').spec.identity } })
  await until(() => reasonOf('later') === 'IdentityTaken')
  t.equal(reasonOf('later'), 'IdentityTaken')
})
