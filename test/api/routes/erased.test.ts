import t, { type Test } from 'tap'
import { erasableObjects } from '../../../application/cases/erasable-objects.ts'
import { eraseCase } from '../../../workers/retention.ts'
import { orderOf, type Tombstone } from '../../../domain/cases/erasure.ts'
import * as keys from '../../../domain/cases/keys.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import type { Erasure, Phase } from '../../../domain/cases/status.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { idempotentCaseId } from '../../../domain/cases/idempotency.ts'
import { RecordingAlarm, uploadResult } from '../../fixtures/alarms.ts'
import { input, NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY,
  TENANT,
  participant,
  keyring,
} from '../../fixtures/signature-case.ts'

const ERASURE: Erasure = { rule: 'annotation', decidedAt: NOW }
const TOMBSTONE = keys.tombstoneKey(CASE_KEY)

/** A case whose erasure the controller decided; its objects are still there. */
async function decided(t: Test, phase: Phase, more: object = {}): Promise<TestApi> {
  const api = await testApi(t)
  const seed = { signed: phase === 'DONE' ? 2 : 0, ...more }
  api.seed({ phase, ...seed })
  await api.ask('GET', `/cases/${CASE_ID}/events`)
  api.seed({ phase, ...seed, status: { erasure: ERASURE } })
  return api
}

/** And afterwards. */
async function erased(t: Test, phase: Phase, more: object = {}): Promise<TestApi> {
  const api = await decided(t, phase, more)
  uploadResult(api.objects, TOMBSTONE, orderOf(CASE_KEY, ERASURE))
  await eraseCase(CASE_KEY, {
    ...api.deps,
    keyring,
    alarm: new RecordingAlarm(),
    objects: api.objects,
    ephemeral: api.ephemeral,
  })
  return api
}

t.test('a case that is being erased is described without a link to any document', async (t) => {
  const api = await decided(t, 'DONE')
  const answer = await api.ask('GET', `/cases/${CASE_ID}`)
  t.equal(answer.statusCode, 200)
  const { originalDocument, signedDocument, evidenceDocument, status } = answer.json()
  t.equal(status, 'DONE')
  for (const document of [originalDocument, signedDocument, evidenceDocument]) {
    t.match(document, { name: /\.pdf$/, size: Number, sha256: /^[0-9a-f]{64}$/ })
    t.notOk('url' in document)
  }
  t.same(
    api.objects.gets.filter((one) => one.endsWith('.pdf')),
    [],
  )
})

t.test('the trail of an erased case is listed, without what was said of people', async (t) => {
  const api = await erased(t, 'DONE')
  const { events } = (await api.ask('GET', `/cases/${CASE_ID}/events`)).json()
  const entries = await api.trail.entries(CASE_KEY)
  t.same(
    events.map(({ eventId }: { eventId: string }) => eventId),
    entries.map(({ eventId }) => eventId).reverse(),
  )
  t.ok(events.length >= 4)
  for (const event of events) t.match(event, { data: {}, ip: undefined, userAgent: undefined })
  t.same(
    events.flatMap(({ data }: { data: object }) => Object.keys(data)),
    [],
  )
  t.same(await erasableObjects(CASE_KEY, api.objects, 10), [], 'none came again')
})

t.test('a link ends with what it led to', async (t) => {
  const routes = [
    ['GET', 'caseDefinition'],
    ['GET', 'signedDocument'],
    ['POST', 'signature'],
    ['POST', 'otp'],
  ] as const
  for (const [phase, code] of [
    ['DONE', 'LINK_EXPIRED'],
    ['CANCELLED', 'CASE_NOT_ACTIVE'],
  ] as const) {
    const api = await decided(t, phase)
    for (const [method, route] of routes) {
      const answer = await api.asParticipant(1, method, route)
      t.equal(answer.statusCode, 410, `${phase} ${route}`)
      t.match(answer.json(), { code, status: phase })
    }
  }
})

t.test('a webhook of an erased case cannot be delivered again', async (t) => {
  const definition = { callback: callback() }
  const api = await erased(t, 'DONE', { definition })
  const path = `/cases/${CASE_ID}/deliveries`
  const listed = await api.ask('GET', path)
  t.equal(listed.statusCode, 200)
  const [{ eventId }] = listed.json().deliveries
  const answer = await api.ask('POST', `${path}/${eventId}/redeliver`)
  t.equal(answer.statusCode, 404)
  t.same(api.objects.under(keys.REDELIVERIES_FOLDER), [])
})

t.test('a request that made a case does not make it again after it was erased', async (t) => {
  const api = await testApi(t)
  const caseId = idempotentCaseId(TENANT, 'order-1')
  const tombstone: Tombstone = orderOf({ tenant: TENANT, caseId }, ERASURE)
  const place = keys.tombstoneKey({ tenant: TENANT, caseId })
  api.objects.upload(place, encodeJson(tombstone), 'application/json')
  const ask = (key: string) =>
    api.ask('POST', '/cases', { body: input(), headers: { 'idempotency-key': key } })
  const answer = await ask('order-1')
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), { code: 'IDEMPOTENCY_KEY_REUSED' })
  t.notOk(await api.cases.get({ tenant: TENANT, caseId }))
  t.equal((await ask('order-2')).statusCode, 200)
})

t.test('the id of a visit is not found by trying addresses', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  const [viewed] = (await api.trail.entries(CASE_KEY)).filter(
    ({ type }) => type === 'participant.viewed',
  )
  const { id } = participant(1)
  const hour = NOW.slice(0, 13)
  const ip = '127.0.0.1'
  const opening = await api.trail.opening(CASE_KEY, viewed!.eventId)
  t.equal(opening?.ip?.value, ip)
  const guess = auditEvent(CASE_ID, 'participant.viewed', {
    occurredAt: NOW,
    actor: 'participant',
    participantId: id,
    occurrence: `${hour} ${ip}`,
  })
  t.not(viewed?.eventId, guess.eventId)
  t.not(viewed?.eventId, uuidV5(CASE_ID, 'participant.viewed', id, ip))
})
