/** Who is let into the kiosk channel. */
import t from 'tap'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf, tokenOf } from '../../fixtures/device.ts'
import { testApi } from '../../fixtures/api.ts'
import { kioskAt, listen, rawStream } from '../../fixtures/kiosk.ts'
import { kioskWorld, openFor } from '../../fixtures/kiosk-channel.ts'

t.test('a browser gets in by the cookie of its pairing (K8)', async (t) => {
  const { api, base } = await kioskWorld(t)
  const pair = await api.ask('POST', '/kiosk/pair', { token: '', body: { token: tokenOf() } })
  const [cookie = ''] = String(pair.headers['set-cookie']).split(';')
  const kiosk = await kioskAt(t, base, { headers: { cookie: `a=b; ${cookie}; c` } })
  await openFor(api)
  await kiosk.nextEvent(1)
  const stream = await rawStream(t, base, { authorization: '', cookie })
  t.equal(stream.response.status, 401, 'a header goes before a cookie')
})

const attributesOf = (setCookie: string) => setCookie.split(/; */).map((part) => part.trim())

t.test('over https the cookie can only come from this host', async (t) => {
  const { api, base } = await kioskWorld(t)
  const pair = await api.ask('POST', '/kiosk/pair', { token: '', body: { token: tokenOf() } })
  const [named = '', ...attributes] = attributesOf(String(pair.headers['set-cookie']))
  t.match(named, /^__Host-sigcase-kiosk=/)
  t.ok(['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/'].every((one) => attributes.includes(one)))
  t.notOk(attributes.some((one) => one.startsWith('Domain')))
  // What another host of the domain, or a page over http, could have set.
  const planted = { headers: { cookie: named.replace('__Host-', '') } }
  t.equal((await fetch(`${base}/devices/${DEVICE_ID}/events`, planted)).status, 401)
})

t.test('over http the cookie has a plain name, and is for the channels alone', async (t) => {
  const api = await testApi(t, { baseUrl: 'http://127.0.0.1:8080' })
  api.devices.seed(device())
  const pair = await api.ask('POST', '/kiosk/pair', { token: '', body: { token: tokenOf() } })
  const [named = '', ...attributes] = attributesOf(String(pair.headers['set-cookie']))
  t.match(named, /^sigcase-kiosk=/)
  t.ok(attributes.includes('Path=/devices') && !attributes.includes('Secure'))
  const kiosk = await kioskAt(t, await listen(api), { headers: { cookie: named } })
  t.ok(kiosk, 'the channel opens')
})

t.test('only the token of the device opens its channel', async (t) => {
  const { api } = await kioskWorld(t)
  api.devices.seed(device({ deviceId: deviceIdOf(1) }))
  const path = `/devices/${DEVICE_ID}/events`
  const good = tokenOf()
  const bad = [
    '',
    'x',
    `${good}x`,
    good.slice(0, -1),
    good.replace(/S{43}/, 'T'.repeat(43)),
    good.replace('acme', 'other'),
    good.toUpperCase(),
    tokenOf({ ...DEVICE_KEY, deviceId: deviceIdOf(1) }),
    await api.tenantToken(),
    await api.link(1),
  ]
  for (const token of bad) {
    const answer = await api.ask('GET', path, { token })
    t.equal(answer.statusCode, 401, token)
    t.same(answer.json(), { message: 'Unauthorized' })
  }
  const query = await api.ask('GET', `${path}?token=${good}`, { token: '' })
  t.equal(query.statusCode, 401)
  t.equal((await api.ask('HEAD', path, { token: good })).statusCode, 405)
  t.notOk(api.log.join('').includes('S'.repeat(43)), 'no token is logged')
})
