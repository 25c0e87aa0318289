import t from 'tap'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import type { OutboundHttp, OutboundResult } from '../../../domain/ports/outbound-http.ts'
import { traced, tracedHttp, tracedJobs } from '../../../runtime/tracing/traced-ports.ts'
import { RecordingTracer } from '../../fixtures/recording-tracer.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

class Port {
  readonly #answer = 7

  async get(error?: Error): Promise<number> {
    if (error) throw error
    return this.#answer
  }

  async ping(): Promise<number> {
    return this.#answer
  }
}

t.test('without a tracer a port is itself', async (t) => {
  const port = new Port()
  t.equal(traced(port, { system: 'objects', methods: ['get'], tracer: undefined }), port)
  const queue = new InProcessJobQueue(systemTimers, () => undefined)
  t.equal(tracedJobs(queue, undefined), queue)
})

t.test('calls within a span are spans, others are not', async (t) => {
  const tracer = new RecordingTracer()
  const port = traced(new Port(), { system: 'objects', methods: ['get'], tracer })
  t.equal(await port.get(), 7)
  t.same(tracer.names, [], 'a canary has no span')
  await tracer.span('job', {}, async () => {
    t.equal(await port.get(), 7)
    t.equal(await port.ping(), 7)
    await t.rejects(port.get(new Error('broken')), /broken/)
  })
  t.ok(port instanceof Port)
  const call = { name: 'objects get', parent: 'job' }
  t.match(tracer.spans, [
    { name: 'job' },
    { ...call, isFailed: false, attributes: { 'sigcase.system': 'objects' } },
    { ...call, isFailed: true },
  ])
})

t.test('a request of the guarded client is a span without its URL', async (t) => {
  const results: OutboundResult[] = [
    { outcome: 'refused', reason: 'address-forbidden', durationMs: 1 },
    { outcome: 'no-answer', reason: 'timeout', durationMs: 1 },
    {
      outcome: 'answered',
      status: 503,
      headers: {},
      body: new Uint8Array(),
      truncated: false,
      durationMs: 1,
    },
  ]
  const queue = [...results, ...results]
  const client: OutboundHttp = {
    send: async () => queue.shift() as OutboundResult,
    close: async () => undefined,
  }
  const tracer = new RecordingTracer()
  const http = tracedHttp(client, tracer)
  const request = {
    url: 'https://tenant.example/secret',
    method: 'POST',
    headers: {},
    timeoutMs: 1,
    maximumResponseOctets: 1,
  } as const
  for (const result of results) t.equal(await http.send(request), result)
  t.same(tracer.names, [])
  await tracer.span('job', {}, async () => {
    for (const result of results) t.equal(await http.send(request), result)
  })
  const outcomes = tracer.spans.slice(1).map(({ attributes }) => attributes['sigcase.outcome'])
  t.same(outcomes, ['address-forbidden', 'timeout', 'answered'])
  t.equal(tracer.spans.at(-1)?.attributes['http.response.status_code'], 503)
  t.notMatch(JSON.stringify(tracer.spans), 'tenant.example')
})

t.test('a job continues the trace of the work that added it', async (t) => {
  const tracer = new RecordingTracer()
  const inner = new InProcessJobQueue(systemTimers, () => undefined)
  const jobs = tracedJobs(inner, tracer)
  const payloads: unknown[] = []
  jobs.work('intake', 1, async (payload) => void payloads.push(payload))
  await tracer.span('reconcile', {}, () => jobs.add('intake', 'one', CASE_KEY))
  await jobs.add('intake', 'two', CASE_KEY)
  await inner.add('intake', 'three', { ...CASE_KEY, traceparent: PARENT })
  await until(() => payloads.length === 3)
  t.same(payloads, [CASE_KEY, CASE_KEY, CASE_KEY], 'handlers do not see the trace')
  const found = tracer.spans.filter(({ name }) => name === 'job intake')
  t.same(
    found.map(({ parent }) => parent),
    ['reconcile', undefined, PARENT],
  )
  t.match(found[0]?.attributes, {
    'sigcase.job': 'intake',
    'sigcase.tenant': CASE_KEY.tenant,
    'sigcase.case_id': CASE_KEY.caseId,
  })
  await jobs.close()
})
