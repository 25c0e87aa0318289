import t from 'tap'
import { DeliveryLog } from '../../../application/webhooks/delivery-log.ts'
import type { Attempt, DeliveryReceipt } from '../../../domain/cases/webhook-attempts.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { redeliveryFolder } from '../../../domain/cases/keys.ts'
import { dueWebhooks, type DueWebhook } from '../../../domain/cases/webhooks.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY,
  keyring,
  TENANT,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const path = `/cases/${CASE_ID}/deliveries`
const NOW_MS = Date.parse(NOW)
const at = (ms: number) => new Date(NOW_MS + ms).toISOString()

/** A case with a callback, its events, and the log to write to. */
function seed(api: TestApi, options: CaseOptions = { phase: 'FAILED' }) {
  const definition = { callback: callback(), ...options.definition }
  const value = api.seed({ ...options, definition })
  const events = dueWebhooks(value, acceptedSignatures(keyring, value))
  return { log: new DeliveryLog(api.objects), events, event: events.at(-1) as DueWebhook }
}

const attempt = (more: Partial<Attempt>): Attempt => ({
  number: 1,
  deliveryId: uuidV5(CASE_ID, String(more.number ?? 1)),
  round: 1,
  kind: 'attempt',
  claimedAt: at(-5000),
  ...more,
})
const ended = (more: Partial<DeliveryReceipt>): DeliveryReceipt => ({
  type: 'case-failed',
  state: 'dead',
  endedAt: at(-1000),
  round: 1,
  ...more,
})
const redeliver = (eventId: string, caseId = CASE_ID) =>
  `/cases/${caseId}/deliveries/${eventId}/redeliver`

t.test('every webhook of a case is listed with its attempts and its state', async (t) => {
  const api = await testApi(t)
  const { log, events } = seed(api, { phase: 'DONE', signed: 2 })
  const [first, second, third] = events as [DueWebhook, DueWebhook, DueWebhook]
  const timeout = { at: at(-4000), outcome: 'retryable', durationMs: 10_003, error: 'timeout' }
  await log.claim(CASE_KEY, first.eventId, attempt({ ending: timeout as Attempt['ending'] }))
  await log.claim(CASE_KEY, second.eventId, attempt({ claimedAt: at(-60_000) }))
  const place = { key: CASE_KEY, event: third }
  await log.end(place, ended({ type: 'case-completed', state: 'delivered' }))
  const { statusCode, ...answer } = await api.ask('GET', path)
  t.equal(statusCode, 200)
  const { deliveryId } = attempt({})
  t.strictSame(answer.json(), {
    deliveries: [
      {
        ...first,
        state: 'pending',
        nextAttemptAt: at(85_000),
        attempts: [
          {
            deliveryId,
            round: 1,
            kind: 'attempt',
            startedAt: at(-5000),
            durationMs: 10_003,
            error: 'timeout',
          },
        ],
      },
      {
        ...second,
        state: 'pending',
        attempts: [
          {
            deliveryId,
            round: 1,
            kind: 'attempt',
            startedAt: at(-60_000),
            error: 'interrupted',
          },
        ],
      },
      { ...third, state: 'delivered', endedAt: at(-1000), attempts: [] },
    ],
  })
})

t.test('a case without callback has no deliveries', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  t.same((await api.ask('GET', path)).json(), { deliveries: [] })
})

t.test('a case of another tenant is not found', async (t) => {
  const api = await testApi(t)
  const { event } = seed(api)
  const token = await api.tenantToken('other')
  for (const answer of [
    await api.ask('GET', path, { token }),
    await api.ask('POST', redeliver(event.eventId), { token }),
  ]) {
    t.equal(answer.statusCode, 404)
    t.match(answer.headers['content-type'], 'text/plain')
  }
  t.equal((await api.ask('GET', path, { token: '' })).statusCode, 401)
})

t.test(
  'a redelivery is recorded, the controller is notified, and a repeated request changes nothing',
  async (t) => {
    const api = await testApi(t)
    const { log, event } = seed(api)
    await log.end({ key: CASE_KEY, event }, ended({}))
    for (const _ of [1, 2]) {
      const answer = await api.ask('POST', redeliver(event.eventId.toUpperCase()))
      t.equal(answer.statusCode, 202)
      t.strictSame(answer.json(), { ...event, state: 'pending', attempts: [] })
    }
    t.same(await log.requests(CASE_KEY), [{ ...CASE_KEY, eventId: event.eventId, round: 2 }])
    t.same(api.ephemeral.published.slice(-1), [JSON.stringify(CASE_KEY)])
    t.match((await api.ask('GET', path)).json(), { deliveries: [{ state: 'pending' }] })
  },
)

t.test('a failed notification loses no redelivery', async (t) => {
  const api = await testApi(t)
  const { log, event } = seed(api)
  await log.end({ key: CASE_KEY, event }, ended({}))
  api.ephemeral.publish = async () => {
    throw new Error('away')
  }
  t.equal((await api.ask('POST', redeliver(event.eventId))).statusCode, 202)
  t.equal(api.objects.under(redeliveryFolder(CASE_KEY)).length, 1)
})

t.test('an event that is still being delivered is not redelivered', async (t) => {
  const api = await testApi(t)
  const { log, event } = seed(api)
  const pending = await api.ask('POST', redeliver(event.eventId))
  t.match([pending.statusCode, pending.json()], [409, { code: 'WEBHOOK_PENDING' }])
  await log.end({ key: CASE_KEY, event }, ended({ round: 50 }))
  const often = await api.ask('POST', redeliver(event.eventId))
  t.match([often.statusCode, often.json()], [409, { code: 'REDELIVERIES_EXHAUSTED' }])
})

