/** Specification 4.5 and 4.6: kiosks are registered, listed, removed, and handed cases. */
import t from 'tap'
import { PHASES } from '../../../domain/cases/status.ts'
import { tokenDigest } from '../../../domain/devices/token.ts'
import { isUuid } from '../../../domain/ids.ts'
import { input, NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf } from '../../fixtures/device.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { CASE_ID, participant, TENANT, type CaseOptions } from '../../fixtures/signature-case.ts'

const ABSENT = '00000000-0000-4000-8000-000000000000'
const quick: CaseOptions = { phase: 'IN_PROGRESS', definition: { quickSign: true } }

const openFor = (api: TestApi, body: unknown = { deviceId: DEVICE_ID }, more: object = {}) =>
  api.ask('POST', `/cases/${CASE_ID}/participants/${participant(1).id}/open`, { body, ...more })

/** With a case that can be opened and a kiosk to open it on, unless `options` differ. */
async function ready(t: Parameters<typeof testApi>[0], options: CaseOptions = quick) {
  const api = await testApi(t)
  api.seed(options)
  api.devices.seed(device())
  return api
}

t.test('4.5: a kiosk is registered; its token is shown once and only a digest kept', async (t) => {
  const api = await testApi(t)
  const answer = await api.ask('POST', '/tenant/devices', { body: { name: 'Recepcia' } })
  t.equal(answer.statusCode, 200)
  const { token, deviceId, ...shown } = answer.json()
  t.ok(isUuid(deviceId))
  t.same(shown, { name: 'Recepcia', created: NOW, channel: `/devices/${deviceId}/events` })
  const kept = await api.devices.get({ tenant: TENANT, deviceId })
  t.equal(kept?.spec.tokenSha256, tokenDigest(token))
  t.notOk(JSON.stringify(kept).includes(token))
  const listed = await api.ask('GET', '/tenant/devices')
  t.same(listed.json(), { devices: [{ deviceId, ...shown, connected: false }] })
  t.notOk(api.log.join('').includes(token))
})

t.test('4.5: a name has 1 to 80 characters, and strangers register nothing', async (t) => {
  const api = await testApi(t)
  const register = (body: unknown, token?: string) =>
    api.ask('POST', '/tenant/devices', { body, ...(token === undefined ? {} : { token }) })
  for (const [body, instancePath, keyword] of [
    [{}, '', 'required'],
    [{ name: '' }, '/name', 'minLength'],
    [{ name: '\u{1f58b}'.repeat(81) }, '/name', 'maxLength'],
    [{ name: 7 }, '/name', 'type'],
  ] as const) {
    const answer = await register(body)
    t.equal(answer.statusCode, 400)
    t.match(answer.json().validationErrors, [{ instancePath, keyword }])
  }
  t.equal((await register({ name: '\u{1f58b}'.repeat(80) })).statusCode, 200)
  for (const token of ['', 'x', await api.link(1)]) {
    t.equal((await register({ name: 'Desk' }, token)).statusCode, 401)
  }
})

t.test("a tenant's kiosks are listed by pages, and no other's", async (t) => {
  const api = await testApi(t)
  for (let index = 0; index < 5; index++) api.devices.seed(device({ deviceId: deviceIdOf(index) }))
  api.devices.seed(device({ tenant: 'other', deviceId: deviceIdOf(9) }))
  const found: string[] = []
  let url = '/tenant/devices?limit=2'
  for (let page = 0; page < 3; page++) {
    const { devices, nextCursor } = (await api.ask('GET', url)).json()
    found.push(...devices.map(({ deviceId }: { deviceId: string }) => deviceId))
    url = `/tenant/devices?limit=2&cursor=${nextCursor}`
    t.equal(nextCursor === undefined, page === 2)
  }
  t.same(found, [0, 1, 2, 3, 4].map(deviceIdOf).toSorted())
  t.match((await api.ask('GET', '/tenant/devices?limit=0')).json(), { code: 'INVALID_LIMIT' })
  const { nextCursor } = (await api.ask('GET', '/tenant/devices?limit=2')).json()
  const token = await api.tenantToken('other')
  const theirs = await api.ask('GET', `/tenant/devices?cursor=${nextCursor}`, { token })
  t.match(theirs.json(), { code: 'INVALID_CURSOR' })
})

