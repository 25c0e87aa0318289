/** `Idempotency-Key` on `POST /cases` (decision 152). */
import t from 'tap'
import { idempotentCaseId } from '../../../domain/cases/idempotency.ts'
import type { Phase } from '../../../domain/cases/status.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { SHARD_LABEL, shardOf } from '../../../domain/cases/shards.ts'
import { input, testApi, type TestApi } from '../../fixtures/api.ts'
import { device, DEVICE_ID } from '../../fixtures/device.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const KEY = 'order-2026/118'
const CASE_KEY = { tenant: TENANT, caseId: idempotentCaseId(TENANT, KEY) }
const SECRET = 'a-signing-secret-of-thirty-two-characters'
const secretive = (signingSecret = SECRET) =>
  input({ callback: { url: 'https://acme.example/hook', authType: 'NONE', signingSecret } })

const create = (api: TestApi, body: unknown = input(), key = KEY, token?: string) =>
  api.ask('POST', '/cases', {
    body,
    headers: { 'idempotency-key': key },
    ...(token === undefined ? {} : { token }),
  })
const listCases = async ({ cases }: TestApi) => (await cases.list({ limit: 100 })).items

t.test('the same key and body answer the existing case', async (t) => {
  const api = await testApi(t)
  const first = await create(api, secretive())
  t.equal(first.statusCode, 200)
  t.equal(first.json().case.id, CASE_KEY.caseId)
  const again = await create(api, secretive())
  t.equal(again.statusCode, 200)
  t.same(again.json(), first.json())
  t.equal((await listCases(api)).length, 1)
  t.match(await api.secrets.get(CASE_KEY), { signingSecret: SECRET })
})

t.test('a new case has the label of its shard', async (t) => {
  const api = await testApi(t)
  await create(api)
  const shard = String(shardOf(TENANT, CASE_KEY.caseId))
  t.same((await api.cases.get(CASE_KEY))?.metadata.labels, { [SHARD_LABEL]: shard })
})

t.test('a later answer has a fresh upload URL while the case is NEW', async (t) => {
  const api = await testApi(t)
  await create(api)
  await api.timers.moveTo('2026-11-04T08:30:00.000Z')
  const { upload } = (await create(api)).json()
  t.match(upload, { type: 'PUT', url: /until 2026-11-04T09:30:00.000Z$/ })
  const stored = await api.cases.get(CASE_KEY)
  t.equal(stored?.spec.uploadRequestedAt, '2026-11-04T08:30:00.000Z', 'it is looked for as long')
})

t.test('an archived case keeps its key, although it has no resource', async (t) => {
  const api = await testApi(t)
  await create(api)
  const stored = (await api.cases.get(CASE_KEY))!
  await api.cases.delete(CASE_KEY)
  // As `withArchive` answers.
  api.cases.get = async () => ({ ...stored, status: signatureCase({ phase: 'DONE' }).status! })
  const again = await create(api)
  t.match(again.json(), { case: { id: CASE_KEY.caseId, status: 'DONE' } })
  t.same(await listCases(api), [])
})

t.test('a case that is no longer NEW is answered without a URL', async (t) => {
  const after = (phase: Phase) => signatureCase({ phase }).status
  for (const phase of PHASES.filter((one) => one !== 'NEW')) {
    const api = await testApi(t)
    await create(api)
    const stored = (await api.cases.get(CASE_KEY))!
    await api.cases.replaceStatus({ ...stored, status: after(phase)! })
    const { statusCode, ...answer } = await create(api)
    t.equal(statusCode, 200)
    t.equal(answer.json().case.status, phase)
    t.notOk('upload' in answer.json(), phase)
  }
})

t.test('the case is answered also after its deadline', async (t) => {
  const api = await testApi(t)
  const first = (await create(api, secretive())).json()
  await api.timers.moveTo('2026-12-01T08:00:00.000Z')
  const again = await create(api, secretive())
  t.equal(again.statusCode, 200)
  t.match(again.json(), { case: { id: first.case.id, status: 'EXPIRED' } })
  t.notOk('upload' in again.json())

  const late = { instancePath: '/validUntil', keyword: 'future' }
  const refused = async (answer: Promise<{ statusCode: number; json(): unknown }>) => {
    const { statusCode, ...rest } = await answer
    t.equal(statusCode, 400)
    return (rest.json() as { validationErrors: unknown[] }).validationErrors
  }
  t.match(await refused(create(api, input())), [late], 'another body')
  t.match(await refused(create(api, secretive(), 'another')), [late], 'another key')
  t.match(await refused(api.ask('POST', '/cases', { body: secretive() })), [late], 'no key')
  const problems = await refused(create(api, { ...secretive(), title: '' }))
  t.equal(problems.length, 2, 'another problem beside it')
})

