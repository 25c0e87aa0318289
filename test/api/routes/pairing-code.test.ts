/** Pairing a kiosk by a short code (decision 226), with a frozen clock. */
import t from 'tap'
import { parsePairingCode } from '../../../domain/devices/pairing-code.ts'
import { input, testApi, type TestApi } from '../../fixtures/api.ts'

const LIFE_MS = 10 * 60 * 1000
const CODE = /^[23456789ABCDEFGHJKMNPQRSTVWXYZ]{4}-[23456789ABCDEFGHJKMNPQRSTVWXYZ]{4}$/

async function register(api: TestApi): Promise<{ deviceId: string; token: string }> {
  return (await api.ask('POST', '/tenant/devices', { body: { name: 'Reception' } })).json()
}

const createCode = (api: TestApi, deviceId: string, token: string) =>
  api.ask('POST', `/tenant/devices/${deviceId}/pairingCode`, { body: { token } })

const pair = (api: TestApi, token: string, headers: Record<string, string> = {}) =>
  api.ask('POST', '/kiosk/pair', { token: '', body: { token }, headers })

t.test('a code pairs its kiosk once, however people type it', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  for (const typed of [
    (code: string) => code,
    (code: string) => code.toLowerCase(),
    (code: string) => ` ${code.replace('-', ' ')} `,
  ]) {
    const created = (await createCode(api, deviceId, token)).json()
    t.match(created.code, CODE)
    t.equal(Date.parse(created.expiresAt), api.timers.nowMs() + LIFE_MS)
    const paired = await pair(api, typed(created.code))
    t.match([paired.statusCode, paired.json().deviceId], [200, deviceId])
    t.match(paired.headers['set-cookie'], token, 'the cookie has the token')
    t.notMatch(paired.body, token, 'the body does not')
    t.equal((await pair(api, created.code)).statusCode, 401, 'it works once')
  }
})

t.test('two requests with one code pair one kiosk', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  const { code } = (await createCode(api, deviceId, token)).json()
  const answers = await Promise.all([pair(api, code), pair(api, code)])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 401])
})

t.test('a code expires after ten minutes, and with its device', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  const { code } = (await createCode(api, deviceId, token)).json()
  await api.timers.leapTo(api.timers.nowMs() + LIFE_MS)
  t.equal((await pair(api, code)).statusCode, 401)
  const later = (await createCode(api, deviceId, token)).json()
  await api.ask('DELETE', `/tenant/devices/${deviceId}`)
  t.equal((await pair(api, later.code)).statusCode, 401)
})

t.test('only the tenant of the device with its token gets a code', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  const another = await register(api)
  const problem = { instancePath: '/token', message: 'is not the token of this kiosk' }
  for (const answer of [
    await createCode(api, deviceId, another.token),
    await createCode(api, another.deviceId, token),
  ]) {
    t.match(answer, { statusCode: 400 })
    t.match(answer.json(), { validationErrors: [problem] })
    t.notMatch(answer.body, another.token)
  }
  t.equal((await createCode(api, deviceId, '')).statusCode, 400)
  t.equal((await createCode(api, '00000000-0000-4000-8000-000000000000', token)).statusCode, 404)
  const answer = await api.ask('POST', `/tenant/devices/${deviceId}/pairingCode`, {
    token: '',
    body: { token },
  })
  t.equal(answer.statusCode, 401)
})

t.test('guessing is limited by address, and costs people with the token nothing', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  const { code } = (await createCode(api, deviceId, token)).json()
  for (let tries = 0; tries < 20; tries++) t.equal((await pair(api, '2222-2222')).statusCode, 401)
  const limited = await pair(api, code)
  t.match([limited.statusCode, limited.json()], [429, { message: 'Too many requests' }])
  t.ok(Number(limited.headers['retry-after']) > 0)
  t.equal((await pair(api, token)).statusCode, 200)
})

t.test('neither the store nor the log has the code or the token', async (t) => {
  const api = await testApi(t, { logLevel: 'trace' })
  const { deviceId, token } = await register(api)
  const { code } = (await createCode(api, deviceId, token)).json()
  await pair(api, code)
  const again = (await createCode(api, deviceId, token)).json().code
  const texts = [JSON.stringify([...api.ephemeral.values]), api.log.join('\n')]
  for (const secret of [code, again, parsePairingCode(code) ?? '', token]) {
    for (const text of texts) t.notOk(text.includes(secret))
  }
})

t.test('what others put in place of a token pairs nothing', async (t) => {
  const api = await testApi(t)
  const { deviceId, token } = await register(api)
  for (const odd of ['', 'AAAA', Buffer.alloc(100).toString('base64')]) {
    const before = new Set(api.ephemeral.values.keys())
    const { code } = (await createCode(api, deviceId, token)).json()
    const [kept] = [...api.ephemeral.values.keys()].filter((key) => !before.has(key))
    await api.ephemeral.set(kept!, odd, { ttlMs: LIFE_MS })
    t.equal((await pair(api, code)).statusCode, 401, odd)
  }
})

t.test('a text of another form counts as a token', async (t) => {
  const api = await testApi(t)
  for (const text of [input().title, '2222-222', '2222-22220', 'OOOO-OOOO', 'IIII-1111']) {
    t.equal(parsePairingCode(text), undefined)
    t.equal((await pair(api, text)).statusCode, 401)
  }
})