t.test('a round that has just ended can be redelivered before its receipt exists', async (t) => {
  const api = await testApi(t)
  const { log, event } = seed(api)
  for (const round of [1, 2]) {
    const ending = { at: at(-4000), outcome: 'final', durationMs: 9, statusCode: 400 } as const
    await log.claim(CASE_KEY, event.eventId, attempt({ number: round, round, ending }))
    t.match((await api.ask('GET', path)).json(), { deliveries: [{ state: 'failed' }] })
    const answer = await api.ask('POST', redeliver(event.eventId))
    t.match([answer.statusCode, answer.json()], [202, { state: 'pending' }])
    t.match((await api.ask('GET', path)).json(), { deliveries: [{ state: 'pending' }] })
    const rounds = (await log.requests(CASE_KEY)).map((asked) => asked.round)
    t.same(rounds.at(-1), round + 1)
  }
})

t.test('an event that the case does not have is not found', async (t) => {
  const api = await testApi(t)
  seed(api)
  for (const eventId of [CASE_ID, 'x', '..']) {
    t.equal((await api.ask('POST', redeliver(eventId))).statusCode, 404, eventId)
  }
})

const LIST = '/tenant/webhook-events'

/** Dead events of five cases, written in no order. */
async function deadEvents(api: TestApi) {
  const log = new DeliveryLog(api.objects)
  for (const n of [3, 1, 5, 2, 4]) {
    const caseId = uuidV5(CASE_ID, 'case', String(n))
    const event = { type: 'case-failed' as const, eventId: uuidV5(caseId, 'event') }
    const occurredAt = at(-n * 60_000)
    await log.end({ key: { tenant: TENANT, caseId }, event: { ...event, occurredAt } }, ended({}))
  }
}

t.test('dead events of all cases, the first to occur first, by pages', async (t) => {
  const api = await testApi(t)
  await deadEvents(api)
  const pages: string[][] = []
  let cursor = ''
  for (let page = 0; page < 3; page++) {
    const answer = (await api.ask('GET', `${LIST}?status=dead&limit=2${cursor}`)).json()
    pages.push(answer.events.map(({ occurredAt }: DueWebhook) => occurredAt))
    cursor = `&cursor=${answer.nextCursor}`
    if (page === 2) t.notOk('nextCursor' in answer)
  }
  t.same(pages, [[at(-300_000), at(-240_000)], [at(-180_000), at(-120_000)], [at(-60_000)]])
  const whole = await api.ask('GET', `${LIST}?status=dead&limit=5`)
  t.notOk('nextCursor' in whole.json(), 'no cursor leads to an empty page')
  const [one] = (await api.ask('GET', `${LIST}?status=dead`)).json().events
  t.same(Object.keys(one).sort(), ['caseId', 'endedAt', 'eventId', 'occurredAt', 'state', 'type'])
  t.same((await api.ask('GET', `${LIST}?status=failed`)).json(), { events: [] })
  const token = await api.tenantToken('other')
  t.same((await api.ask('GET', `${LIST}?status=dead`, { token })).json(), { events: [] })
})

t.test('a redelivery that fails as well is listed with the time of its last attempt', async (t) => {
  const api = await testApi(t)
  const { log, event } = seed(api)
  const place = { key: CASE_KEY, event }
  await log.end(place, ended({ endedAt: at(-60_000) }))
  await log.end(place, ended({ endedAt: at(-1000), round: 2 }))
  const { events } = (await api.ask('GET', `${LIST}?status=dead`)).json()
  t.match(events, [{ eventId: event.eventId, endedAt: at(-1000) }])
  t.equal(events.length, 1)
})

t.test('an event that leaves the list meanwhile does not end the listing', async (t) => {
  const api = await testApi(t)
  await deadEvents(api)
  const list = api.objects.list.bind(api.objects)
  api.objects.list = async (prefix, options) => {
    const stats = await list(prefix, options)
    await api.objects.delete(stats[0]?.key ?? '')
    return stats
  }
  const { events, nextCursor } = (await api.ask('GET', `${LIST}?status=dead&limit=2`)).json()
  t.same(
    events.map(({ occurredAt }: DueWebhook) => occurredAt),
    [at(-240_000)],
  )
  t.type(nextCursor, 'string')
})

t.test('a listing reads its page and no case', async (t) => {
  const api = await testApi(t)
  await deadEvents(api)
  api.objects.gets = []
  api.cases.list = async () => {
    throw new Error('cases are not listed')
  }
  await api.ask('GET', `${LIST}?status=dead&limit=2`)
  t.equal(api.objects.gets.length, 3)
})

t.test('queries that are not of this listing are refused', async (t) => {
  const api = await testApi(t)
  await deadEvents(api)
  const { nextCursor } = (await api.ask('GET', `${LIST}?status=dead&limit=2`)).json()
  for (const [query, expected] of [
    ['', { validationErrors: [{ keyword: 'required', params: { missingProperty: 'status' } }] }],
    ['?status=alive', { validationErrors: [{ instancePath: '/status', keyword: 'enum' }] }],
    ['?status=dead&limit=0', { code: 'INVALID_LIMIT' }],
    ['?status=dead&limit=1&limit=2', { code: 'INVALID_LIMIT' }],
    ['?status=dead&cursor=x', { code: 'INVALID_CURSOR' }],
    ['?status=dead&cursor=x&cursor=y', { code: 'INVALID_CURSOR' }],
    [`?status=failed&cursor=${nextCursor}`, { code: 'INVALID_CURSOR' }],
  ] as const) {
    const answer = await api.ask('GET', `${LIST}${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.json(), expected, query)
  }
})
