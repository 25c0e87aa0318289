import t from 'tap'
import { kioskAt } from '../fixtures/kiosk.ts'
import { kioskWorld } from '../fixtures/kiosk-channel.ts'
import { until } from '../fixtures/until.ts'
import { testApi } from '../fixtures/api.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { CASE_ID } from '../fixtures/signature-case.ts'

const REQUESTS = 'sigcase_http_requests_total'
const DURATIONS = 'sigcase_http_request_duration_seconds'

t.test('requests are counted by route and class of status, never by path', async (t) => {
  const metrics = new RecordingMetrics()
  const api = await testApi(t, { metrics })
  api.seed({ phase: 'IN_PROGRESS' })
  await api.ask('GET', `/cases/${CASE_ID}`)
  await api.ask('GET', `/cases/${CASE_ID}`, { token: 'forged' })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  await api.ask('GET', '/no/such/path-of-jan.novak@example.com')
  t.same(metrics.of(REQUESTS), {
    '{method="GET",route="/cases/:caseId",status="2xx"}': 1,
    '{method="GET",route="/cases/:caseId",status="4xx"}': 1,
    '{method="GET",route="/participant/:participantId/caseDefinition",status="2xx"}': 1,
    '{method="GET",route="none",status="4xx"}': 1,
  })
  t.equal(metrics.of(DURATIONS)['{method="GET",route="/cases/:caseId"}'], 2)
})

t.test('a client cannot add series by its choice of methods and paths', async (t) => {
  const metrics = new RecordingMetrics()
  const api = await testApi(t, { metrics })
  const methods = ['GET', 'PROPFIND', 'MKCOL', 'TRACE'] as const
  for (let path = 0; path < 20; path++) {
    for (const method of methods) await api.ask(method, `/cases/${path}/${path}`)
  }
  t.ok(Object.keys(metrics.of(REQUESTS)).length <= 2, Object.keys(metrics.of(REQUESTS)).join())
})

t.test('a failure of the service counts as 5xx', async (t) => {
  const metrics = new RecordingMetrics()
  const api = await testApi(t, { metrics })
  api.cases.get = async () => {
    throw new Error('broken')
  }
  await api.ask('GET', `/cases/${CASE_ID}`)
  t.same(metrics.of(REQUESTS), { '{method="GET",route="/cases/:caseId",status="5xx"}': 1 })
})

t.test('connected kiosks are counted, and a stream has no duration', async (t) => {
  const metrics = new RecordingMetrics()
  const { api, base } = await kioskWorld(t, { metrics })
  const connected = () => metrics.values.get('sigcase_kiosk_streams')
  t.equal(connected(), 0)
  await kioskAt(t, base)
  await until(() => connected() === 1)
  t.equal(connected(), 1)
  await api.app.close()
  await until(() => connected() === 0)
  t.equal(connected(), 0)
  const route = 'route="/devices/:deviceId/events"'
  t.ok(Object.keys(metrics.of(REQUESTS)).some((series) => series.includes(route)))
  t.same(metrics.of(DURATIONS), {})
})
