/** What requests to an API server do when it throttles, fails, hangs or is unavailable. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { ApiRefusal, ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { Resources } from '../../../adapters/kubernetes/resources.ts'
import { watchKeys } from '../../../adapters/kubernetes/watch.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { VERSION } from '../../../domain/version.ts'
import { stubbedApiServer } from '../../fixtures/kubernetes-api.ts'
import { CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'
import { watchCores } from '../../fixtures/busy.ts'

const LIMIT_MS = 800
const apiAt = (port: number) => stubbedApiServer(port, LIMIT_MS)
const PATH = '/api/v1/namespaces'

interface Answer {
  status: number
  body?: object
  headers?: Record<string, string>
}

/** @param answers in turn, the last again and again; undefined never answers */
async function scripted(t: Test, answers: readonly (Answer | undefined)[]) {
  const asked: { method: string; url: string }[] = []
  const server = createServer((request, response: ServerResponse) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push({ method: request.method!, url: request.url! })
    if (!answer) return
    const { status, body = {}, headers = {} } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { api: apiAt((server.address() as AddressInfo).port), asked }
}

async function awaitFailure(sent: Promise<unknown>): Promise<unknown> {
  return sent.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const isTimeout = (error: unknown) => error instanceof ServiceError && error.code === 'TIMEOUT'

t.test('a throttled request waits for the time in the answer and is sent again', async (t) => {
  const throttled = { status: 429, headers: { 'retry-after': '0' } }
  const { api, asked } = await scripted(t, [throttled, throttled, { status: 200, body: { a: 1 } }])
  t.same(await api.send({ path: PATH }), { a: 1 })
  t.equal(asked.length, 3)
})

t.test('a wait that is longer than the request may take is not begun', async (t) => {
  const { api, asked } = await scripted(t, [{ status: 429, headers: { 'retry-after': '7' } }])
  const isBusy = watchCores()
  const startedMs = performance.now()
  const failure = await awaitFailure(api.send({ path: PATH }))
  t.ok(isTimeout(failure))
  t.same((failure as ServiceError).details, { retryAfterSeconds: 7 })
  t.equal(asked.length, 1)
  t.ok(performance.now() - startedMs < LIMIT_MS || isBusy())
})

t.test('throttled without end, it ends within its limit', async (t) => {
  const { api } = await scripted(t, [{ status: 429 }])
  t.ok(isTimeout(await awaitFailure(api.send({ path: PATH }))))
})

t.test(
  'a server that fails, hangs or is unavailable is a TIMEOUT, and is asked once',
  async (t) => {
    for (const answer of [{ status: 500 }, { status: 503 }, { status: 504 }, undefined]) {
      const { api, asked } = await scripted(t, [answer])
      const failure = await awaitFailure(api.send({ method: 'POST', path: PATH, body: {} }))
      t.ok(isTimeout(failure), `${answer?.status ?? 'silence'}`)
      t.equal(asked.length, 1)
    }
    const { promise, resolve } = Promise.withResolvers<number>()
    const server = createServer().listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port)
    })
    const port = await promise
    server.close()
    t.ok(isTimeout(await awaitFailure(apiAt(port).send({ path: PATH }))))
  },
)

t.test('a refusal keeps its status and reason', async (t) => {
  const body = { kind: 'Status', message: 'no right', reason: 'Forbidden' }
  const { api } = await scripted(t, [{ status: 403, body }])
  const failure = await awaitFailure(api.send({ path: PATH }))
  t.type(failure, ApiRefusal)
  t.match(failure, { status: 403, reason: 'Forbidden', message: 'no right' })
})

t.test('the store passes failures on, and no write is taken for a lost race', async (t) => {
  const { api } = await scripted(t, [{ status: 503 }])
  const store = new KubernetesCaseStore(api, { warn: () => {} })
  const one = signatureCase()
  const calls = [
    () => store.create(one),
    () => store.get(CASE_KEY),
    () => store.replaceSpec(one),
    () => store.replaceStatus(one),
    () => store.list({ limit: 1 }),
  ]
  for (const call of calls) t.ok(isTimeout(await awaitFailure(call())))
})

