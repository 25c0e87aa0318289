/** Specification 4.7 and 4.8: what a participant sees, and the download. */
import t from 'tap'
import { MAXIMUM_VISITS_AN_HOUR } from '../../../domain/audit/visits.ts'
import { CURRENT_CONSENTS } from '../../../domain/consent.ts'
import { NOW, testApi } from '../../fixtures/api.ts'
import {
  CASE_ID,
  CASE_KEY,
  DOCUMENT_SHA256,
  participant,
  SIGNED_AT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

const UNTIL = 'until 2026-11-02T08:45:00.000Z'
const AFTER_THE_END = Date.parse(VALID_UNTIL) + 2000

t.test('4.7: the case, the participant, their fields, and a link to the document', async (t) => {
  const api = await testApi(t)
  const sender = { name: 'ACME', replyTo: 'acme@example.com' }
  api.seed({ phase: 'IN_PROGRESS', signed: 1, definition: { sender } })
  const { statusCode, ...answer } = await api.asParticipant(2, 'GET', 'caseDefinition')
  t.equal(statusCode, 200)
  const { id, firstName, lastName, signatureFields } = participant(2)
  t.same(answer.json(), {
    status: 'IN_PROGRESS',
    otpRequired: false,
    pinRequired: false,
    case: { id: CASE_ID, title: 'Zmluva o dielo', validUntil: VALID_UNTIL, ownPlaces: true },
    participant: {
      id,
      firstName,
      lastName,
      language: 'en',
      notify: true,
      status: 'UNSIGNED',
      signatureFields,
    },
    participants: { total: 2, signed: 1 },
    places: { taken: [{ page: 1, x: 72, y: 72, width: 200, height: 60, unit: 'pt' }] },
    sender: { name: 'ACME' },
    document: {
      name: 'Zmluva o dielo.pdf',
      size: 4096,
      sha256: DOCUMENT_SHA256,
      url: `get:document.pdf as Zmluva o dielo.pdf ${UNTIL}`,
      pageCount: 2,
    },
    language: 'en',
    consentText: CURRENT_CONSENTS.en,
    consentTexts: CURRENT_CONSENTS,
  })
})

t.test('4.7: other participants are counted and not named', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 1 })
  const { body } = await api.asParticipant(2, 'GET', 'caseDefinition')
  const { id, firstName, lastName, email } = participant(1)
  for (const text of [id, firstName, lastName, email]) t.notOk(body.includes(text), text)
})

t.test('4.7: participants who choose a place have different numbers', async (t) => {
  const api = await testApi(t)
  const choosing = (position: number) => ({ ...participant(position), signatureFields: [] })
  const participants = [choosing(1), participant(2), choosing(3)]
  api.seed({ phase: 'IN_PROGRESS', definition: { participants } })
  const placesOf = async (position: number) =>
    (await api.asParticipant(position, 'GET', 'caseDefinition')).json().places
  const [field] = participant(2).signatureFields
  const { id: _, ...taken } = field!
  t.same(await placesOf(1), { number: 0, taken: [taken] })
  t.same(await placesOf(2), { taken: [] })
  t.same(await placesOf(3), { number: 1, taken: [taken] })
})

t.test('4.7: who has signed sees when; a sender without a name is not shown', async (t) => {
  const api = await testApi(t)
  const sender = { replyTo: 'acme@example.com' }
  api.seed({ phase: 'IN_PROGRESS', signed: 1, definition: { sender } })
  const body = (await api.asParticipant(1, 'GET', 'caseDefinition')).json()
  t.match(body.participant, { status: 'SIGNED', signedAt: SIGNED_AT, language: 'sk' })
  t.match(body.consentText.text, /Súhlasím/)
  t.notOk('sender' in body)
})

t.test('4.7: once DONE the document is the signed one', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  const { status, document } = (await api.asParticipant(1, 'GET', 'caseDefinition')).json()
  t.equal(status, 'DONE')
  t.match(document, {
    name: 'Zmluva o dielo-signed.pdf',
    sha256: 'a'.repeat(64),
    level: 'PAdES-BASELINE-LTA',
    pageCount: 2,
    url: /outcome/,
  })
})

t.test('4.7: a visit is recorded before it is answered, once in an hour and address', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  api.seed({ phase: 'IN_PROGRESS' })
  const from = (ip: string) => ({
    headers: { 'x-forwarded-for': ip, 'user-agent': 'Phone/1.0' },
  })
  const visits = async () =>
    (await api.eventTypes()).filter((type) => type === 'participant.viewed').length
  await api.asParticipant(1, 'GET', 'caseDefinition', from('198.51.100.7'))
  t.same(await api.eventTypes(), [
    'case.created',
    'participant.created',
    'participant.created',
    'document.uploaded',
    'participant.viewed',
  ])
  const entry = (await api.trail.entries(CASE_KEY)).at(-1)!
  t.match(entry, {
    actor: 'participant',
    participantId: participant(1).id,
    documentSha256: DOCUMENT_SHA256,
    occurredAt: NOW,
  })
  t.match(await api.trail.opening(CASE_KEY, entry.eventId), {
    ip: { value: '198.51.100.7' },
    userAgent: { value: 'Phone/1.0' },
  })
  await api.asParticipant(1, 'GET', 'caseDefinition', from('198.51.100.7'))
  t.equal(await visits(), 1, 'the same hour and address')
  await api.asParticipant(1, 'GET', 'caseDefinition', from('198.51.100.8'))
  t.equal(await visits(), 2, 'another address')
  await api.asParticipant(2, 'GET', 'caseDefinition', from('198.51.100.8'))
  t.equal(await visits(), 3, 'another participant')
  await api.timers.moveTo('2026-11-02T09:00:00.000Z')
  await api.asParticipant(1, 'GET', 'caseDefinition', from('198.51.100.7'))
  t.equal(await visits(), 4, 'another hour')
})

