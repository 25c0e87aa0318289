import { inspect } from 'node:util'
import t from 'tap'
import { listenKiosk, pairKiosk, SigcaseClient } from '../../../clients/typescript/src/index.ts'
import { backOffMs, readRetryAfterMs } from '../../../clients/typescript/src/waiting.ts'
import { scriptedServer, type ScriptedAnswer } from '../scripted.ts'
import { caseInput } from '../world.ts'

t.setTimeout(120_000)
const CREATED = { status: 200, body: { case: { id: 'c1', status: 'NEW' } } }
const LOST = { status: 0 }
const BUSY = { status: 503, body: { code: 'TIMEOUT', message: 'retry' } }
const THROTTLED = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too many' } }

type Answers = [ScriptedAnswer, ...ScriptedAnswer[]]

async function startClient(t: Parameters<typeof scriptedServer>[0], ...answers: Answers) {
  const { url: baseUrl, requests } = await scriptedServer(t, answers)
  const client = new SigcaseClient({ baseUrl, token: 'secret', maximumAttempts: 4 })
  return { client, requests }
}

t.test('a case is created again with the same key and body', async (t) => {
  const { client, requests } = await startClient(t, LOST, BUSY, THROTTLED, CREATED)
  const startedMs = Date.now()
  t.match(await client.createCase(caseInput({ title: 'Once' })), { case: { id: 'c1' } })
  t.ok(Date.now() - startedMs >= 1_000 + 250 + 500, 'the delays were kept')
  t.equal(requests.length, 4)
  t.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
  t.match(requests[0]?.headers['idempotency-key'], /^[0-9a-f-]{36}$/)
  t.equal(new Set(requests.map(({ body }) => body)).size, 1)
  t.match(requests[0]?.headers, { authorization: 'Bearer secret' })
})

t.test('a call fails after four attempts without an answer', async (t) => {
  const lost = await startClient(t, LOST)
  const message = /^GET \/cases\/c1: no response: (?!fetch failed)./
  await t.rejects(lost.client.getCase('c1'), { code: 'NETWORK', status: 0, message })
  t.equal(lost.requests.length, 4)
  const busy = await startClient(t, BUSY)
  await t.rejects(busy.client.getCase('c1'), { code: 'TIMEOUT', status: 503 })
  t.equal(busy.requests.length, 4)
})

t.test('a delay that is too long is left to the caller', async (t) => {
  const body = { message: 'Too many', retryAfterSeconds: 3600 }
  const answer = { status: 429, headers: { 'retry-after': '3600' }, body }
  const { client, requests } = await startClient(t, answer)
  await t.rejects(client.getCase('c1'), { code: 'THROTTLED', data: { retryAfterSeconds: 3600 } })
  t.equal(requests.length, 1)
})

t.test('a reminder is not sent twice', async (t) => {
  const lost = await startClient(t, LOST)
  await t.rejects(lost.client.remind('c1', 'p1'), { code: 'NETWORK' })
  t.equal(lost.requests.length, 1)
  const throttled = await startClient(t, THROTTLED, { status: 202, body: { caseId: 'c1' } })
  t.match(await throttled.client.remind('c1', 'p1'), { caseId: 'c1' })
})

t.test('what cannot succeed is not tried again', async (t) => {
  for (const status of [400, 401, 403, 404, 409, 410, 500, 501]) {
    const { client, requests } = await startClient(t, { status, body: { message: 'no' } })
    await t.rejects(client.getCase('c1'), { name: 'SigcaseError', status })
    t.equal(requests.length, 1)
  }
})

t.test('a header that HTTP cannot send is refused at once', async (t) => {
  const { client, requests } = await startClient(t, CREATED)
  for (const idempotencyKey of ['zmluva č. 5', 'two\nlines']) {
    await t.rejects(client.createCase(caseInput(), { idempotencyKey }), {
      name: 'SigcaseError',
      code: 'VALIDATION_FAILED',
      message: /^POST \/cases: \/idempotency-key must /,
      data: { validationErrors: [{ instancePath: '/idempotency-key' }] },
    })
  }
  t.equal(requests.length, 0)
  const { url: baseUrl } = await scriptedServer(t, [CREATED])
  const unset = new SigcaseClient({ baseUrl, token: 'secret…' })
  const error = await unset.getCase('c1').catch((thrown: unknown) => thrown)
  t.match(error, { code: 'VALIDATION_FAILED', message: /\/authorization/ })
  t.notMatch(inspect(error), /secret/, 'the token is not in the error')
})

