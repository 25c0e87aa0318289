/** An entry behind the end of a case leaves a mark, so that the trail is sealed again. */
import t from 'tap'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { GROWN_TRAILS_FOLDER, grownTrailKey } from '../../../domain/cases/keys.ts'
import { NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { CASE_ID, CASE_KEY } from '../../fixtures/signature-case.ts'

const readMarks = async (api: TestApi) =>
  (await api.objects.list(GROWN_TRAILS_FOLDER, { limit: 10 })).map(({ key }) => key)

t.test('a visit to a case that is active leaves no mark', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
  t.same(await readMarks(api), [])
})

t.test('a visit to a case that has ended leaves a mark', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  t.equal((await api.asParticipant(1, 'GET', 'signedDocument')).statusCode, 302)
  t.same(await readMarks(api), [grownTrailKey(CASE_KEY, new Date(NOW))])
})

t.test('a visit that began before the end and is recorded after it leaves a mark', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const occurredAt = NOW
  await api.trail.append(CASE_KEY, [
    auditEvent(CASE_ID, 'case.expired', { occurredAt, actor: 'system' }),
  ])
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
  t.same(await readMarks(api), [grownTrailKey(CASE_KEY, new Date(NOW))])
})
