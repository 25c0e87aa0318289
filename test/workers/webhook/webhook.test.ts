import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import t from 'tap'
import type { Attempt, DeliveryReceipt } from '../../../domain/cases/deliveries.ts'
import { DeliveryLog } from '../../../domain/cases/delivery-log.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { deliveryFolder, receiptKey, redeliveryFolder } from '../../../domain/cases/keys.ts'
import type { Callback } from '../../../domain/cases/definition.ts'
import { owedWebhooks, type OwedWebhook } from '../../../domain/cases/webhooks.ts'
import type { CaseSecrets } from '../../../domain/ports/secret-store.ts'
import { webhook } from '../../../workers/webhook/webhook.ts'
import {
  callback,
  CALLBACK_URL,
  CASE_KEY,
  keyring,
  signatureCase,
  TENANT,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'
import { FakeEndpoint, FakeTokens } from '../../fixtures/endpoint.ts'
import { settle } from '../../fixtures/memory.ts'
import { workerDeps, WORK_START } from '../../fixtures/worker.ts'

const START_MS = Date.parse(WORK_START)
const DELAY_MS = 90_000
const SECRETS: CaseSecrets = {
  clientId: 'client-id-of-acme',
  clientSecret: 'client-secret-of-acme',
  apiKeyValue: 'api-key-of-acme',
  signingSecret: 'signing-secret-of-acme-0123456789',
}

/** One event of a case, and a job that can be run as often as a test likes. */
async function world(more: Partial<Callback> = {}, options: CaseOptions = { phase: 'FAILED' }) {
  const plain = await workerDeps()
  const http = new FakeEndpoint(plain.timers)
  const deps = { ...plain, outboundHttp: http, accessTokens: new FakeTokens() }
  const value = signatureCase({ ...options, definition: { callback: callback(more) } })
  deps.cases.seed(value)
  await deps.secrets.create(CASE_KEY, SECRETS)
  const events = owedWebhooks(value, acceptedSignatures(keyring, value))
  const event = events.at(-1) as OwedWebhook
  const log = new DeliveryLog(deps.objects)
  const run = (other: OwedWebhook = event) => webhook({ ...CASE_KEY, eventId: other.eventId }, deps)
  /** Runs the job again and again, as the controller would plan it at the latest. */
  const runUntilEnd = async () => {
    for (let turn = 0; turn < 20; turn++) {
      await run()
      const receipt = await log.receipt(CASE_KEY, event.eventId)
      const asked = await log.requests(CASE_KEY)
      if (receipt && asked.length === 0) return receipt
      await deps.timers.moveTo(deps.timers.nowMs() + DELAY_MS)
    }
    return undefined
  }
  return {
    ...deps,
    deps,
    http,
    events,
    event,
    log,
    run,
    runUntilEnd,
    attempts: () => log.attempts(CASE_KEY, event.eventId),
    receipt: () => deps.objects.json<DeliveryReceipt>(receiptKey(CASE_KEY, event.eventId)),
  }
}

const statusOf = ({ ending }: Attempt) => ending?.statusCode ?? ending?.error

t.test('a webhook that is taken is sent once, logged, receipted, and told', async (t) => {
  const w = await world()
  await w.run()
  t.equal(w.http.received.length, 1)
  t.match(w.http.received[0], { url: CALLBACK_URL, method: 'POST', timeoutMs: 10_000 })
  t.match(w.http.bodies(), [{ id: w.event.eventId, type: 'case-failed', status: 'FAILED' }])
  const [attempt, ...others] = await w.attempts()
  t.same(others, [])
  t.match(attempt, { number: 1, round: 1, kind: 'attempt', claimedAt: WORK_START })
  t.strictSame(attempt?.ending, {
    at: WORK_START,
    outcome: 'delivered',
    durationMs: 12,
    statusCode: 200,
  })
  t.equal(w.http.received[0]?.headers['Service-Delivery'], attempt?.deliveryId)
  t.strictSame(w.receipt(), {
    type: 'case-failed',
    state: 'delivered',
    endedAt: WORK_START,
    round: 1,
  })
  t.same(w.ephemeral.rung, [JSON.stringify(CASE_KEY)])
  await w.run()
  t.equal(w.http.received.length, 1, 'a job too many sends nothing')
})

t.test('it is retried every 90 seconds, eight attempts in all, and then dead', async (t) => {
  const w = await world()
  w.http.tells = [500, 'timeout', 429, 408, 'connection-lost', 503, 'name-not-resolved', 599]
  const receipt = await w.runUntilEnd()
  t.match(receipt, { state: 'dead', round: 1 })
  const expected = [500, 'timeout', 429, 408, 'connection-lost', 503, 'name-not-resolved', 599]
  t.same((await w.attempts()).map(statusOf), expected)
  t.same(
    w.http.received.map(({ atMs }) => atMs - START_MS),
    Array.from({ length: 8 }, (_, index) => index * DELAY_MS),
  )
  t.equal(new Set(w.http.bodies().map(({ id }) => id)).size, 1, 'one id')
  const deliveries = w.http.received.map(({ headers }) => headers['Service-Delivery'])
  t.equal(new Set(deliveries).size, 8, 'a new Service-Delivery each time')
  const [dead] = await w.log.ended(TENANT, 'dead', { limit: 10 })
  t.match(dead?.event, { ...w.event, caseId: CASE_KEY.caseId, endedAt: receipt?.endedAt })
  await w.run()
  t.equal(w.http.received.length, 8)
})

t.test('jobs that come too early send nothing', async (t) => {
  const w = await world()
  w.http.tells = [500]
  for (const ms of [0, 0, 1, 45_000, 89_999]) {
    await w.timers.moveTo(START_MS + ms)
    await w.run()
  }
  t.equal(w.http.received.length, 1)
  await w.timers.moveTo(START_MS + DELAY_MS)
  await Promise.all([w.run(), w.run(), w.run()])
  t.equal(w.http.received.length, 2, 'and of three at once one')
})

t.test('any other answer fails the event at once', async (t) => {
  for (const told of [301, 400, 401, 404, 'address-forbidden', 'url-not-allowed'] as const) {
    const w = await world()
    w.http.tells = [told]
    t.match(await w.runUntilEnd(), { state: 'failed' }, String(told))
    t.equal(w.http.received.length, 1)
    t.equal((await w.attempts()).map(statusOf)[0], told)
    t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
  }
})

t.test('t is fresh at every attempt, and both signatures are over the body as sent', async (t) => {
  const w = await world()
  w.http.tells = [500, 200]
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

t.test('status is that of the delivery, and DONE brings links of an hour', async (t) => {
  const w = await world({}, { phase: 'DONE', signed: 2 })
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
    const w = await world(more)
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
  const w = await world(OAUTH)
  w.http.tells = [401, 503, 401, 200]
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
  const w = await world(OAUTH)
  w.http.tells = [401]
  t.match(await w.runUntilEnd(), { state: 'failed' })
  t.equal(w.http.received.length, 2)
  const basic = await world({ authType: 'BASIC' })
  basic.http.tells = [401]
  t.match(await basic.runUntilEnd(), { state: 'failed' })
  t.equal(basic.http.received.length, 1)
})

t.test('OAuth: eight attempts of which each was resent are eight', async (t) => {
  const w = await world(OAUTH)
  w.http.tells = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 401 : 500))
  t.match(await w.runUntilEnd(), { state: 'dead' })
  t.equal(w.http.received.length, 16)
})

t.test('OAuth: a token endpoint that is down is retried, one that refuses is final', async (t) => {
  const down = await world(OAUTH)
  down.accessTokens.tells = { outcome: 'unavailable', error: 'token endpoint: timeout' }
  await down.run()
  t.same(down.http.received, [])
  t.match(await down.attempts(), [
    { ending: { outcome: 'retryable', error: 'token endpoint: timeout' } },
  ])
  down.accessTokens.tells = undefined
  t.match(await down.runUntilEnd(), { state: 'delivered' })
  const refused = await world(OAUTH)
  refused.accessTokens.tells = { outcome: 'refused', error: 'token endpoint: status 401' }
  t.match(await refused.runUntilEnd(), { state: 'failed' })
  t.match(await refused.attempts(), [{ ending: { error: 'token endpoint: status 401' } }])
})

t.test('OAuth: a process that ends before the resend leaves it to the next', async (t) => {
  const w = await world(OAUTH)
  w.http.tells = [401, 200]
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

t.test('a process that ends during an attempt: it counts, and the next follows', async (t) => {
  const w = await world()
  w.http.whileAsked = () => new Promise<void>(() => {})
  void w.run()
  await settle()
  t.equal(w.http.received.length, 1)
  w.http.whileAsked = undefined
  w.http.tells = [500]
  for (const ms of [1000, 59_999, 60_000, 89_999]) {
    await w.timers.moveTo(START_MS + ms)
    await w.run()
  }
  t.equal(w.http.received.length, 1, 'not before its time')
  await w.timers.moveTo(START_MS + DELAY_MS)
  t.match(await w.runUntilEnd(), { state: 'dead' })
  t.equal(w.http.received.length, 8)
  const attempts = await w.attempts()
  t.equal(attempts[0]?.ending, undefined)
  t.same(
    attempts.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

t.test('a store that is down costs no attempt', async (t) => {
  const w = await world()
  w.secrets.get = async () => {
    throw new Error('secrets are away')
  }
  await t.rejects(w.run(), { message: 'secrets are away' })
  t.same(await w.attempts(), [])
  t.same(w.http.received, [])
})

t.test('a process that ends before the receipt writes it the next time', async (t) => {
  const w = await world()
  w.http.tells = [404]
  for (const folder of ['/receipts/', '/webhook-events/']) {
    const swap = w.objects.compareAndSwap.bind(w.objects)
    const put = w.objects.putIfAbsent.bind(w.objects)
    const refuse = (key: string) => {
      if (key.includes(folder)) throw new Error('killed')
    }
    w.objects.compareAndSwap = async (key, ...rest) => (refuse(key), swap(key, ...rest))
    w.objects.putIfAbsent = async (key, ...rest) => (refuse(key), put(key, ...rest))
    await t.rejects(w.run(), { message: 'killed' })
    Object.assign(w.objects, { compareAndSwap: swap, putIfAbsent: put })
    t.equal(w.receipt(), undefined)
  }
  await w.run()
  t.equal(w.http.received.length, 1)
  t.match(w.receipt(), { state: 'failed' })
  t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
})

t.test(
  'a redelivery is a new round: same id, new delivery, and the list is put right',
  async (t) => {
    const w = await world()
    w.http.tells = [500]
    t.match(await w.runUntilEnd(), { state: 'dead', round: 1 })
    await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 2 }, w.now())
    w.http.tells = [503, 200]
    t.match(await w.runUntilEnd(), { state: 'delivered', round: 2 })
    t.equal(w.http.received.length, 10)
    t.same((await w.attempts()).map(({ number, round }) => [number, round]).slice(7), [
      [8, 1],
      [9, 2],
      [10, 2],
    ])
    t.equal(new Set(w.http.bodies().map(({ id }) => id)).size, 1)
    t.same(await w.log.ended(TENANT, 'dead', { limit: 10 }), [])
    t.same(w.objects.under(redeliveryFolder(CASE_KEY)), [])
    await w.run()
    t.equal(w.http.received.length, 10)
  },
)

t.test('a redelivery that ends badly goes from one list to the other', async (t) => {
  const w = await world()
  w.http.tells = [500]
  await w.runUntilEnd()
  await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 2 }, w.now())
  w.http.tells = [410]
  t.match(await w.runUntilEnd(), { state: 'failed', round: 2 })
  t.same(await w.log.ended(TENANT, 'dead', { limit: 10 }), [])
  t.equal((await w.log.ended(TENANT, 'failed', { limit: 10 })).length, 1)
})

t.test('a request for a round that has ended is taken off the list', async (t) => {
  const w = await world()
  await w.run()
  await w.log.request(CASE_KEY, { eventId: w.event.eventId, round: 1 }, w.now())
  await w.run()
  t.same(w.objects.under(redeliveryFolder(CASE_KEY)), [])
  t.equal(w.http.received.length, 1)
})

t.test('what is not owed is not sent', async (t) => {
  const w = await world()
  await webhook({ ...CASE_KEY, eventId: CASE_KEY.caseId }, w.deps)
  await webhook({ tenant: 'other', caseId: CASE_KEY.caseId, eventId: w.event.eventId }, w.deps)
  t.same(w.http.received, [])
})

t.test('no credential is in the log, in an object, or in an error', async (t) => {
  for (const more of [{ authType: 'BASIC' }, OAUTH] as const) {
    const w = await world({ ...more, url: 'https://acme.example/hooks?key=secret-in-query' })
    const lines: unknown[] = []
    w.deps.log.info = (...line) => lines.push(line)
    w.http.tells = [401, 500, 'tls-failed', 200]
    await w.runUntilEnd()
    const objects = w.objects
      .under('')
      .map((key) => new TextDecoder().decode(w.objects.objects.get(key)?.bytes))
    t.ok(lines.length > 0 && objects.length > 0)
    const told = JSON.stringify([lines, w.warnings, objects, w.ephemeral.rung])
    const secrets = [...Object.values(SECRETS), 'token-1', 'token-2', 'secret-in-query']
    for (const secret of secrets) t.notOk(told.includes(secret), secret)
    const encoded = Buffer.from(`${SECRETS.clientId}:${SECRETS.clientSecret}`).toString('base64')
    t.notOk(told.includes(encoded))
  }
  t.ok(deliveryFolder(CASE_KEY, 'e').endsWith('/deliveries/e/'))
})
