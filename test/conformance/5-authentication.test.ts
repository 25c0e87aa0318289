/** Specification 5: authentication, of those who call and of the webhooks that we send. */
import { createHmac } from 'node:crypto'
import t from 'tap'
import { conformance } from './conformance.ts'
import { openTokenEndpoint } from './token-endpoint.ts'
import { answering, deliveriesAt, openReceiver } from './receiver.ts'
import { MINUTE_MS, openWorld, person, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1/32' })
const receiver = await openReceiver(t)
const tokens = await openTokenEndpoint(t)

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const MESSAGE_ONLY = ['message']

conformance(world, '5.1 to 5.5', {
  async 'tenant routes'(t) {
    const routes = [
      ['POST', '/cases'],
      ['GET', `/cases/${UNKNOWN_ID}`],
      ['DELETE', `/cases/${UNKNOWN_ID}`],
      ['GET', `/cases/${UNKNOWN_ID}/events`],
      ['POST', '/tenant/devices'],
      ['POST', `/cases/${UNKNOWN_ID}/participants/${UNKNOWN_ID}/open`],
    ] as const
    const good = await world.token()
    for (const [method, path] of routes) {
      for (const token of [undefined, 'x', `${good.slice(0, -3)}AAA`]) {
        const answer = await world.ask(method, path, token === undefined ? {} : { token })
        t.equal(answer.status, 401, `${method} ${path}`)
        t.same(Object.keys(answer.json), MESSAGE_ONLY)
      }
    }
  },
  async 'a case of another tenant'(t) {
    const { id, participants } = await world.inProgress({ quickSign: true })
    const token = await world.token('other')
    const one = `/cases/${id}`
    t.equal((await world.ask('GET', one, { token })).status, 404)
    t.equal((await world.ask('DELETE', one, { token })).status, 404)
    t.equal((await world.ask('GET', `${one}/events`, { token })).status, 404)
    const { json: device } = await world.ask('POST', '/tenant/devices', {
      token,
      body: { name: 'Theirs' },
    })
    const body = { deviceId: device.deviceId }
    const open = `${one}/participants/${participants[0].id}/open`
    t.equal((await world.ask('POST', open, { token, body })).status, 404)
    const theirs = await world.asTenant('POST', open, { body })
    t.match(theirs, { status: 400, json: { code: 'UNKNOWN_DEVICE' } })
  },
  async 'participant routes'(t) {
    const { participants } = await world.inProgress({
      participants: [person(), person({ email: 'b@example.com' })],
    })
    const [one, two] = participants
    const early = (await world.create()).case.participants[0]
    const linkOf = ({ signerUrl }: Json) => new URL(signerUrl).hash.slice(1)
    const bad = ['forged', linkOf(two), await world.token(), `${linkOf(one)}x`]
    const routes = [
      ['GET', 'caseDefinition'],
      ['GET', 'signedDocument'],
      ['POST', 'signature'],
      ['POST', 'otp'],
      ['POST', 'otp/verify'],
    ] as const
    for (const [method, route] of routes) {
      for (const token of bad) {
        const answer = await world.asParticipant(one, method, route, { token })
        t.same([answer.status, Object.keys(answer.json)], [401, MESSAGE_ONLY], route)
      }
      const before = await world.asParticipant(early, method, route)
      t.same([before.status, Object.keys(before.json)], [401, MESSAGE_ONLY], 'before the upload')
    }
  },
  async 'Service-Otp-Session'(t) {
    const { participants } = await world.inProgress({
      multiFactorType: 'EMAIL',
      participants: [person({ email: 'five@example.com' })],
    })
    const [one] = participants
    const required = { status: 401, json: { code: 'OTP_REQUIRED' } }
    t.match(await world.sign(one), required)
    const wrong = { 'service-otp-session': 'guessed' }
    t.match(await world.sign(one, {}, { headers: wrong }), required)
    const headers = { 'service-otp-session': (await world.passCode(one)).otpSession }
    const view = await world.asParticipant(one, 'GET', 'caseDefinition', { headers })
    t.ok(view.json.document.url)
    t.equal((await world.sign(one, {}, { headers })).status, 200)
  },
  async 'Service-Pin'(t) {
    const { participants } = await world.inProgress({ pin: '4711' })
    const [one] = participants
    t.match(await world.sign(one), { status: 401, json: { code: 'PIN_REQUIRED' } })
    const bare = await world.asParticipant(one, 'GET', 'caseDefinition')
    t.match(bare.json, { pinRequired: true })
    t.notOk(bare.json.document.url)
    t.equal((await world.sign(one, {}, { headers: { 'service-pin': '4711' } })).status, 200)
    const both = await world.inProgress({ pin: '4711', multiFactorType: 'EMAIL' })
    const answer = await world.sign(
      both.participants[0],
      {},
      { headers: { 'service-pin': '4711' } },
    )
    t.match(answer, { status: 401, json: { code: 'OTP_REQUIRED' } }, 'the PIN does not count')
  },
  async 'public routes'(t) {
    t.equal((await world.ask('POST', '/verify/uploads')).status, 200)
    const body = { key: UNKNOWN_ID }
    t.equal((await world.ask('POST', '/verify', { body })).status, 404, 'no token is asked for')
    t.equal((await world.ask('POST', '/verify', { body, token: 'x' })).status, 404)
  },
  async 'device token'(t) {
    const { json: device } = await world.asTenant('POST', '/tenant/devices', {
      body: { name: 'Desk' },
    })
    t.equal((await world.ask('GET', device.channel)).status, 401)
    t.equal((await world.ask('GET', device.channel, { token: 'x' })).status, 401)
    t.equal((await world.asTenant('GET', device.channel)).status, 401)
    const abort = new AbortController()
    const stream = await fetch(`${world.url}${device.channel}`, {
      headers: { authorization: `Bearer ${device.token}` },
      signal: abort.signal,
    })
    t.equal(stream.status, 200)
    t.match(stream.headers.get('content-type'), /^text\/event-stream/)
    abort.abort()
  },
})

/** Ends a case at once, so that one webhook is due. */
const ends = async (callback: Json): Promise<string> => (await world.cancelled({ callback })).id
const delivered = deliveriesAt(world, receiver)

async function readState(caseId: string): Promise<string | undefined> {
  const { json } = await world.asTenant('GET', `/cases/${caseId}/deliveries`)
  return json.deliveries[0]?.attempts.length > 0 ? json.deliveries[0].state : undefined
}

const CLIENT = { clientId: 'acme:ü', clientSecret: 'päss/word' }
const oauth = (url: string, more: Json) => ({
  url,
  authType: 'OAUTH_CLIENT_CREDENTIALS',
  tokenUrl: tokens.url,
  ...CLIENT,
  ...more,
})

conformance(world, '5.6 Webhook authentication', {
  async NONE(t) {
    await ends({ url: receiver.address('none'), authType: 'NONE' })
    t.notOk('authorization' in (await delivered('none')).headers)
  },
  async BASIC(t) {
    const client = { clientId: 'acmeü', clientSecret: 'päss:word' }
    await ends({ url: receiver.address('basic'), authType: 'BASIC', ...client })
    const expected = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
    t.equal((await delivered('basic')).headers.authorization, `Basic ${expected}`)
  },
  async API_KEY(t) {
    await ends({
      url: receiver.address('key'),
      authType: 'API_KEY',
      apiKeyHeader: 'X-Acme-Key',
      apiKeyValue: 'v4lue',
    })
    t.equal((await delivered('key')).headers['x-acme-key'], 'v4lue')
  },
  async OAUTH_CLIENT_CREDENTIALS(t) {
    const more = { scope: 'hooks write', audience: 'https://acme.example' }
    await ends(oauth(receiver.address('oauth'), more))
    const { headers } = await delivered('oauth')
    t.match(headers.authorization, /^Bearer token-\d+$/)
    const { form, authorization } = tokens.requests.at(-1) as Json
    t.same(form, { grant_type: 'client_credentials', ...more })
    t.match(authorization, /^Basic /)
  },
  async 'tokenAuthMethod post'(t) {
    await ends(oauth(receiver.address('post'), { tokenAuthMethod: 'post', scope: 'post' }))
    await delivered('post')
    const { form, authorization } = tokens.requests.at(-1) as Json
    t.match(form, { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret })
    t.equal(authorization, undefined)
  },
  async 'a 401 fetches a new token and sends once more'(t) {
    const place = receiver.address('refresh', (response, attempt) =>
      answering(attempt === 1 ? 401 : 200)(response, attempt),
    )
    const id = await ends(oauth(place, { scope: 'refresh' }))
    const [first, second] = [await delivered('refresh'), await delivered('refresh', 2)]
    t.not(second.headers.authorization, first.headers.authorization)
    t.equal(second.body.id, first.body.id)
    const state = await world.until('its end', async () => {
      const now = await readState(id)
      return now === 'pending' ? undefined : now
    })
    t.equal(state, 'delivered')
  },
  async 'access_token, token_type'(t) {
    for (const more of [{ access_token: null }, { access_token: 7 }, { token_type: 'mac' }]) {
      const tokenUrl = tokens.granting(more)
      const id = await ends(
        oauth(receiver.address('no'), { tokenUrl, scope: JSON.stringify(more) }),
      )
      t.equal(await world.until('an attempt', () => readState(id)), 'failed', JSON.stringify(more))
    }
    t.same(receiver.at('no'), [])
    const tokenUrl = tokens.granting({ token_type: null })
    await ends(oauth(receiver.address('untyped'), { tokenUrl, scope: 'untyped' }))
    t.match((await delivered('untyped')).headers.authorization, /^Bearer token-\d+$/)
  },
  async expires_in(t) {
    const tokenUrl = tokens.granting({ expires_in: 120 })
    const url = receiver.address('short')
    const before = tokens.requests.length
    await ends(oauth(url, { tokenUrl, scope: 'short' }))
    await delivered('short', 1)
    await ends(oauth(url, { tokenUrl, scope: 'short' }))
    await delivered('short', 2)
    t.equal(tokens.requests.length, before + 1, 'it is kept')
    // Redis ends its values by its own clock.
    if (world.isOnCluster) return
    world.clock.pass(MINUTE_MS + 1)
    await ends(oauth(url, { tokenUrl, scope: 'short' }))
    await delivered('short', 3)
    t.equal(tokens.requests.length, before + 2, 'until 60 seconds before its end')
  },
  async 'a token endpoint that is down'(t) {
    for (const status of [408, 429, 500]) {
      const tokenUrl = tokens.answering(status)
      const id = await ends(oauth(receiver.address(`down-${status}`), { tokenUrl }))
      t.equal(await world.until('an attempt', () => readState(id)), 'pending', `${status}`)
    }
  },
  async 'a token endpoint that refuses'(t) {
    const tokenUrl = tokens.answering(401)
    const id = await ends(oauth(receiver.address('refused'), { tokenUrl }))
    t.equal(await world.until('an attempt', () => readState(id)), 'failed')
    t.same(receiver.at('refused'), [])
  },
  async 'Service-Signature'(t) {
    const signingSecret = 'ž'.repeat(32)
    const url = receiver.address('signed')
    await ends({ url, authType: 'NONE', signingSecret })
    const { headers, raw } = await delivered('signed')
    const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      headers['service-signature'] as string,
    ) as unknown as [string, string, string]
    const expected = createHmac('sha256', signingSecret).update(`${at}.`).update(raw)
    t.equal(given, expected.digest('hex'))
    t.ok(Math.abs(Number(at) * 1000 - world.clock.nowMs()) < MINUTE_MS)
  },
})
