/** Specification 4.4 and 2.7: the audit trail of a case. */
import t from 'tap'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { Forger } from '../../fixtures/forger.ts'
import {
  ACCEPTED_AT,
  CASE_ID,
  CASE_KEY,
  CREATED_AT,
  DOCUMENT_SHA256,
  participant,
  SIGNED_AT,
} from '../../fixtures/signature-case.ts'

const path = `/cases/${CASE_ID}/events`
const EVENTS = 250

/** A trail of {@link EVENTS} events and three of the creation before them. */
async function longTrail(api: TestApi): Promise<void> {
  api.seed()
  await api.ask('GET', path)
  const events = Array.from({ length: EVENTS }, (_, index) =>
    auditEvent(CASE_ID, 'participant.viewed', {
      occurredAt: SIGNED_AT,
      actor: 'participant',
      participantId: participant(1).id,
      occurrence: String(index),
    }),
  )
  await api.trail.append(CASE_KEY, events)
}

t.test('4.4: events come newest first, with all their fields', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 1 })
  const { statusCode, ...answer } = await api.ask('GET', path)
  t.equal(statusCode, 200)
  const { events, ...rest } = answer.json()
  t.same(rest, {}, 'no cursor on the last page')
  t.same(
    events.map(({ type }: { type: string }) => type),
    [
      'participant.signed',
      'participant.consented',
      'document.uploaded',
      'participant.created',
      'participant.created',
      'case.created',
    ],
  )
  t.same(events.at(-1), {
    eventId: events.at(-1).eventId,
    type: 'case.created',
    occurredAt: CREATED_AT,
    actor: 'tenant',
    ip: '192.0.2.1',
    userAgent: 'Tenant/1.0',
    data: {
      title: 'Zmluva o dielo',
      validUntil: '2026-11-30T00:00:00.000Z',
      quickSign: false,
      participants: 2,
    },
  })
  t.match(events[2], { occurredAt: ACCEPTED_AT, documentSha256: DOCUMENT_SHA256 })
  t.match(events[1], {
    actor: 'participant',
    participantId: participant(1).id,
    ip: '192.0.2.7',
    documentSha256: DOCUMENT_SHA256,
    data: { textVersion: '2026-11', acceptedAt: SIGNED_AT },
  })
})

t.test('4.4: the trail is never behind what the case shows, and grows no twin', async (t) => {
  const api = await testApi(t)
  api.seed()
  t.equal((await api.ask('GET', path)).json().events.length, 3)
  t.equal((await api.ask('GET', path)).json().events.length, 3)
  await api.ask('DELETE', `/cases/${CASE_ID}`, { body: { reason: 'mistake' } })
  const { events } = (await api.ask('GET', path)).json()
  t.equal(events.length, 4)
  t.match(events[0], {
    type: 'case.cancelled',
    actor: 'tenant',
    occurredAt: NOW,
    data: { reason: 'mistake' },
  })
})

t.test('4.4: pages of 100 when nothing is said, of any size up to 100', async (t) => {
  const api = await testApi(t)
  await longTrail(api)
  for (const [query, sizes] of [
    ['', [100, 100, 53]],
    ['limit=100', [100, 100, 53]],
    ['limit=90', [90, 90, 73]],
    ['limit=099', [99, 99, 55]],
  ] as const) {
    const seen: string[] = []
    const lengths: number[] = []
    let cursor = ''
    do {
      const answer = await api.ask('GET', `${path}?${query}${cursor && `&cursor=${cursor}`}`)
      const { events, nextCursor = '' } = answer.json()
      lengths.push(events.length)
      seen.push(...events.map(({ eventId }: { eventId: string }) => eventId))
      cursor = nextCursor
    } while (cursor !== '')
    t.same(lengths, sizes, query)
    const entries = await api.trail.entries(CASE_KEY)
    t.same(seen, entries.map(({ eventId }) => eventId).reverse(), 'each once, in order')
  }
})

