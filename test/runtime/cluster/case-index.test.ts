import t from 'tap'
import { listCases } from '../../../application/cases/list-cases.ts'
import { NO_METRICS } from '../../../domain/ports/metrics.ts'
import { archiveHooks, openIndex } from '../../../runtime/cluster/case-index.ts'
import type { ProcessParts } from '../../../runtime/cluster/process.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { keyring, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

/** Nothing listens there. */
const CLOSED_PORT = 'postgres://sigcase@127.0.0.1:1/sigcase?sslmode=disable'

t.test('a listing goes on without an index that is away, and the log says why', async (t) => {
  const cases = new MemoryCaseStore()
  const warnings: string[] = []
  const log = { warn: (_details: object, message: string) => warnings.push(message) }
  const closings: (() => unknown)[] = []
  const timers = new FrozenTimers('2026-11-02T08:05:00.000Z')
  const parts = { log, timers, closings } as unknown as ProcessParts
  const config = { url: CLOSED_PORT }
  const index = openIndex({ config, isOwner: false, cases, metrics: NO_METRICS }, parts)
  t.teardown(() => Promise.all(closings.map((close) => close())))
  cases.seed(signatureCase({ phase: 'DONE', signed: 2 }))
  const deps = { cases, keyring, now: timers.now, index }
  const request = { tenant: TENANT, limit: 10, filter: {}, sort: 'ID' } as const
  t.equal((await listCases(request, deps)).cases.length, 1)
  t.same(warnings, ['the index of cases failed'])
  await t.rejects(listCases({ ...request, sort: 'CREATED_ASC' }, deps), { code: 'TIMEOUT' })
})

t.test('without a URL there is no index, and nothing to call', async (t) => {
  const none = { config: undefined, isOwner: true, cases: new MemoryCaseStore() }
  t.equal(openIndex({ ...none, metrics: NO_METRICS }, {} as ProcessParts), undefined)
  t.same(archiveHooks(undefined), {})
})
