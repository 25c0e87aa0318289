/** What one attempt sends, and what it makes of the answer. */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import t from 'tap'
import { deliveryFolder } from '../../../domain/cases/keys.ts'
import type { Callback } from '../../../domain/cases/definition.ts'
import { CASE_KEY, TENANT } from '../../fixtures/signature-case.ts'
import { RecordingTracer } from '../../fixtures/recording-tracer.ts'
import { START_MS, SECRETS, webhookWorld } from '../../fixtures/webhook-job.ts'

t.test('t is fresh at every attempt, and both signatures are over the body as sent', async (t) => {
  const w = await webhookWorld()
  w.http.answers = [500, 200]
  await w.runUntilEnd()
  const times = w.http.received.map(({ headers, body }) => {
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      `${headers['Service-Signature']}`,
    ) as string[]
    const sign = (text: string) => createHmac('sha256', `${SECRETS.signingSecret}`).update(text)
    t.equal(hex, sign(`${seconds}.${body}`).digest('hex'))
    const standard = sign(`${headers['webhook-id']}.${seconds}.${body}`).digest('base64')
    t.equal(headers['webhook-signature'], `v1,${standard}`)
    t.equal(headers['webhook-timestamp'], seconds)
    return Number(seconds)
  })
  t.same(times, [START_MS / 1000, START_MS / 1000 + 90].map(Math.floor))
})

t.test('the trace goes along, unless the tenant uses its header', async (t) => {
  const sent = async (more: Partial<Callback> = {}, tracer?: RecordingTracer) => {
    const w = await webhookWorld(more)
    if (tracer) Object.assign(w.deps, { tracer })
    await w.run()
    return { ...w.http.received[0]?.headers }
  }
  t.notOk('traceparent' in (await sent()))
  const tracer = new RecordingTracer()
  t.match(await sent({}, tracer), { traceparent: 'webhook attempt' })
  t.match(tracer.spans[0]?.attributes, { 'sigcase.attempt': 1, 'sigcase.outcome': 'delivered' })
  const own = await sent({ authType: 'API_KEY', apiKeyHeader: 'TraceParent' }, tracer)
  t.match(own, { TraceParent: SECRETS.apiKeyValue })
  t.notOk('traceparent' in own)
})

t.test('status is that of the delivery, and DONE brings links of an hour', async (t) => {
  const w = await webhookWorld({}, { phase: 'DONE', signed: 2 })
  const asked: unknown[] = []
  w.objects.presignGet = async (key: string, ...more: unknown[]) => {
    asked.push([key.split('/').at(-1), ...more])
    return `https://x/${asked.length}`
  }
  const [signed] = w.events
  await w.run(signed)
  t.match(w.http.bodies()[0], {
    type: 'participant-signed',
    status: 'DONE',
    participantId: signed?.participantId,
    signedDocument: { url: 'https://x/1' },
    evidenceDocument: { url: 'https://x/2' },
  })
  const expiresAt = new Date(START_MS + 60 * 60 * 1000)
  t.same(asked, [
    ['outcome', { expiresAt, downloadName: 'Zmluva o dielo-signed.pdf' }],
    ['evidence.pdf', { expiresAt, downloadName: 'Zmluva o dielo-evidence.pdf' }],
  ])
})

t.test('each authType sends what it says, with secrets from their store', async (t) => {
  const sent = async (more: Partial<Callback>) => {
    const w = await webhookWorld(more)
    await w.run()
    return w.http.received[0]?.headers
  }
  t.notOk('Authorization' in ((await sent({})) ?? {}))
  const basic = Buffer.from(`${SECRETS.clientId}:${SECRETS.clientSecret}`).toString('base64')
  t.match(await sent({ authType: 'BASIC' }), { Authorization: `Basic ${basic}` })
  t.match(await sent({ authType: 'API_KEY', apiKeyHeader: 'X-Key' }), {
    'X-Key': SECRETS.apiKeyValue,
  })
})

const OAUTH = {
  authType: 'OAUTH_CLIENT_CREDENTIALS',
  tokenUrl: 'https://id.acme.example/token',
  scope: 'hooks',
} as const