t.test('4.4: a page that ends with the first event has no cursor', async (t) => {
  const api = await testApi(t)
  api.seed()
  const first = (await api.ask('GET', `${path}?limit=2`)).json()
  t.equal(typeof first.nextCursor, 'string')
  const last = (await api.ask('GET', `${path}?limit=1&cursor=${first.nextCursor}`)).json()
  t.equal(last.events.length, 1)
  t.notOk('nextCursor' in last)
})

t.test('4.4: events that came meanwhile do not move the pages behind a cursor', async (t) => {
  const api = await testApi(t)
  await longTrail(api)
  const { events, nextCursor } = (await api.ask('GET', path)).json()
  const late = { occurredAt: SIGNED_AT, actor: 'system' as const }
  await api.trail.append(CASE_KEY, [auditEvent(CASE_ID, 'case.completed', late)])
  const next = (await api.ask('GET', `${path}?cursor=${nextCursor}`)).json()
  const ids = new Set([...events, ...next.events].map(({ eventId }) => eventId))
  t.equal(ids.size, 200)
})

t.test('4.4: limit is a string of digits from 1 to 100', async (t) => {
  const api = await testApi(t)
  api.seed()
  const bad = ['0', '101', '1000', '-1', '+1', '1.5', '1e1', '0x1', ' 1', 'ten', '', '1&limit=2']
  for (const limit of bad) {
    const { statusCode, ...answer } = await api.ask('GET', `${path}?limit=${limit}`)
    t.equal(statusCode, 400, limit)
    t.match(answer.json(), { code: 'INVALID_LIMIT', message: /1 to 100/ })
  }
})

t.test('4.4: a cursor belongs to its listing', async (t) => {
  const api = await testApi(t)
  api.seed()
  const { case: other } = (
    await api.ask('POST', '/cases', {
      body: {
        title: 'Other',
        validUntil: '2026-11-30T00:00:00Z',
        participants: [{ firstName: 'A', lastName: 'B', email: 'a@b.sk' }],
      },
    })
  ).json()
  const foreign = (await api.ask('GET', `/cases/${other.id}/events?limit=1`)).json().nextCursor
  const own = (await api.ask('GET', `${path}?limit=1`)).json().nextCursor as string
  const bad = [foreign, '', 'x', '1', own.slice(1), `${own}A`, `${own}&cursor=${own}`, '%ff']
  for (const cursor of bad) {
    const { statusCode, ...answer } = await api.ask('GET', `${path}?cursor=${cursor}`)
    t.equal(statusCode, 400, cursor)
    t.match(answer.json(), { code: 'INVALID_CURSOR', message: String })
  }
})

t.test('4.4: 404 goes before 400', async (t) => {
  const api = await testApi(t)
  for (const id of [CASE_ID, 'x']) {
    const { statusCode, headers } = await api.ask('GET', `/cases/${id}/events?limit=0`)
    t.equal(statusCode, 404)
    t.match(headers['content-type'], /^text\/plain/)
  }
})

t.test('4.4: an event whose personal values were erased is still listed', async (t) => {
  const api = await testApi(t)
  api.seed()
  const [, , created] = (await api.ask('GET', path)).json().events
  await new Forger(api.objects, CASE_KEY).changeOpenings(1, () => undefined)
  const erasure = { rule: 'annotation' as const, decidedAt: CREATED_AT }
  api.seed({ phase: 'EXPIRED', status: { erasure } })
  const { events, trailFault } = (await api.ask('GET', path)).json()
  t.equal(trailFault, undefined)
  t.same(events.at(-1), {
    eventId: created.eventId,
    type: 'case.created',
    occurredAt: CREATED_AT,
    actor: 'tenant',
    data: {},
  })
})

t.test('4.4: a trail that cannot be written is not listed as if it were whole: 503', async (t) => {
  const api = await testApi(t)
  api.seed()
  api.objects.beforePut = () => {
    throw new Error('the store is away')
  }
  const { statusCode, ...answer } = await api.ask('GET', path)
  t.equal(statusCode, 503)
  t.match(answer.json(), { code: 'TIMEOUT' })
})
