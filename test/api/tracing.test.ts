/** Spans of requests, the trace in log lines and cases, and what clients can influence. */
import t, { type Test } from 'tap'
import { OpenTelemetryTracer } from '../../adapters/opentelemetry/tracer.ts'
import { input, testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, TENANT } from '../fixtures/signature-case.ts'
import { openCollector } from '../fixtures/trace-collector.ts'

const ANNOTATION = 'sigcase.dev/traceparent'
const GIVEN_TRACE = '0af7651916cd43dd8448eb211c80319c'
const GIVEN = `00-${GIVEN_TRACE}-b7ad6b7169203331-01`
const asked = { headers: { traceparent: GIVEN } }

async function tracedApi(t: Test, share = 1) {
  const collector = await openCollector(t)
  const tracer = new OpenTelemetryTracer({
    endpoint: collector.endpoint,
    share,
    component: 'api',
    random: () => 0.5,
    onFailed: () => undefined,
    onSucceeded: () => undefined,
  })
  const api = await testApi(t, { tracer })
  const arrived = async () => {
    await tracer.close()
    return collector.spans
  }
  return { api, collector, arrived }
}

async function createdCase(api: TestApi, more: object = {}) {
  const answer = await api.ask('POST', '/cases', { body: input(), ...more })
  const { id: caseId } = answer.json().case
  return { caseId, made: await api.cases.get({ tenant: TENANT, caseId }) }
}

const lineOf = (api: TestApi) =>
  JSON.parse(api.log.findLast((line) => line.includes('answered')) ?? '{}') as object

t.test('the request that creates a case is its trace, and log lines name it', async (t) => {
  const { api, arrived } = await tracedApi(t)
  const { caseId, made } = await createdCase(api)
  const line = lineOf(api)
  const [span] = await arrived()
  const { traceId = '', spanId = '' } = span ?? {}
  t.same(made?.metadata.annotations, { [ANNOTATION]: `00-${traceId}-${spanId}-01` })
  t.match(line, { traceId, caseId })
  t.match(span, {
    name: 'POST /cases',
    parentSpanId: '',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/cases',
      'http.response.status_code': 200,
      'sigcase.tenant': TENANT,
      'sigcase.case_id': caseId,
    },
  })
})

t.test('a case found by its Idempotency-Key keeps its first trace', async (t) => {
  const { api } = await tracedApi(t)
  const headers = { 'idempotency-key': 'once' }
  const first = await createdCase(api, { headers })
  const second = await createdCase(api, { headers })
  t.equal(second.caseId, first.caseId)
  t.same(second.made?.metadata.annotations, first.made?.metadata.annotations)
})

t.test('a tenant continues its own trace with POST /cases, and with nothing else', async (t) => {
  const { api, arrived } = await tracedApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await createdCase(api, asked)
  await api.ask('GET', `/cases/${CASE_ID}`, asked)
  await api.asParticipant(1, 'GET', 'caseDefinition', asked)
  const spans = await arrived()
  const found = spans.map(({ name, traceId }) => [name, traceId === GIVEN_TRACE])
  t.same(found, [
    ['POST /cases', true],
    ['GET /cases/:caseId', false],
    ['GET /participant/:participantId/caseDefinition', false],
  ])
})

t.test('a header does not make the service export more than its share', async (t) => {
  const { api, arrived } = await tracedApi(t, 0.5)
  const { made } = await createdCase(api, asked)
  t.match(made?.metadata.annotations?.[ANNOTATION], new RegExp(`^00-${GIVEN_TRACE}-.*-00$`))
  t.same(await arrived(), [])
})

t.test('a malformed header is ignored', async (t) => {
  const { api, arrived } = await tracedApi(t)
  const { made } = await createdCase(api, { headers: { traceparent: `${GIVEN}x` } })
  t.ok(made)
  t.not((await arrived())[0]?.traceId, GIVEN_TRACE)
})

t.test('health checks, unknown paths and streams have no span', async (t) => {
  const { api, arrived } = await tracedApi(t)
  for (const url of ['/healthz', '/readyz', '/no/such/path', '/%']) await api.ask('GET', url)
  t.same(await arrived(), [])
})

t.test('the request of a participant refers to the trace of the case', async (t) => {
  const { api, arrived } = await tracedApi(t)
  const seeded = api.seed({ phase: 'IN_PROGRESS' })
  const metadata = { ...seeded.metadata, annotations: { [ANNOTATION]: GIVEN } }
  await api.cases.replaceSpec({ ...seeded, metadata })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  const [span] = await arrived()
  t.same(span?.links, [GIVEN_TRACE])
  t.not(span?.traceId, GIVEN_TRACE)
})

t.test('a failure of the service marks the span, a refusal does not', async (t) => {
  const { api, arrived } = await tracedApi(t)
  await api.ask('GET', `/cases/${CASE_ID}`)
  api.cases.get = async () => {
    throw new Error('broken')
  }
  await api.ask('GET', `/cases/${CASE_ID}`)
  const spans = await arrived()
  t.same(
    spans.map(({ attributes, isFailed }) => [attributes['http.response.status_code'], isFailed]),
    [
      [404, false],
      [500, true],
    ],
  )
})

t.test('spans contain no token, title, name or address', async (t) => {
  const { api, arrived, collector } = await tracedApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const body = input()
  await createdCase(api, { body })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  await api.ask('GET', '/cases/jan.novak@example.com')
  await arrived()
  const text = collector.bodies.join('\n')
  const [{ firstName, lastName, email }] = body.participants as unknown as [Record<string, string>]
  for (const secret of [body.title, firstName, lastName, email, 'jan.novak', 'Bearer', 'eyJ']) {
    t.notMatch(text, String(secret))
  }
  t.match(text, 'POST /cases')
})

t.test('without a tracer nothing is annotated, and no line has a trace', async (t) => {
  const api = await testApi(t)
  const { made } = await createdCase(api, asked)
  t.equal(made?.metadata.annotations, undefined)
  t.notOk('traceId' in lineOf(api))
})
