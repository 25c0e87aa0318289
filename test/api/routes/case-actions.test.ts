/** Another upload URL and another invitation (decision 2). */
import t from 'tap'
import { uploadKey } from '../../../domain/cases/keys.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { isUuid } from '../../../domain/ids.ts'
import { NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { CASE_ID, CASE_KEY, participant, VALID_UNTIL } from '../../fixtures/signature-case.ts'

const ABSENT = '00000000-0000-4000-8000-000000000000'
const LATE = '2026-11-09T08:00:00.000Z'
const IN_GRACE = Date.parse(VALID_UNTIL) + 1000
const ENDED_EARLY = ['UPLOAD_REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const
const MINUTE_MS = 60_000

const upload = (api: TestApi, id = CASE_ID, token?: string) =>
  api.ask('POST', `/cases/${id}/upload`, token === undefined ? {} : { token })
const invite = (api: TestApi, position = 1, token?: string) =>
  api.ask('POST', `/cases/${CASE_ID}/participants/${participant(position).id}/invitation`, {
    ...(token === undefined ? {} : { token }),
    headers: { 'user-agent': 'CRM/1' },
  })

t.test('a NEW case gets another upload URL of an hour, as often as asked', async (t) => {
  const api = await testApi(t)
  api.seed()
  await api.timers.moveTo(LATE)
  const token = await api.tenantToken()
  const { statusCode, ...answer } = await upload(api, CASE_ID, token)
  t.equal(statusCode, 200)
  const url = `put:${uploadKey(CASE_KEY)} application/pdf until 2026-11-09T09:00:00.000Z`
  t.same(answer.json(), { upload: { type: 'PUT', url } })
  t.equal((await api.stored())?.spec.uploadRequestedAt, LATE)
  t.equal((await api.stored())?.status, undefined, 'the controller alone writes the status')
  await api.timers.moveTo(Date.parse(LATE) + 30 * MINUTE_MS)
  t.match((await upload(api)).json().upload.url, /09:30:00.000Z$/)
  t.equal((await api.stored())?.spec.uploadRequestedAt, '2026-11-09T08:30:00.000Z')
})

t.test('a second URL of the same minute writes nothing', async (t) => {
  const api = await testApi(t)
  api.seed()
  await api.timers.moveTo(LATE)
  await upload(api)
  const { resourceVersion } = (await api.stored())!.metadata
  await api.timers.moveTo(Date.parse(LATE) + MINUTE_MS)
  t.equal((await upload(api)).statusCode, 200)
  t.equal((await api.stored())?.metadata.resourceVersion, resourceVersion)
})

t.test('no URL for a case that has its document, or has ended', async (t) => {
  for (const status of PHASES.filter((phase) => phase !== 'NEW')) {
    const api = await testApi(t)
    api.seed({ phase: status })
    const { statusCode, ...answer } = await upload(api)
    const ended = ENDED_EARLY.some((phase) => phase === status)
    t.equal(statusCode, ended ? 410 : 409, status)
    const code = ended ? 'CASE_NOT_ACTIVE' : 'DOCUMENT_ALREADY_UPLOADED'
    t.match(answer.json(), { code, status })
    t.equal((await api.stored())?.spec.uploadRequestedAt, undefined)
  }
})

t.test('no URL once validUntil has passed, though the grace still runs', async (t) => {
  const api = await testApi(t)
  api.seed()
  await api.timers.moveTo(IN_GRACE)
  t.match((await upload(api)).json(), { code: 'CASE_NOT_ACTIVE', status: 'EXPIRED' })
})

t.test('no such case: 404, also for another tenant', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await upload(api, ABSENT)).statusCode, 404)
  const other = await api.tenantToken('other')
  t.equal((await upload(api, CASE_ID, other)).statusCode, 404)
  t.equal((await invite(api, 1, other)).statusCode, 404)
  const stranger = await api.ask('POST', `/cases/${CASE_ID}/participants/${ABSENT}/invitation`)
  t.equal(stranger.statusCode, 404)
  t.match(stranger.headers['content-type'], /^text\/plain/)
  t.equal(stranger.body, 'Participant not found')
})

t.test('an invitation that is asked for is a fact of the case', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const { statusCode, ...answer } = await invite(api, 2)
  t.equal(statusCode, 202)
  const participantId = participant(2).id
  t.same(answer.json(), { caseId: CASE_ID, participantId })
  const [request, ...rest] = (await api.stored())?.spec.invitations ?? []
  t.same(rest, [])
  t.ok(isUuid(request!.requestId))
  t.match(request, { participantId, at: NOW, ip: '127.0.0.1', userAgent: 'CRM/1' })
})

t.test('no invitation where there is nothing to sign', async (t) => {
  const bad = [
    [{ phase: 'NEW' }, 409, { code: 'PARTICIPANT_NOT_READY' }],
    [{ phase: 'IN_PROGRESS', signed: 1 }, 409, { code: 'ALREADY_SIGNED' }],
    [{ phase: 'DONE', signed: 2 }, 409, { code: 'ALREADY_SIGNED' }],
    ...ENDED_EARLY.map(
      (status) => [{ phase: status, signed: 1 }, 410, { code: 'CASE_NOT_ACTIVE', status }] as const,
    ),
  ] as const
  for (const [options, status, body] of bad) {
    const api = await testApi(t)
    api.seed(options)
    const { statusCode, ...answer } = await invite(api)
    t.equal(statusCode, status, options.phase)
    t.match(answer.json(), body)
    t.equal((await api.stored())?.spec.invitations, undefined)
  }
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.timers.moveTo(IN_GRACE)
  t.match((await invite(api)).json(), { code: 'CASE_NOT_ACTIVE', status: 'EXPIRED' })
})

t.test('five invitations of one participant in a sliding hour, also at once', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await invite(api)).statusCode, 202)
  await api.timers.moveTo(Date.parse(NOW) + 20 * MINUTE_MS)
  const answers = await Promise.all(Array.from({ length: 20 }, () => invite(api)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 202).length, 4)
  const refused = answers.find(({ statusCode }) => statusCode !== 202)
  t.equal(refused?.statusCode, 429)
  t.match(refused?.json(), { code: 'INVITATION_RATE_LIMITED', retryAfterSeconds: 40 * 60 })
  t.equal((await invite(api, 2)).statusCode, 202, 'the other has an hour of their own')
  await api.timers.moveTo(Date.parse(NOW) + 60 * MINUTE_MS - 1)
  t.match((await invite(api)).json(), { retryAfterSeconds: 1 })
  await api.timers.moveTo(Date.parse(NOW) + 60 * MINUTE_MS)
  t.equal((await invite(api)).statusCode, 202, 'the first left the hour')
  t.match((await invite(api)).json(), { retryAfterSeconds: 20 * 60 })
})

t.test('a case takes two hundred such requests in its life', async (t) => {
  const api = await testApi(t)
  const many = api.seed({ phase: 'IN_PROGRESS' })
  const one = { participantId: participant(2).id, at: '2026-11-02T01:00:00.000Z', ip: '192.0.2.1' }
  const invitations = Array.from({ length: 199 }, () => ({ requestId: ABSENT, ...one }))
  await api.cases.replaceSpec({ ...many, spec: { ...many.spec, invitations } })
  t.equal((await invite(api)).statusCode, 202)
  const { statusCode, ...answer } = await invite(api)
  t.equal(statusCode, 429)
  t.match(answer.json(), { code: 'INVITATION_RATE_LIMITED' })
})