t.test('the case is answered also after its kiosk was removed', async (t) => {
  const api = await testApi(t)
  api.devices.seed(device())
  const body = input({ device: { deviceId: DEVICE_ID } })
  const first = (await create(api, body)).json()
  await api.devices.delete({ tenant: TENANT, deviceId: DEVICE_ID })
  const again = await create(api, body)
  t.equal(again.statusCode, 200)
  t.equal(again.json().case.id, first.case.id)
  for (const answer of [
    create(api, { ...body, title: 'Another' }),
    create(api, body, 'another'),
    api.ask('POST', '/cases', { body }),
  ]) {
    const { statusCode, ...rest } = await answer
    t.equal(statusCode, 400)
    t.match(rest.json(), { code: 'UNKNOWN_DEVICE' })
  }
  t.equal((await listCases(api)).length, 1)
})

t.test('another body is refused and changes nothing', async (t) => {
  const api = await testApi(t)
  const first = (await create(api, secretive())).json()
  const others = [
    input(),
    secretive(`${SECRET}!`),
    { ...secretive(), title: 'Another' },
    { ...secretive(), pin: '1234' },
  ]
  for (const body of others) {
    const { statusCode, ...answer } = await create(api, body)
    t.equal(statusCode, 409)
    t.match(answer.json(), { code: 'IDEMPOTENCY_KEY_REUSED' })
  }
  t.equal((await listCases(api)).length, 1)
  t.equal((await api.cases.get(CASE_KEY))?.spec.definition.title, first.case.title)
  t.match(await api.secrets.get(CASE_KEY), { signingSecret: SECRET })
})

t.test('what is not kept does not count: unknown members, order', async (t) => {
  const api = await testApi(t)
  await create(api, { ...input(), color: 'red' })
  const reversed = Object.fromEntries(Object.entries(input()).reverse())
  t.equal((await create(api, reversed)).statusCode, 200)
})

t.test('fifty at once make one case, whichever body was first', async (t) => {
  const api = await testApi(t)
  const bodies = [secretive(), input(), secretive(`${SECRET}!`), input({ title: 'Another' })]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create(api, bodies[index % bodies.length])),
  )
  const taken = answers.flatMap(({ statusCode }, index) => (statusCode === 200 ? [index] : []))
  t.same(new Set(taken.map((index) => index % bodies.length)).size, 1, 'one body won')
  t.ok(taken.length >= 12)
  t.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409))
  t.equal((await listCases(api)).length, 1)
})

t.test('a process that died between secrets and case leaves the key to its body', async (t) => {
  const api = await testApi(t)
  const { create: creating } = api.cases
  api.cases.create = async () => {
    throw new Error('killed')
  }
  t.equal((await create(api, secretive())).statusCode, 500)
  api.cases.create = creating
  t.equal((await create(api, input())).statusCode, 409, 'another body')
  t.equal((await create(api, secretive())).statusCode, 200, 'the same body')
})

t.test("a key is its own tenant's", async (t) => {
  const api = await testApi(t)
  const first = (await create(api)).json()
  const other = await create(api, input(), KEY, await api.tenantToken('other'))
  t.equal(other.statusCode, 200)
  t.not(other.json().case.id, first.case.id)
})

t.test('neither the body nor a digest of it is in the case', async (t) => {
  const api = await testApi(t)
  await create(api, { ...secretive(), pin: '4711' })
  const stored = JSON.stringify(await api.cases.get(CASE_KEY))
  const { inputDigest = '' } = (await api.secrets.get(CASE_KEY)) ?? {}
  t.match(inputDigest, /^test-request-mac\.[0-9a-f]{64}$/)
  for (const secret of [SECRET, '4711', inputDigest.split('.')[1] as string])
    t.notOk(stored.includes(secret))
})

t.test('a key of other characters or another length is a problem of its header', async (t) => {
  const api = await testApi(t)
  const long = 'k'.repeat(255)
  t.equal((await create(api, input(), long)).statusCode, 200)
  for (const [key, keyword] of [
    ['', 'minLength'],
    [`${long}k`, 'maxLength'],
    ['a b', 'pattern'],
    ['a\u00e9', 'pattern'],
  ] as const) {
    const { statusCode, ...answer } = await create(api, input(), key)
    t.equal(statusCode, 400)
    t.match(answer.json().validationErrors, [{ instancePath: '/idempotency-key', keyword }])
  }
})
