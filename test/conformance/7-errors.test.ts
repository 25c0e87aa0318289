/** Specification 7: errors. */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { MAXIMUM_PDF_BYTES } from '../../domain/limits.ts'
import { conformance } from './conformance.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, openWorld, person, type Answer, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const SENDER = { name: 'Acme s.r.o.' }
const MAXIMUM_TRIES = 10

/** The answer is this error, with a sentence for people. */
function isError(t: Test, answer: Answer, status: number, code: string, details: Json = {}): void {
  t.equal(answer.status, status, code)
  t.match(answer.json, { code, message: /\w+/, ...details })
}

/** As {@link isError}, for errors that carry the status of the case. */
function assertStatus(t: Test, answer: Answer, status: number, code: string, of: string): void {
  isError(t, answer, status, code, { status: of })
}

const cancel = (caseId: string) => world.asTenant('DELETE', `/cases/${caseId}`)

async function kiosk(): Promise<string> {
  const { json } = await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })
  return json.deviceId
}

async function open(caseId: string, participantId: string, deviceId?: string): Promise<Answer> {
  const place = `/cases/${caseId}/participants/${participantId}/open`
  return world.asTenant('POST', place, { body: { deviceId: deviceId ?? (await kiosk()) } })
}

/** A participant of a case with one-time codes, with an address of their own. */
let people = 0
async function coded(more: Json = {}): Promise<Json> {
  const participants = [person({ email: `coded-${++people}@example.com` })]
  return (await world.inProgress({ multiFactorType: 'EMAIL', participants, ...more }))
    .participants[0]
}

const send = (one: Json) => world.asParticipant(one, 'POST', 'otp')
const verify = (one: Json, code: string) =>
  world.asParticipant(one, 'POST', 'otp/verify', { body: { code } })
const other = (code: string) => (code === '000000' ? '000001' : '000000')

/** Files bear the machine's time: for uploads that last an hour the clock is not put forward. */
const today = (t: Test) => openWorld(t)