t.test('4.7: a visitor with endless addresses does not fill the trail', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  api.seed({ phase: 'IN_PROGRESS' })
  const visits = async () =>
    (await api.eventTypes()).filter((type) => type === 'participant.viewed').length
  const visit = async (position: number, ip: string) => {
    const headers = { 'x-forwarded-for': ip }
    t.equal(
      (await api.asParticipant(position, 'GET', 'caseDefinition', { headers })).statusCode,
      200,
    )
  }
  for (let host = 1; host <= 30; host++) await visit(1, `2001:db8::${host}`)
  t.equal(await visits(), MAXIMUM_VISITS_AN_HOUR)
  await visit(2, '2001:db8::1')
  t.equal(await visits(), MAXIMUM_VISITS_AN_HOUR + 1, 'another participant')
  await api.timers.moveTo('2026-11-02T09:00:00.000Z')
  await visit(1, '2001:db8::30')
  t.equal(await visits(), MAXIMUM_VISITS_AN_HOUR + 2, 'another hour')
})

t.test('4.7 and 4.8: what cannot be recorded is not answered: 503', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  api.objects.beforePut = () => {
    throw new Error('the store is away')
  }
  for (const route of ['caseDefinition', 'signedDocument']) {
    const { statusCode, headers, ...answer } = await api.asParticipant(1, 'GET', route)
    t.equal(statusCode, 503)
    t.match(answer.json(), { code: 'TIMEOUT' })
    t.notOk(headers.location)
  }
})

t.test('4.8: by default a redirect to the signed PDF for 15 minutes', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2, definition: { title: 'Lease' } })
  const { statusCode, headers, body } = await api.asParticipant(1, 'GET', 'signedDocument')
  t.equal(statusCode, 302)
  t.equal(headers.location, `get:outcome as Lease-signed.pdf ${UNTIL}`)
  t.equal(body, '')
  t.ok((await api.eventTypes()).includes('participant.downloaded'))
})

t.test('4.8: with Accept: application/json the link itself', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  for (const accept of ['application/json', 'text/html;q=0.5, Application/JSON;q=0.9']) {
    const answer = await api.asParticipant(1, 'GET', 'signedDocument', { headers: { accept } })
    t.equal(answer.statusCode, 200)
    t.same(Object.keys(answer.json()), ['url'])
  }
  for (const accept of ['*/*', 'text/html', 'application/jsonp', 'application/json;q=0, */*']) {
    const answer = await api.asParticipant(1, 'GET', 'signedDocument', { headers: { accept } })
    t.equal(answer.statusCode, 302, accept)
  }
})

t.test('4.8: before the case is DONE: 409 with its status', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 2 })
  const { statusCode, ...answer } = await api.asParticipant(1, 'GET', 'signedDocument')
  t.equal(statusCode, 409)
  t.match(answer.json(), { code: 'NOT_COMPLETED', message: String, status: 'IN_PROGRESS' })
  t.notOk((await api.eventTypes()).includes('participant.downloaded'))
})

const ROUTES = [
  ['GET', 'caseDefinition'],
  ['GET', 'signedDocument'],
  ['POST', 'signature'],
] as const

t.test('4.7 to 4.9: a case that is over: 410 with its status and sender', async (t) => {
  for (const status of ['UPLOAD_REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const) {
    const api = await testApi(t)
    const definition = status === 'EXPIRED' ? {} : { sender: { name: 'ACME' } }
    api.seed({ phase: status, definition })
    for (const [method, route] of ROUTES) {
      const { statusCode, ...answer } = await api.asParticipant(1, method, route)
      t.equal(statusCode, 410, `${status} ${route}`)
      const { message, ...rest } = answer.json()
      const senderName = status === 'EXPIRED' ? {} : { senderName: 'ACME' }
      t.same(rest, { code: 'CASE_NOT_ACTIVE', status, ...senderName })
      t.equal(typeof message, 'string')
    }
  }
})

t.test('4.7 to 4.9: a cancelled NEW case is over, and so is an expired one', async (t) => {
  const api = await testApi(t)
  api.seed({ cancellation: { at: NOW } })
  t.match((await api.asParticipant(1, 'GET', 'caseDefinition')).json(), { status: 'CANCELLED' })
  api.seed()
  await api.timers.moveTo(AFTER_THE_END)
  t.match((await api.asParticipant(1, 'GET', 'caseDefinition')).json(), {
    code: 'CASE_NOT_ACTIVE',
    status: 'EXPIRED',
  })
})

t.test('4.7 to 4.9: DONE and past validUntil: 410 LINK_EXPIRED', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2, definition: { sender: { name: 'ACME' } } })
  await api.timers.moveTo(Date.parse(VALID_UNTIL) - 1)
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
  await api.timers.moveTo(VALID_UNTIL)
  for (const [method, route] of ROUTES) {
    const { statusCode, ...answer } = await api.asParticipant(1, method, route)
    t.equal(statusCode, 410)
    t.match(answer.json(), { code: 'LINK_EXPIRED', senderName: 'ACME' })
  }
})

t.test('4.7 to 4.9: no such case any more: 404 in plain text', async (t) => {
  const api = await testApi(t)
  for (const [method, route] of ROUTES) {
    const { statusCode, headers, body } = await api.asParticipant(1, method, route)
    t.equal(statusCode, 404)
    t.match(headers['content-type'], /^text\/plain/)
    t.match(body, /not found/)
  }
})

t.test('4.7 to 4.9: a participant that the case does not have: 404', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const { statusCode, body } = await api.asParticipant(3, 'GET', 'caseDefinition')
  t.same([statusCode, body], [404, 'Participant not found'])
})