t.test('a kiosk is removed by its tenant alone, and once', async (t) => {
  const api = await ready(t)
  const remove = (token?: string) =>
    api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`, token === undefined ? {} : { token })
  const missing = { statusCode: 404, body: 'Device not found' }
  t.match(await remove(await api.tenantToken('other')), missing)
  t.match(await remove(), { statusCode: 204, body: '' })
  t.match(await remove(), missing)
  t.match(await api.ask('DELETE', '/tenant/devices/x'), missing)
  t.match((await openFor(api)).json(), { code: 'UNKNOWN_DEVICE' })
})

t.test('a failed notification does not keep a kiosk registered', async (t) => {
  const ephemeral = new MemoryEphemeral()
  ephemeral.publish = () => Promise.reject(new Error('pub/sub is away'))
  const api = await testApi(t, { ephemeral })
  api.devices.seed(device())
  t.equal((await api.ask('DELETE', `/tenant/devices/${DEVICE_ID}`)).statusCode, 204)
  t.equal(await api.devices.get(DEVICE_KEY), undefined)
})

t.test('4.6: 200 means that the record is written and the change published', async (t) => {
  const api = await ready(t)
  const participantId = participant(1).id
  const answer = await openFor(api, { deviceId: DEVICE_ID.toUpperCase() })
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), { caseId: CASE_ID, participantId, deviceId: DEVICE_ID })
  const eventId = `${Date.parse(NOW)}-0`
  const shown = { eventId, state: 'open', caseId: CASE_ID, participantId }
  t.same((await api.devices.get(DEVICE_KEY))?.spec.handOver, shown)
  t.same(api.ephemeral.published, [JSON.stringify(DEVICE_KEY)])
})

const REFUSALS: readonly (readonly [string, CaseOptions, number, object])[] = [
  ...PHASES.filter((phase) => !['NEW', 'IN_PROGRESS', 'DONE'].includes(phase)).map(
    (phase) =>
      [phase, { ...quick, phase }, 410, { code: 'CASE_NOT_ACTIVE', status: phase }] as const,
  ),
  [
    'what is over before the clock says so',
    { ...quick, definition: { quickSign: true, validUntil: NOW } },
    410,
    { code: 'CASE_NOT_ACTIVE', status: 'EXPIRED' },
  ],
  ['who signed', { ...quick, signed: 1 }, 409, { code: 'ALREADY_SIGNED' }],
  ['what is DONE', { ...quick, phase: 'DONE', signed: 2 }, 409, { code: 'ALREADY_SIGNED' }],
  [
    'who signed without quickSign',
    { phase: 'IN_PROGRESS', signed: 1 },
    409,
    { code: 'ALREADY_SIGNED' },
  ],
  ['no quickSign', { phase: 'IN_PROGRESS' }, 409, { code: 'NOT_QUICK_SIGN' }],
  ['no quickSign and no upload', {}, 409, { code: 'NOT_QUICK_SIGN' }],
  ['no upload', { definition: { quickSign: true } }, 409, { code: 'PARTICIPANT_NOT_READY' }],
]

for (const [what, options, status, body] of REFUSALS) {
  t.test(`4.6: refused: ${what}`, async (t) => {
    const api = await ready(t, options)
    const answer = await openFor(api)
    t.equal(answer.statusCode, status)
    t.match(answer.json(), body)
    t.equal((await api.devices.get(DEVICE_KEY))?.spec.handOver, undefined)
    t.match((await openFor(api, { deviceId: ABSENT })).json(), { code: 'UNKNOWN_DEVICE' })
  })
}

t.test('4.6: refused: what is missing, incomplete or of another tenant', async (t) => {
  const api = await ready(t)
  api.devices.seed(device({ tenant: 'other', deviceId: deviceIdOf(1) }))
  const body = { deviceId: DEVICE_ID }
  const place = (caseId: string, id: string) => `/cases/${caseId}/participants/${id}/open`
  const { id } = participant(1)
  for (const [path, text] of [
    [place(ABSENT, id), 'Case not found'],
    [place('x', id), 'Case not found'],
    [place(CASE_ID, ABSENT), 'Participant not found'],
  ] as const) {
    t.match(await api.ask('POST', path, { body }), { statusCode: 404, body: text })
  }
  t.match((await openFor(api, { deviceId: deviceIdOf(1) })).json(), { code: 'UNKNOWN_DEVICE' })
  for (const [wrong, keyword] of [
    [{}, 'required'],
    [{ deviceId: 'x' }, 'format'],
  ] as const) {
    const answer = await openFor(api, wrong)
    t.equal(answer.statusCode, 400)
    t.match(answer.json().validationErrors, [{ keyword }])
  }
  t.equal((await openFor(api, body, { token: '' })).statusCode, 401)
  t.equal((await openFor(api, body, { token: await api.link(1) })).statusCode, 401)
  const token = await api.tenantToken('other')
  t.equal((await openFor(api, body, { token })).statusCode, 404)
})

t.test(
  '4.6: 503 when the record cannot be written or the notification not published',
  async (t) => {
    const unavailable = { code: 'EVENTS_UNAVAILABLE' }
    const deaf = await ready(t)
    deaf.ephemeral.publish = () => Promise.reject(new Error('pub/sub is away'))
    const undelivered = await openFor(deaf)
    t.equal(undelivered.statusCode, 503)
    t.match(undelivered.json(), unavailable)
    const full = await ready(t)
    full.devices.beforeReplace = () => Promise.reject(new Error('the disk is full'))
    const unwritten = await openFor(full)
    t.equal(unwritten.statusCode, 503)
    t.match(unwritten.json(), unavailable)
    t.same(full.ephemeral.published, [])
    t.notMatch(unwritten.body, /disk/)
  },
)

t.test('4.6: a kiosk that is removed while it is written is unknown', async (t) => {
  const api = await ready(t)
  api.devices.beforeReplace = async () => void (await api.devices.delete(DEVICE_KEY))
  t.match((await openFor(api)).json(), { code: 'UNKNOWN_DEVICE' })
})

t.test('4.1: a case names a kiosk of its tenant', async (t) => {
  const api = await ready(t)
  api.devices.seed(device({ tenant: 'other', deviceId: deviceIdOf(1) }))
  const create = (deviceId: string) =>
    api.ask('POST', '/cases', { body: input({ quickSign: true, device: { deviceId } }) })
  for (const deviceId of [ABSENT, deviceIdOf(1)]) {
    const answer = await create(deviceId)
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { code: 'UNKNOWN_DEVICE' })
  }
  t.match((await create(DEVICE_ID.toUpperCase())).json().case, { device: { deviceId: DEVICE_ID } })
})
