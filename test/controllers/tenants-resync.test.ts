/** The resync of tenants while the API server fails, without a cluster. */
import t from 'tap'
import { buildTenantController } from '../../controllers/tenants.ts'
import type { TenantStatus } from '../../domain/tenants/schema.ts'
import { FrozenTimers, settle } from '../fixtures/frozen-timers.ts'

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
    places: {
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
