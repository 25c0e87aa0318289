/** HEAD answers as GET does, and writes nothing into the audit trail. */
import t from 'tap'
import { auditFolder } from '../../domain/cases/keys.ts'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, CASE_KEY } from '../fixtures/signature-case.ts'

const entriesOf = ({ objects }: TestApi) =>
  [...objects.objects.keys()].filter((key) => key.startsWith(auditFolder(CASE_KEY))).length

t.test('HEAD writes nothing into the trail, on any route', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  const headers = { accept: 'application/json' }
  for (const route of ['caseDefinition', 'signedDocument']) {
    const { statusCode, body } = await api.asParticipant(1, 'HEAD', route, { headers })
    t.same([statusCode, body], [200, ''], route)
  }
  for (const path of [`/cases/${CASE_ID}`, `/cases/${CASE_ID}/events`, '/cases']) {
    t.equal((await api.ask('HEAD', path)).statusCode, 200, path)
  }
  t.equal(entriesOf(api), 0)
  await api.asParticipant(1, 'GET', 'signedDocument', { headers })
  t.ok(entriesOf(api) > 0, 'GET does')
})

t.test('HEAD reveals nothing about a PIN, because it could not count the attempt', async (t) => {
  const api = await testApi(t)
  const pinHash = await api.deps.pins.hash('1234')
  await api.secrets.create(CASE_KEY, { pinHash })
  api.seed({ phase: 'DONE', signed: 2, definition: { pinRequired: true } })
  const requestStatus = async (method: string, pin: string) => {
    const headers = { accept: 'application/json', 'service-pin': pin }
    return (await api.asParticipant(1, method, 'signedDocument', { headers })).statusCode
  }
  t.same([await requestStatus('HEAD', '1234'), await requestStatus('HEAD', '9999')], [401, 401])
  t.equal(entriesOf(api), 0)
  t.same([await requestStatus('GET', '1234'), await requestStatus('GET', '9999')], [200, 401])
})
