import t from 'tap'
import { missingPython, runPython } from '../python.ts'
import { scriptedServer, type ScriptedAnswer } from '../scripted.ts'
import { QUESTIONS } from '../vectors.ts'

t.setTimeout(120_000)
const skip = await missingPython()

const CREATED = { status: 200, body: { case: { id: 'c1', status: 'NEW' } } }
const LOST = { status: 0 }
const BUSY = { status: 503, body: { code: 'TIMEOUT', message: 'retry' } }
const SHORTLY = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too many' } }
const LATER = {
  status: 429,
  headers: { 'retry-after': '3600' },
  body: { message: 'Too many', retryAfterSeconds: 3600 },
}

const SCRIPTS: Readonly<Record<string, [ScriptedAnswer, ...ScriptedAnswer[]]>> = {
  created: [LOST, BUSY, SHORTLY, CREATED],
  lost: [LOST],
  throttled: [LATER],
  lostReminder: [LOST],
  elsewhere: [CREATED],
  unsent: [CREATED],
  gone: [{ status: 404, body: 'gone' }],
}

t.test('the Python client repeats what is safe, and verifies webhooks', { skip }, async (t) => {
  const servers: Record<string, Awaited<ReturnType<typeof scriptedServer>>> = {}
  for (const [name, answers] of Object.entries(SCRIPTS)) {
    servers[name] = await scriptedServer(t, answers)
  }
  const headers = { location: `${servers.elsewhere?.url}/cases/c1` }
  servers.redirected = await scriptedServer(t, [{ status: 302, headers }])
  const requests = (name: string) => servers[name]?.requests ?? []

  const urls = Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, url]))
  const input = JSON.stringify({ urls, questions: QUESTIONS })
  const said = JSON.parse(await runPython('drive_requests.py', [], input))

  t.match(said.created, { code: null })
  t.ok(said.created.seconds >= 1.75, 'the delays were kept')
  t.equal(requests('created').length, 4)
  const keys = new Set(requests('created').map(({ headers }) => headers['idempotency-key']))
  t.equal(keys.size, 1)
  t.match([...keys][0], /^[0-9a-f-]{36}$/)
  t.equal(requests('created')[3]?.body, '{"title": "\\u010d"}')
  t.equal(requests('created')[3]?.headers.authorization, 'Bearer secret')

  t.match(said.lost, { code: 'NETWORK', status: 0 })
  t.equal(requests('lost').length, 4)
  t.match(said.throttled, { code: 'THROTTLED', data: { retryAfterSeconds: 3600 } })
  t.equal(requests('throttled').length, 1)
  t.match(said.reminded, { code: 'NETWORK' })
  t.equal(requests('lostReminder').length, 1, 'a reminder is not sent twice')
  t.match(said.redirected, { code: 'HTTP_302' })
  t.equal(requests('elsewhere').length, 0, 'a redirect is not followed')
  t.match(said.gone, { message: 'PUT /objects/a.pdf: 404 NOT_FOUND gone' })
  t.equal(requests('gone')[0]?.headers['content-type'], 'application/pdf')
  t.equal(requests('gone')[0]?.headers['content-length'], '4')

  for (const refused of said.keys) {
    t.match(refused, {
      code: 'VALIDATION_FAILED',
      message: /^POST \/cases: \/idempotency-key must /,
      data: { validationErrors: [{ instancePath: '/idempotency-key' }] },
    })
  }
  t.equal(requests('unsent').length, 0, 'a header that HTTP cannot send')
  t.match(said.token, { code: 'VALIDATION_FAILED', message: /\/authorization must / })

  for (const [index, { name, isGenuine }] of QUESTIONS.entries()) {
    t.equal(said.verdicts[index], isGenuine, name)
  }
  t.match(said.tooOld, { code: 'WEBHOOK_INVALID' })
})
