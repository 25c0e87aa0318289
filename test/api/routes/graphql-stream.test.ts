/** Changed cases of a tenant as server-sent events, from every process of the API. */
import type { AddressInfo } from 'node:net'
import { TextDecoderStream } from 'node:stream/web'
import t, { type Test } from 'tap'
import { buildApi } from '../../../api/app.ts'
import { MAXIMUM_STREAMS_PER_TENANT } from '../../../api/graphql/case-updates.ts'
import { HEARTBEAT_MS, LONGEST_STREAM_MS } from '../../../api/graphql/event-stream.ts'
import { EVENT_GAP_MS, MAXIMUM_PENDING } from '../../../api/graphql/update-source.ts'
import { publishUpdate } from '../../../application/cases/publish-updates.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { listen, until } from '../../fixtures/kiosk.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { CASE_ID, TENANT } from '../../fixtures/signature-case.ts'

t.setTimeout(240_000)

const QUERY = 'subscription { caseChanged { caseId case { title status } } }'
const OTHER_ID = CASE_ID.replace(/^./, (digit) => (digit === '1' ? '2' : '1'))

/** A client that reads the events of one stream. */
class Stream {
  text = ''
  hasEnded = false
  readonly response: Response
  readonly #abort: AbortController

  constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    void this.#read().catch(() => undefined)
  }

  async #read(): Promise<void> {
    const texts = this.response.body?.pipeThrough(new TextDecoderStream() as never)
    for await (const part of texts as AsyncIterable<string>) this.text += part
    this.hasEnded = true
  }

  get events(): { data: { caseChanged: { caseId: string; case: object | null } } }[] {
    return [...this.text.matchAll(/event: next\ndata: (.*)\n\n/g)].map(([, json = '']) =>
      JSON.parse(json),
    )
  }

  get beats(): number {
    return this.text.split('\n\n').filter((block) => block === ':').length
  }

  close(): void {
    this.#abort.abort()
  }
}

interface Subscribing {
  tenant?: string
  query?: string
  variables?: object
}

async function subscribe(t: Test, api: TestApi, base: string, asked: Subscribing = {}) {
  const { tenant = TENANT, query = QUERY, variables } = asked
  const abort = new AbortController()
  const response = await fetch(`${base}/graphql/stream`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${await api.tenantToken(tenant)}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query, ...(variables && { variables }) }),
  })
  const stream = new Stream(response, abort)
  t.teardown(() => stream.close())
  return stream
}

const publish = (api: TestApi, caseId = CASE_ID, tenant = TENANT) =>
  publishUpdate(api.ephemeral, { tenant, caseId })

async function open(t: Test, metrics = new RecordingMetrics()) {
  const api = await testApi(t, { metrics })
  api.seed({ phase: 'IN_PROGRESS' })
  return { api, base: await listen(api) }
}

t.test('a tenant is notified of its own cases, by every process', async (t) => {
  const { api, base } = await open(t)
  const second = await buildApi(api.deps)
  t.teardown(() => second.close())
  await second.listen({ port: 0, host: '127.0.0.1' })
  const { port } = second.server.address() as AddressInfo
  const streams = [
    await subscribe(t, api, base),
    await subscribe(t, api, `http://127.0.0.1:${port}`),
  ]
  const stranger = await subscribe(t, api, base, { tenant: 'other' })
  publish(api)
  for (const stream of streams) {
    t.match(stream.response.headers.get('content-type'), 'text/event-stream')
    await until('the change', () => stream.events.length === 1)
    t.match(stream.events[0]?.data.caseChanged, {
      caseId: CASE_ID,
      case: { title: 'Zmluva o dielo', status: 'IN_PROGRESS' },
    })
  }
  t.same(stranger.events, [], 'another tenant is not notified')
})

t.test('changes of one case in a short time are one event; a removed case is null', async (t) => {
  const { api, base } = await open(t)
  const stream = await subscribe(t, api, base)
  publish(api)
  await until('the first change', () => stream.events.length === 1)
  for (const _ of Array(5)) publish(api)
  publish(api, OTHER_ID)
  await api.timers.moveTo(api.timers.nowMs() + EVENT_GAP_MS)
  await until('the second change', () => stream.events.length === 2)
  await api.timers.moveTo(api.timers.nowMs() + EVENT_GAP_MS)
  await until('the third change', () => stream.events.length === 3)
  await api.timers.moveTo(api.timers.nowMs() + 2 * EVENT_GAP_MS)
  t.same(
    stream.events.map(({ data }) => data.caseChanged.caseId),
    [CASE_ID, CASE_ID, OTHER_ID],
  )
  t.equal(stream.events[2]?.data.caseChanged.case, null)
})