t.test('a case for a namespace that is still to come can be tried again', async (t) => {
  const details = { name: 'tenant', kind: 'namespaces' }
  const { api } = await scripted(t, [{ status: 404, body: { reason: 'NotFound', details } }])
  const store = new KubernetesCaseStore(api, { warn: () => {} })
  t.ok(isTimeout(await awaitFailure(store.create(signatureCase()))))
  t.equal(await store.get(CASE_KEY), undefined)
})

t.test('a server that does not know the kind yet says nothing of a case', async (t) => {
  for (const body of [{ reason: 'NotFound', details: {} }, ['404 page not found']]) {
    const { api } = await scripted(t, [{ status: 404, body }])
    const store = new KubernetesCaseStore(api, { warn: () => {} })
    const one = signatureCase()
    const calls = [
      () => store.get(CASE_KEY),
      () => store.replaceStatus(one),
      () => store.list({ limit: 1 }),
    ]
    for (const call of calls) t.ok(isTimeout(await awaitFailure(call())))
  }
})

t.test('a listing whose snapshot has expired continues with the current objects', async (t) => {
  const gone = { reason: 'Expired', metadata: { continue: 'later' } }
  const page = { metadata: {}, items: [signatureCase()] }
  const { api, asked } = await scripted(t, [
    { status: 410, body: gone },
    { status: 200, body: page },
  ])
  const store = new KubernetesCaseStore(api, { warn: () => {} })
  t.equal((await store.list({ limit: 10_000, continue: 'old' })).items.length, 1)
  t.match(asked[0]?.url, /limit=500/)
  t.match(asked[1]?.url, /continue=later/)
})

t.test('a page has about how many items follow, when the API server counts them', async (t) => {
  const pageWith = (metadata: object) => ({ status: 200, body: { metadata, items: [] } })
  const { api } = await scripted(t, [
    pageWith({ continue: 'more', remainingItemCount: 1_200 }),
    pageWith({ continue: 'more' }),
    pageWith({}),
  ])
  const store = new KubernetesCaseStore(api, { warn: () => {} })
  const list = () => store.list({ limit: 500 })
  t.same(await list(), { items: [], continue: 'more', remaining: 1_200 })
  t.same(await list(), { items: [], continue: 'more' }, 'a listing with a selector')
  t.same(await list(), { items: [] })
})

t.test('requests and watches name the component, writes as the manager of fields', async (t) => {
  const seen: {
    method: string
    path: string
    agent: string | undefined
    manager: string | null
  }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    seen.push({
      method: request.method!,
      path: pathname,
      agent: request.headers['user-agent'],
      manager: searchParams.get('fieldManager'),
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    if (searchParams.get('watch') === null) response.end('{"metadata":{"resourceVersion":"1"}}')
    else response.flushHeaders()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { config } = apiAt((server.address() as AddressInfo).port)
  const api = new ApiServer(config, LIMIT_MS, 'sigcase-controller')
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    await api.send({ method, path: PATH, ...(method === 'GET' ? {} : { body: {} }) })
  }
  const log = { warn: () => undefined }
  t.teardown(watchKeys(api, new Resources(api, '/api/v1', 'pods'), log, () => undefined))
  await until(() => seen.length > 6)
  t.same([...new Set(seen.map(({ agent }) => agent))], [`sigcase-controller/${VERSION}`])
  t.ok(seen.some(({ path }) => path === '/api/v1/pods'))
  const managed = seen.filter(({ manager }) => manager === 'sigcase-controller')
  t.same(
    managed.map(({ method }) => method),
    ['POST', 'PUT', 'PATCH'],
  )
  t.ok(seen.every(({ method, manager }) => manager === null || method.startsWith('P')))
})
