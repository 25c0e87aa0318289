/** Specification 7: a request that runs out of time is answered 503 TIMEOUT. */
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fastify } from 'fastify'
import t from 'tap'
import { limitTime } from '../../api/request-budget.ts'
import { input, testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID } from '../fixtures/signature-case.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'

const BUDGET_MS = 50
/** A busy machine needs more than the shortest for a request that is answered in time. */
const BUDGETS_MS = [BUDGET_MS, 500, 5_000]
/** Reached only when a request is never answered. */
const LIMIT_MS = 60_000
const forever = () => new Promise<never>(() => {})

class DeafCaseStore extends MemoryCaseStore {
  override create = forever
  override get = forever
}

/** Over a socket: only there does a request's stream end with its body. */
async function ask(api: TestApi, path: string, body?: object): Promise<Response> {
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  return fetch(`${origin}${path}`, {
    signal: AbortSignal.timeout(LIMIT_MS),
    headers: {
      authorization: `Bearer ${await api.tenantToken()}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
}

for (const [name, path, body] of [
  ['without a body', `/cases/${CASE_ID}`, undefined],
  ['with a body', '/cases', input()],
] as const) {
  t.test(`a request ${name} that a store never answers ends in TIMEOUT`, async (t) => {
    const api = await testApi(t, { cases: new DeafCaseStore(), requestBudgetMs: BUDGET_MS })
    const answer = await ask(api, path, body)
    t.equal(answer.status, 503)
    t.match(await answer.json(), { code: 'TIMEOUT' })
  })
}

t.test('an answer in time is the last word on its request', async (t) => {
  for (const requestBudgetMs of BUDGETS_MS) {
    const api = await testApi(t, { requestBudgetMs })
    if ((await ask(api, '/cases', input())).status !== 200) continue
    await setTimeout(2 * requestBudgetMs)
    t.notMatch(api.log.join(''), /TIMEOUT|already sent/i)
    return t.pass('answered')
  }
  t.fail('no answer came in time')
})

t.test('an answer that began in time may take longer', async (t) => {
  for (const budgetMs of BUDGETS_MS) {
    const lines: string[] = []
    const app = fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    t.teardown(() => app.close())
    limitTime(app, budgetMs)
    app.get('/slow', async (_request, reply) => {
      const body = new PassThrough()
      body.write('begun, ')
      void setTimeout(3 * budgetMs).then(() => body.end('ended'))
      return reply.send(body)
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${origin}/slow`)
    const text = await answer.text()
    if (answer.status !== 200) continue
    t.equal(text, 'begun, ended')
    t.notMatch(lines.join(''), /TIMEOUT|already sent/i)
    return t.pass('began')
  }
  t.fail('no answer began in time')
})
