/** The store of cases over connections that break, beside an API server that stops. */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { CASE_ID, signatureCase, TENANT } from '../../fixtures/signature-case.ts'
import { tcpProxy } from '../../fixtures/tcp-proxy.ts'

/** Long enough for a request to a busy API server. */
const LIMIT_MS = 5_000
const PATIENCE_MS = 60_000
const CASES = 20

let made = 0

function newCase() {
  const { status: _, ...one } = signatureCase()
  return { ...one, metadata: { name: uuidV5(CASE_ID, String(made++)), namespace: TENANT } }
}

/** A watch with the ids that it received. */
function listen(t: Test, store: KubernetesCaseStore) {
  const received = new Set<string>()
  t.teardown(store.watch(({ caseId }) => void received.add(caseId)))
  const receives = async (caseIds: readonly string[]) => {
    const deadlineMs = performance.now() + PATIENCE_MS
    while (!caseIds.every((id) => received.has(id)) && performance.now() < deadlineMs)
      await sleep(20)
    return caseIds.filter((id) => !received.has(id))
  }
  return { received, receives }
}

await withCluster(async ({ admin, plane, at }) => {
  await makeNamespaces(admin, [TENANT])
  const direct = new KubernetesCaseStore(admin, { warn: () => {} })
  const port = Number(new URL(plane.url).port)
  const storeOf = (api: ApiServer) => new KubernetesCaseStore(api, { warn: () => {} })

  /** Writes cases until the watch is known to be open. */
  async function standing(t: Test, store: KubernetesCaseStore) {
    const watch = listen(t, store)
    for (let probe = 0; probe < 100 && watch.received.size === 0; probe++) {
      await direct.create(newCase())
      await sleep(100)
    }
    return watch
  }

  t.test('many requests share few connections', async (t) => {
    const proxy = await tcpProxy(t, port)
    const store = storeOf(at(`https://127.0.0.1:${proxy.port}`))
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 50 }, () => store.list({ limit: 1 })))
    }
    t.ok(proxy.accepted <= 32, `${proxy.accepted} connections for 500 requests`)
  })

  t.test('a watch that is cut goes on where it was', async (t) => {
    const proxy = await tcpProxy(t, port)
    const watch = await standing(t, storeOf(at(`https://127.0.0.1:${proxy.port}`)))
    proxy.cut()
    const cases = await Promise.all(Array.from({ length: CASES }, () => direct.create(newCase())))
    const names = cases.map(({ metadata }) => metadata.name)
    t.same(await watch.receives(names), [])
  })

  t.test('connections that fell silent cost one request', async (t) => {
    const proxy = await tcpProxy(t, port)
    const store = storeOf(at(`https://127.0.0.1:${proxy.port}`, LIMIT_MS))
    await store.list({ limit: 1 })
    proxy.silence()
    const failures: unknown[] = []
    for (let round = 0; round < 4; round++) {
      await store.list({ limit: 1 }).catch((error: unknown) => failures.push(error))
    }
    t.equal(failures.length, 1)
    t.type(failures[0], ServiceError)
  })

  t.test('while the server is stopped a case is a TIMEOUT, and then none or whole', async (t) => {
    const store = storeOf(at(plane.url, LIMIT_MS))
    const cases = Array.from({ length: CASES }, newCase)
    await store.list({ limit: 1 })
    process.kill(plane.pids.apiServer, 'SIGSTOP')
    const ends = await Promise.allSettled(cases.map((one) => store.create(one)))
    process.kill(plane.pids.apiServer, 'SIGCONT')
    t.ok(
      ends.every(
        (end) => end.status === 'rejected' && (end.reason as ServiceError).code === 'TIMEOUT',
      ),
    )
    await sleep(500)
    for (const { metadata, spec } of cases) {
      const seen = await direct.get({ tenant: TENANT, caseId: metadata.name })
      t.same(seen?.spec ?? spec, spec)
    }
    t.ok(await store.create(newCase()), 'it is served again')
  })
})
