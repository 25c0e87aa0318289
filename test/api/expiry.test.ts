/** Every route says EXPIRED from `validUntil` on, also before the controller records it. */
import t from 'tap'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, participant, VALID_UNTIL } from '../fixtures/signature-case.ts'

const END_MS = Date.parse(VALID_UNTIL)
/** At the end, in the 2 s in which the controller still waits, and after them. */
const INSTANTS_MS = [END_MS, END_MS + 1, END_MS + 1_999, END_MS + 2_000]
const RUNNING = ['NEW', 'IN_PROGRESS'] as const
const OVER = { code: 'CASE_NOT_ACTIVE', status: 'EXPIRED' }

type Answer = ReturnType<TestApi['ask']>
type Ask = (api: TestApi) => Answer

const casePath = `/cases/${CASE_ID}`
const participantPath = `${casePath}/participants/${participant(1).id}`
const tenantRoutes: Readonly<Record<string, Ask>> = {
  'renew the upload': (api) => api.ask('POST', `${casePath}/upload`),
  'invite again': (api) => api.ask('POST', `${participantPath}/invitation`),
}
const participantRoutes: Readonly<Record<string, Ask>> = {
  caseDefinition: (api) => api.asParticipant(1, 'GET', 'caseDefinition'),
  signedDocument: (api) => api.asParticipant(1, 'GET', 'signedDocument'),
  signature: (api) => api.sign(1),
  otp: (api) => api.asParticipant(1, 'POST', 'otp'),
  'otp/verify': (api) => api.asParticipant(1, 'POST', 'otp/verify', { body: { code: '123456' } }),
}

for (const phase of RUNNING) {
  t.test(`a case that was ${phase} is EXPIRED on every tenant route`, async (t) => {
    for (const instantMs of INSTANTS_MS) {
      const api = await testApi(t)
      api.seed({ phase, definition: { quickSign: true } })
      await api.tenantToken()
      await api.timers.moveTo(instantMs)
      const shown = (await api.ask('GET', casePath)).json()
      t.match(shown, { status: 'EXPIRED', expiredAt: VALID_UNTIL }, 'get')
      t.match((await api.ask('GET', '/cases')).json().cases, [{ status: 'EXPIRED' }], 'list')
      const cancelled = await api.ask('DELETE', casePath)
      t.match(cancelled.json(), { code: 'CASE_NOT_CANCELLABLE', status: 'EXPIRED' }, 'cancel')
      t.equal((await api.stored())?.spec.cancellation, undefined, 'no cancellation is stored')
      for (const [name, ask] of Object.entries(tenantRoutes)) {
        t.match((await ask(api)).json(), OVER, name)
      }
      const { deviceId } = (
        await api.ask('POST', '/tenant/devices', { body: { name: 'Desk' } })
      ).json()
      const opened = await api.ask('POST', `${participantPath}/open`, { body: { deviceId } })
      t.match(opened.json(), OVER, 'open on a kiosk')
      const query = `{ case(id: "${CASE_ID}") { status } }`
      const read = await api.ask('POST', '/graphql', { body: { query } })
      t.same(read.json(), { data: { case: { status: 'EXPIRED' } } }, 'GraphQL')
    }
  })

  t.test(`a case that was ${phase} is EXPIRED on every participant route`, async (t) => {
    for (const instantMs of INSTANTS_MS) {
      for (const [name, ask] of Object.entries(participantRoutes)) {
        const api = await testApi(t)
        api.seed({ phase })
        await api.timers.moveTo(instantMs)
        const answer = await ask(api)
        t.equal(answer.statusCode, 410, name)
        t.match(answer.json(), OVER, name)
      }
    }
  })
}

t.test('a case is not EXPIRED a millisecond before validUntil', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.tenantToken()
  await api.timers.moveTo(END_MS - 1)
  t.match((await api.ask('GET', casePath)).json(), { status: 'IN_PROGRESS' })
  t.match((await api.ask('DELETE', casePath)).json(), { status: 'CANCELLED' })
  await api.timers.moveTo(END_MS)
  t.match((await api.ask('GET', casePath)).json(), { status: 'CANCELLED' }, 'it stays cancelled')
})