conformance(world, '7 Errors', {
  async 'code and message'(t) {
    const { id } = await world.done()
    const { status, json } = await cancel(id)
    t.equal(status, 409)
    t.same(Object.keys(json).sort(), ['code', 'message', 'status'])
  },
  async validation(t) {
    const { status, json } = await world.asTenant('POST', '/cases', {
      body: { title: 'x'.repeat(300), validUntil: 'x' },
    })
    t.equal(status, 400)
    t.same(Object.keys(json).sort(), ['message', 'validationErrors'])
    t.match(json.validationErrors[0], { params: Object, message: /\w+/ })
    const found = json.validationErrors.map(
      (error: Json) => `${error.instancePath} ${error.keyword}`,
    )
    t.same(found.sort(), [' required', '/title maxLength', '/validUntil format'])
  },
  async 'message only'(t) {
    for (const path of ['/cases', `/participant/${UNKNOWN_ID}/signature`]) {
      const { status, json } = await world.ask('POST', path, { body: {} })
      t.same([status, Object.keys(json)], [401, ['message']])
    }
  },
  async 'Internal Server Error'(t) {
    const { id, participants } = await world.inProgress()
    await world.breakDrawings(id)
    const { status, headers, text } = await world.sign(participants[0])
    t.equal(status, 500)
    t.match(headers.get('content-type'), /^application\/json/)
    t.equal(text, '{"message":"Internal Server Error"}')
  },
  async 'a missing case is text/plain'(t) {
    for (const path of [`/cases/${UNKNOWN_ID}`, `/cases/${UNKNOWN_ID}/events`]) {
      const { status, headers, text } = await world.asTenant('GET', path)
      t.equal(status, 404)
      t.match(headers.get('content-type'), /^text\/plain/)
      t.match(text, /not found/i)
    }
  },
  async UNKNOWN_DEVICE(t) {
    const body = { title: 'x', validUntil: world.from(DAY_MS), participants: [person()] }
    const device = { deviceId: UNKNOWN_ID }
    const created = await world.asTenant('POST', '/cases', { body: { ...body, device } })
    isError(t, created, 400, 'UNKNOWN_DEVICE')
    const { id, participants } = await world.inProgress({ quickSign: true })
    isError(t, await open(id, participants[0].id, UNKNOWN_ID), 400, 'UNKNOWN_DEVICE')
  },
  async INVALID_LIMIT(t) {
    const { case: made } = await world.create()
    const answer = await world.asTenant('GET', `/cases/${made.id}/events?limit=101`)
    isError(t, answer, 400, 'INVALID_LIMIT')
  },
  async INVALID_CURSOR(t) {
    const { case: made } = await world.create()
    const answer = await world.asTenant('GET', `/cases/${made.id}/events?cursor=made-up`)
    isError(t, answer, 400, 'INVALID_CURSOR')
  },
  async OTP_INVALID(t) {
    const one = await coded()
    await send(one)
    const code = await world.code(one.email)
    isError(t, await verify(one, other(code)), 400, 'OTP_INVALID', { attemptsLeft: 4 })
    isError(t, await verify(one, other(code)), 400, 'OTP_INVALID', { attemptsLeft: 3 })
  },
  async OTP_REQUIRED(t) {
    const one = await coded()
    isError(t, await world.sign(one), 401, 'OTP_REQUIRED')
    const finished = await world.done({ multiFactorType: 'EMAIL' })
    const download = await world.asParticipant(finished.participants[0], 'GET', 'signedDocument')
    isError(t, download, 401, 'OTP_REQUIRED')
  },
  async CASE_NOT_CANCELLABLE(t) {
    const { id } = await world.done()
    assertStatus(t, await cancel(id), 409, 'CASE_NOT_CANCELLABLE', 'DONE')
  },
  async ALREADY_SIGNED(t) {
    const { id, participants } = await world.inProgress({
      quickSign: true,
      participants: [person(), person({ email: 'b@example.com' })],
    })
    await world.sign(participants[0])
    isError(t, await world.sign(participants[0]), 409, 'ALREADY_SIGNED')
    isError(t, await open(id, participants[0].id), 409, 'ALREADY_SIGNED')
  },
  async NOT_QUICK_SIGN(t) {
    const { id, participants } = await world.inProgress()
    isError(t, await open(id, participants[0].id), 409, 'NOT_QUICK_SIGN')
  },
  async PARTICIPANT_NOT_READY(t) {
    const { case: made } = await world.create({ quickSign: true })
    isError(t, await open(made.id, made.participants[0].id), 409, 'PARTICIPANT_NOT_READY')
  },
  async NOT_COMPLETED(t) {
    const { participants } = await world.inProgress()
    const answer = await world.asParticipant(participants[0], 'GET', 'signedDocument')
    assertStatus(t, answer, 409, 'NOT_COMPLETED', 'IN_PROGRESS')
  },
  async OTP_NOT_REQUIRED(t) {
    const [one] = (await world.inProgress()).participants
    isError(t, await send(one), 409, 'OTP_NOT_REQUIRED')
    isError(t, await verify(one, '123456'), 409, 'OTP_NOT_REQUIRED')
  },
  async OTP_NO_DESTINATION(t) {
    const [one] = (await world.inProgress({ multiFactorType: 'SMS' })).participants
    isError(t, await send(one), 409, 'OTP_NO_DESTINATION')
  },
  async OTP_NOT_REQUESTED(t) {
    const one = await coded()
    isError(t, await verify(one, '123456'), 409, 'OTP_NOT_REQUESTED')
    await send(one)
    const code = await world.code(one.email)
    t.equal((await verify(one, code)).status, 200)
    isError(t, await verify(one, code), 409, 'OTP_NOT_REQUESTED')
  },
  async OTP_EXPIRED(t) {
    const one = await coded()
    await send(one)
    const first = await world.code(one.email)
    await send(one)
    await world.code(one.email, 2)
    isError(t, await verify(one, first), 409, 'OTP_EXPIRED')
    const late = await coded()
    await send(late)
    const code = await world.code(late.email)
    world.clock.pass(10 * MINUTE_MS)
    isError(t, await verify(late, code), 409, 'OTP_EXPIRED')
  },
  async CASE_NOT_ACTIVE(t) {
    const { id, participants } = await world.inProgress({ quickSign: true })
    const [one] = participants
    await cancel(id)
    const answers = [
      await world.asParticipant(one, 'GET', 'caseDefinition'),
      await world.asParticipant(one, 'GET', 'signedDocument'),
      await world.sign(one),
      await send(one),
      await verify(one, '123456'),
      await open(id, one.id),
    ]
    for (const answer of answers) assertStatus(t, answer, 410, 'CASE_NOT_ACTIVE', 'CANCELLED')
    const { case: made } = await world.create({ validUntil: world.from(MINUTE_MS) })
    world.clock.pass(MINUTE_MS)
    await world.untilStatus(made.id, 'EXPIRED')
    const late = await world.sign(made.participants[0])
    assertStatus(t, late, 410, 'CASE_NOT_ACTIVE', 'EXPIRED')
    const rejected = await world.create()
    await world.upload(rejected, Buffer.from('no PDF'.repeat(300)))
    const { participants: people } = await world.untilStatus(rejected.case.id, 'UPLOAD_REJECTED')
    const refused = await world.asParticipant(people[0], 'GET', 'caseDefinition')
    assertStatus(t, refused, 410, 'CASE_NOT_ACTIVE', 'UPLOAD_REJECTED')
    const broken = await world.inProgress()
    await world.breakDocument(broken.id)
    await world.sign(broken.participants[0])
    await world.untilStatus(broken.id, 'FAILED')
    const lost = await world.asParticipant(broken.participants[0], 'GET', 'signedDocument')
    assertStatus(t, lost, 410, 'CASE_NOT_ACTIVE', 'FAILED')
  },
  async LINK_EXPIRED(t) {
    const validUntil = world.from(HOUR_MS)
    const { participants } = await world.done({ validUntil, sender: SENDER })
    world.clock.pass(2 * HOUR_MS)
    for (const [method, route] of [
      ['GET', 'caseDefinition'],
      ['GET', 'signedDocument'],
      ['POST', 'signature'],
      ['POST', 'otp'],
      ['POST', 'otp/verify'],
    ] as const) {
      const answer = await world.asParticipant(participants[0], method, route)
      isError(t, answer, 410, 'LINK_EXPIRED', { senderName: SENDER.name })
    }
  },
  async OTP_LOCKED(t) {
    const one = await coded()
    await send(one)
    const code = await world.code(one.email)
    for (let left = 4; left >= 0; left--) {
      isError(t, await verify(one, other(code)), 400, 'OTP_INVALID', { attemptsLeft: left })
    }
    isError(t, await verify(one, code), 423, 'OTP_LOCKED')
    await send(one)
    t.equal((await verify(one, await world.code(one.email, 2))).status, 200, 'a new code works')
  },
  async OTP_RATE_LIMITED(t) {
    const one = await coded()
    for (let count = 0; count < 5; count++) t.equal((await send(one)).status, 200)
    const { status, json } = await send(one)
    t.match({ status, ...json }, { status: 429, code: 'OTP_RATE_LIMITED' })
    t.ok(json.retryAfterSeconds > 0 && json.retryAfterSeconds <= 3600)
  },
  async OTP_CHANNEL_UNAVAILABLE(t) {
    const participants = [person({ phone: '+421900123456' })]
    const [one] = (await world.inProgress({ multiFactorType: 'SMS', participants })).participants
    isError(t, await send(one), 501, 'OTP_CHANNEL_UNAVAILABLE')
  },
  async DOCUMENT_NOT_FOUND(t) {
    const answer = await world.ask('POST', '/verify', { body: { key: UNKNOWN_ID } })
    isError(t, answer, 404, 'DOCUMENT_NOT_FOUND')
    t.match(answer.headers.get('content-type'), 'application/json')
  },
  async DOCUMENT_TOO_LARGE(t) {
    const bytes = new Uint8Array(MAXIMUM_PDF_BYTES + 1)
    isError(t, await (await today(t)).verify(bytes), 413, 'DOCUMENT_TOO_LARGE')
  },
  async NOT_A_PDF(t) {
    const answer = await (await today(t)).verify(new TextEncoder().encode('hello'))
    isError(t, answer, 422, 'NOT_A_PDF')
  },
  async UNREADABLE_DOCUMENT(t) {
    const answer = await (
      await today(t)
    ).verify(new TextEncoder().encode('%PDF-1.7\nnothing\n%%EOF\n'))
    isError(t, answer, 422, 'UNREADABLE_DOCUMENT')
  },
  async EVENTS_UNAVAILABLE(t) {
    const deviceId = await kiosk()
    const { id, participants } = await world.inProgress({ quickSign: true })
    const openIt = () => open(id, participants[0].id, deviceId)
    isError(t, await world.whileKiosksAreDeaf(openIt), 503, 'EVENTS_UNAVAILABLE')
    t.equal((await openIt()).status, 200, 'a retry helps')
  },
  async TIMEOUT(t) {
    // The controller may read the broken trail first, and then the case fails with 410.
    for (let tries = 1; ; tries += 1) {
      const { id, participants } = await world.inProgress()
      await world.untilEvent(id, 'participant.invited')
      await world.breakTrail(id)
      const view = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
      if (view.status === 410 && tries < MAXIMUM_TRIES) continue
      return isError(t, view, 503, 'TIMEOUT')
    }
  },
  async 'senderName in a 410'(t) {
    const { id, participants } = await world.inProgress({ sender: SENDER })
    await cancel(id)
    const answer = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
    t.equal(answer.json.senderName, SENDER.name)
    const nameless = await world.inProgress()
    await cancel(nameless.id)
    const other = await world.asParticipant(nameless.participants[0], 'GET', 'caseDefinition')
    t.notOk('senderName' in other.json)
  },
})