t.test('a stream of one case is silent about others', async (t) => {
  const { api, base } = await open(t)
  const query = 'subscription ($id: ID) { caseChanged(caseId: $id) { caseId } }'
  const stream = await subscribe(t, api, base, { query, variables: { id: CASE_ID } })
  publish(api, OTHER_ID)
  publish(api)
  await until('the change', () => stream.events.length === 1)
  t.same(stream.events[0]?.data, { caseChanged: { caseId: CASE_ID } })
})

t.test('heartbeats show life, and a stream ends after a while', async (t) => {
  const { api, base } = await open(t)
  const stream = await subscribe(t, api, base)
  const beats = LONGEST_STREAM_MS / HEARTBEAT_MS
  for (let count = 1; count < beats; count++) {
    await until(`heartbeat ${count}`, () => stream.beats === count)
    await api.timers.moveTo(api.timers.nowMs() + HEARTBEAT_MS)
  }
  t.notOk(stream.hasEnded)
  await api.timers.moveTo(api.timers.nowMs() + HEARTBEAT_MS)
  await until('the end', () => stream.hasEnded)
  t.match(stream.text, /event: complete\ndata: \n\n$/)
})

t.test('a client that is too far behind begins anew', async (t) => {
  const { api, base } = await open(t)
  const stream = await subscribe(t, api, base)
  for (let count = 0; count <= MAXIMUM_PENDING + 1; count++) publish(api, `case-${count}`)
  await until('the end', () => stream.hasEnded)
  t.match(stream.text, /event: complete/)
})

t.test('a tenant has a limited number of streams; a closed one frees its place', async (t) => {
  const { api, base } = await open(t)
  const streams = []
  for (let count = 0; count < MAXIMUM_STREAMS_PER_TENANT; count++) {
    streams.push(await subscribe(t, api, base))
  }
  const refused = await subscribe(t, api, base)
  t.equal(refused.response.status, 429)
  t.ok(Number(refused.response.headers.get('retry-after')) > 0)
  t.equal((await subscribe(t, api, base, { tenant: 'other' })).response.status, 200)
  streams[0]?.close()
  let status = 429
  for (let tries = 0; tries < 100 && status === 429; tries++) {
    status = (await subscribe(t, api, base)).response.status
  }
  t.equal(status, 200)
})

t.test('open streams are counted', async (t) => {
  const metrics = new RecordingMetrics()
  const { api, base } = await open(t, metrics)
  const count = () => metrics.values.get('sigcase_graphql_streams')
  t.equal(count(), 0)
  const stream = await subscribe(t, api, base)
  await subscribe(t, api, base)
  t.equal(count(), 2)
  stream.close()
  await until('the end of one', () => count() === 1)
  await api.app.close()
  t.equal(count(), 0)
})

t.test('what is not a subscription of the schema is refused', async (t) => {
  const { api, base } = await open(t)
  for (const query of [
    'query { cases { nextCursor } }',
    'subscription { nothing }',
    'subscription {',
    'subscription { caseChanged { caseId } caseChanged2: caseChanged { caseId } }',
  ]) {
    const { response } = await subscribe(t, api, base, { query })
    t.match(response.headers.get('content-type'), 'application/json', query)
  }
  const { json } = await api.ask('POST', '/graphql', { body: { query: QUERY } })
  t.match(json().errors, [{ message: /graphql\/stream/ }], 'the other route names this one')
  const anonymous = await api.ask('POST', '/graphql/stream', { token: '', body: { query: QUERY } })
  t.equal(anonymous.statusCode, 401)
})

t.test('the end of the process ends the streams', async (t) => {
  const { api, base } = await open(t)
  const stream = await subscribe(t, api, base)
  const closing = api.app.close()
  await until('the end', () => stream.hasEnded)
  t.match(stream.text, /event: complete/)
  await closing
})

t.test('without the ephemeral store there is no stream', async (t) => {
  const { api, base } = await open(t)
  api.ephemeral.subscribe = () => Promise.reject(new Error('the store is down'))
  const { response } = await subscribe(t, api, base)
  t.equal(response.status, 503)
})