t.test('a redirect is not followed', async (t) => {
  const { requests, url } = await scriptedServer(t, [CREATED])
  const { client } = await startClient(t, { status: 302, headers: { location: url } })
  await t.rejects(client.getCase('c1'), { code: 'HTTP_302' })
  t.equal(requests.length, 0)
})

t.test('a signal ends the delay between attempts', async (t) => {
  const { client, requests } = await startClient(t, {
    ...THROTTLED,
    headers: { 'retry-after': '30' },
  })
  const startedMs = Date.now()
  const signal = AbortSignal.timeout(200)
  await t.rejects(client.getCase('c1', { signal }), { name: 'TimeoutError' })
  t.ok(Date.now() - startedMs < 25_000)
  t.equal(requests.length, 1)
})

t.test('messages do not have the query of a presigned URL', async (t) => {
  const { client } = await startClient(t, { status: 422, body: 'x' })
  const { url } = await scriptedServer(t, [{ status: 404, body: 'gone' }])
  const upload = { type: 'PUT', url: `${url}/objects/a.pdf?signature=geheim` } as const
  const created = { case: { id: 'c1' }, upload } as never
  const error: Error = await client.uploadDocument(created, new Uint8Array(10)).then(
    () => t.fail('nothing was thrown') as never,
    (thrown: Error) => thrown,
  )
  t.match(error.message, 'PUT /objects/a.pdf: 404')
  t.notMatch(error.message, 'geheim')
})

t.test('delays grow, have a bound and are spread', async (t) => {
  const delays = Array.from({ length: 40 }, (_, index) => backOffMs(index + 1))
  t.ok(delays.every((delayMs) => delayMs >= 250 && delayMs <= 8_000))
  t.ok((delays[0] as number) <= 500)
  t.ok((delays[39] as number) >= 4_000)
  t.ok(new Set(delays.slice(10)).size > 1)
})

t.test('Retry-After is read as seconds or as a date', async (t) => {
  const nowMs = Date.parse('2026-11-22T10:00:00Z')
  t.equal(readRetryAfterMs('7', nowMs), 7_000)
  t.equal(readRetryAfterMs('Sun, 22 Nov 2026 10:00:05 GMT', nowMs), 5_000)
  t.equal(readRetryAfterMs('Sun, 22 Nov 2026 09:00:05 GMT', nowMs), 0)
  t.equal(readRetryAfterMs('soon', nowMs), undefined)
  t.equal(readRetryAfterMs(null, nowMs), undefined)
})

t.test('a lost response says why, without the query of the URL', async (t) => {
  const secret = 'X-Goog-Signature=secret'
  const failures = [
    new AggregateError([new Error('connect ECONNREFUSED ::1:9')]),
    new Error(`error sending request for url (https://x.example/a.pdf?${secret})`),
    new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
  ]
  Object.assign(failures[0] as Error, { code: 'ECONNREFUSED' })
  const messages: string[] = []
  for (const cause of failures) {
    const client = new SigcaseClient({
      baseUrl: 'https://sign.example',
      token: 'secret',
      maximumAttempts: 1,
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    })
    await client.getCase('c1').catch((error: unknown) => messages.push(String(error)))
  }
  t.same(messages, [
    'SigcaseError: GET /cases/c1: no response: ECONNREFUSED',
    'SigcaseError: GET /cases/c1: no response: ' +
      'error sending request for url (https://x.example/a.pdf?…)',
    'SigcaseError: GET /cases/c1: no response: The operation was aborted due to timeout',
  ])
})

t.test('a URL of the service without its scheme is refused at once', async (t) => {
  for (const baseUrl of [
    'sign.example.com',
    'localhost:3000',
    '//sign.example.com',
    'https://',
    '',
  ]) {
    const message = `it is "${baseUrl}"`
    const options = { baseUrl, token: 'secret', deviceId: 'd' }
    t.throws(() => new SigcaseClient(options), { name: 'TypeError', message: new RegExp(message) })
    await t.rejects(pairKiosk(options), { name: 'TypeError', message: new RegExp(message) })
    await t.rejects(listenKiosk(options).next(), { name: 'TypeError' })
  }
  t.doesNotThrow(() => new SigcaseClient({ baseUrl: 'HTTPS://sign.example.com/base//' }))
})