t.test('OAuth: 401, a new token, one resend at once that is not counted', async (t) => {
  const w = await webhookWorld(OAUTH)
  w.http.answers = [401, 503, 401, 200]
  await w.run()
  t.same(
    w.http.received.map(({ headers }) => headers.Authorization),
    ['Bearer token-1', 'Bearer token-2'],
  )
  t.same(w.accessTokens.rejected, ['token-1'])
  t.match(w.accessTokens.asked[0], { ...OAUTH_CLIENT, tenant: TENANT, scope: 'hooks' })
  t.match(await w.runUntilEnd(), { state: 'delivered' })
  t.match(await w.attempts(), [
    { number: 1, kind: 'attempt', ending: { statusCode: 401, outcome: 'unauthorized' } },
    { number: 2, kind: 'resend', ending: { statusCode: 503 } },
    { number: 3, kind: 'attempt', ending: { statusCode: 401 } },
    { number: 4, kind: 'resend', ending: { statusCode: 200 } },
  ])
  const deliveries = w.http.received.map(({ headers }) => headers['Service-Delivery'])
  t.equal(new Set(deliveries).size, 4)
})

const OAUTH_CLIENT = {
  tokenUrl: OAUTH.tokenUrl,
  clientId: SECRETS.clientId,
  clientSecret: SECRETS.clientSecret,
  tokenAuthMethod: 'basic',
}

t.test('OAuth: a second 401 fails the event; without OAuth the first does', async (t) => {
  const w = await webhookWorld(OAUTH)
  w.http.answers = [401]
  t.match(await w.runUntilEnd(), { state: 'failed' })
  t.equal(w.http.received.length, 2)
  const basic = await webhookWorld({ authType: 'BASIC' })
  basic.http.answers = [401]
  t.match(await basic.runUntilEnd(), { state: 'failed' })
  t.equal(basic.http.received.length, 1)
})

t.test('OAuth: eight attempts of which each was resent are eight', async (t) => {
  const w = await webhookWorld(OAUTH)
  w.http.answers = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 401 : 500))
  t.match(await w.runUntilEnd(), { state: 'dead' })
  t.equal(w.http.received.length, 16)
})

t.test('OAuth: a token endpoint that is down is retried, one that refuses is final', async (t) => {
  const down = await webhookWorld(OAUTH)
  down.accessTokens.answer = { outcome: 'unavailable', error: 'token endpoint: timeout' }
  await down.run()
  t.same(down.http.received, [])
  t.match(await down.attempts(), [
    { ending: { outcome: 'retryable', error: 'token endpoint: timeout' } },
  ])
  down.accessTokens.answer = undefined
  t.match(await down.runUntilEnd(), { state: 'delivered' })
  const refused = await webhookWorld(OAUTH)
  refused.accessTokens.answer = { outcome: 'refused', error: 'token endpoint: status 401' }
  t.match(await refused.runUntilEnd(), { state: 'failed' })
  t.match(await refused.attempts(), [{ ending: { error: 'token endpoint: status 401' } }])
})

t.test('OAuth: a process that ends before the resend leaves it to the next', async (t) => {
  const w = await webhookWorld(OAUTH)
  w.http.answers = [401, 200]
  w.objects.beforePut = (key) => {
    if (key.endsWith('/0002')) throw new Error('killed')
  }
  await t.rejects(w.run(), { message: 'killed' })
  w.objects.beforePut = undefined
  await w.run()
  t.match(await w.attempts(), [{ kind: 'attempt' }, { kind: 'resend' }])
  t.match(w.receipt(), { state: 'delivered' })
  t.same(
    w.http.received.map(({ headers }) => headers.Authorization),
    ['Bearer token-1', 'Bearer token-2'],
  )
})

t.test('a store that is down costs no attempt', async (t) => {
  const w = await webhookWorld()
  w.secrets.get = async () => {
    throw new Error('secrets are away')
  }
  await t.rejects(w.run(), { message: 'secrets are away' })
  t.same(await w.attempts(), [])
  t.same(w.http.received, [])
})

t.test('no credential is in the log, in an object, or in an error', async (t) => {
  for (const more of [{ authType: 'BASIC' }, OAUTH] as const) {
    const w = await webhookWorld({ ...more, url: 'https://acme.example/hooks?key=secret-in-query' })
    const lines: unknown[] = []
    w.deps.log.info = (...line) => lines.push(line)
    w.http.answers = [401, 500, 'tls-failed', 200]
    await w.runUntilEnd()
    const objects = w.objects
      .under('')
      .map((key) => new TextDecoder().decode(w.objects.objects.get(key)?.bytes))
    t.ok(lines.length > 0 && objects.length > 0)
    const kept = JSON.stringify([lines, w.warnings, objects, w.ephemeral.published])
    const secrets = [...Object.values(SECRETS), 'token-1', 'token-2', 'secret-in-query']
    for (const secret of secrets) t.notOk(kept.includes(secret), secret)
    const encoded = Buffer.from(`${SECRETS.clientId}:${SECRETS.clientSecret}`).toString('base64')
    t.notOk(kept.includes(encoded))
  }
  t.ok(deliveryFolder(CASE_KEY, 'e').endsWith('/deliveries/e/'))
})
