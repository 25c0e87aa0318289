/** Specification 2: resources and their fields. */
import t from 'tap'
import { conformance } from './conformance.ts'
import { HOUR_MS, MINUTE_MS, openWorld, person, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const SHA256 = /^[0-9a-f]{64}$/
const LEVEL = /^PAdES-BASELINE-(B|T|LT|LTA)$/

const CALLBACK = { url: 'https://acme.example/hook', authType: 'BASIC', data: { order: [7, 'ľ'] } }
const CREDENTIALS = { clientId: 'acme', clientSecret: 'top-secret', signingSecret: 's'.repeat(40) }
const SENDER = { name: 'Acme s.r.o.', replyTo: 'office@acme.example' }

// All of it is made before the first test: tap ends when no test is left while a file waits.
const { json: device } = await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })
const rich = await world.create({
  quickSign: true,
  multiFactorType: 'EMAIL',
  sender: SENDER,
  callback: { ...CALLBACK, ...CREDENTIALS },
  device: { deviceId: device.deviceId },
  participants: [
    person({ phone: '+421900123456', notify: false, language: 'sk' }),
    person({ email: 'second@example.com' }),
  ],
})
const [first, second] = rich.case.participants
const done = await world.done({ participants: [person(), person({ email: 'b@example.com' })] })
const plain = await world.create()

const given = {
  participants: [
    person({
      signatureFields: [
        { page: 1, x: 0.1, y: 0.2, width: 0.3, height: 0.1, unit: 'fraction' },
        { id: 'mine', page: 2, x: 10, y: 20, width: 100, height: 40, unit: 'pt' },
      ],
    }),
  ],
}
const [unnamed, named] = (await world.create(given)).case.participants[0].signatureFields

const trail = await world.events(done.id)
const signed = trail.find(({ type }) => type === 'participant.signed')
const createdEvent = trail.find(({ type }) => type === 'case.created')

const coded = await world.inProgress({ multiFactorType: 'EMAIL', sender: SENDER })
const [asked] = coded.participants
const session = await world.passCode(asked)

const view = (await world.asParticipant(asked, 'GET', 'caseDefinition')).json
const open = await world.inProgress()
const openView = (await world.asParticipant(open.participants[0], 'GET', 'caseDefinition')).json

/** A case that came to its end in another way than DONE. */
async function ended(how: 'cancelled' | 'failed' | 'rejected' | 'expired'): Promise<Json> {
  if (how === 'expired') {
    const { case: made } = await world.create({ validUntil: world.from(MINUTE_MS) })
    world.clock.pass(MINUTE_MS)
    return world.untilStatus(made.id, 'EXPIRED')
  }
  if (how === 'failed') {
    const { id, participants } = await world.inProgress()
    await world.breakDocument(id)
    await world.sign(participants[0])
    return world.untilStatus(id, 'FAILED')
  }
  const created = await world.create()
  const { id } = created.case
  if (how === 'rejected') {
    await world.upload(created, Buffer.from('no PDF'.repeat(300)))
    return world.untilStatus(id, 'UPLOAD_REJECTED')
  }
  return (await world.asTenant('DELETE', `/cases/${id}`, { body: { reason: 'Omyl' } })).json
}

conformance(world, '2.1 Case', {
  async id(t) {
    t.match(plain.case.id, UUID)
  },
  async title(t) {
    t.equal(plain.case.title, 'Zmluva o dielo')
  },
  async status(t) {
    t.equal(plain.case.status, 'NEW')
    t.equal(done.status, 'DONE')
  },
  async rejectReason(t) {
    const { status, rejectReason } = await ended('rejected')
    t.equal(status, 'UPLOAD_REJECTED')
    t.match(rejectReason, /PDF/)
    t.notOk('rejectReason' in plain.case)
  },
  async expiredAt(t) {
    const { status, expiredAt, validUntil } = await ended('expired')
    t.equal(status, 'EXPIRED')
    t.ok(expiredAt >= validUntil)
    t.notOk('expiredAt' in plain.case)
  },
  async cancelledAt(t) {
    const { status, cancelledAt } = await ended('cancelled')
    t.equal(status, 'CANCELLED')
    t.match(cancelledAt, INSTANT)
  },
  async cancelReason(t) {
    t.equal((await ended('cancelled')).cancelReason, 'Omyl')
  },
  async failedAt(t) {
    const { status, failedAt } = await ended('failed')
    t.equal(status, 'FAILED')
    t.match(failedAt, INSTANT)
  },
  async failureReason(t) {
    t.match((await ended('failed')).failureReason, /\w+/)
  },
  async created(t) {
    t.match(plain.case.created, INSTANT)
  },
  async validUntil(t) {
    t.match(plain.case.validUntil, INSTANT)
  },
  async quickSign(t) {
    t.equal(rich.case.quickSign, true)
    t.equal(plain.case.quickSign, false)
  },
  async multiFactorType(t) {
    t.equal(rich.case.multiFactorType, 'EMAIL')
    t.notOk('multiFactorType' in plain.case)
  },
  async callback(t) {
    t.same(rich.case.callback, CALLBACK)
    const shown = JSON.stringify([rich, await world.get(rich.case.id)])
    t.notMatch(shown, /top-secret|ssssssss/, 'credentials and secret are not returned')
  },
  async sender(t) {
    t.same(rich.case.sender, SENDER)
  },
  async device(t) {
    t.same(rich.case.device, { deviceId: device.deviceId })
  },
  async originalDocument(t) {
    t.same(plain.case.originalDocument, { name: 'Zmluva o dielo.pdf' })
    t.same(Object.keys(done.originalDocument).sort(), ['name', 'sha256', 'size', 'url'])
  },
  async signedDocument(t) {
    t.equal(done.signedDocument.name, 'Zmluva o dielo-signed.pdf')
    t.notOk('signedDocument' in plain.case)
  },
  async evidenceDocument(t) {
    t.equal(done.evidenceDocument.name, 'Zmluva o dielo-evidence.pdf')
    t.notOk('evidenceDocument' in plain.case)
  },
  async participants(t) {
    t.equal(rich.case.participants.length, 2)
  },
})

conformance(world, '2.2 Document', {
  async name(t) {
    t.equal(done.originalDocument.name, 'Zmluva o dielo.pdf')
  },
  async size(t) {
    const { byteLength } = await world.download(done.signedDocument.url)
    t.equal(done.signedDocument.size, byteLength)
  },
  async sha256(t) {
    t.match(done.signedDocument.sha256, SHA256)
    t.equal(done.signedDocument.sha256, await world.digestAt(done.signedDocument.url))
  },
  async url(t) {
    for (const { url } of [done.originalDocument, done.signedDocument, done.evidenceDocument]) {
      const pdf = Buffer.from(await world.download(url))
      t.equal(pdf.toString('latin1', 0, 5), '%PDF-')
    }
  },
  async level(t) {
    t.match(done.signedDocument.level, LEVEL)
    t.match(done.evidenceDocument.level, LEVEL)
    t.notOk('level' in done.originalDocument)
  },
})

conformance(world, '2.3 Participant', {
  async id(t) {
    t.match(first.id, UUID)
    t.equal(new URL(first.signerUrl).pathname, `/sign/${first.id}`)
  },
  async firstName(t) {
    t.equal(first.firstName, 'Jana')
  },
  async lastName(t) {
    t.equal(first.lastName, 'Nováková')
  },
  async email(t) {
    t.equal(second.email, 'second@example.com')
  },
  async phone(t) {
    t.equal(first.phone, '+421900123456')
    t.notOk('phone' in second)
  },
  async notify(t) {
    t.same([first.notify, second.notify], [false, true])
  },
  async language(t) {
    t.same([first.language, second.language], ['sk', 'en'])
  },
  async status(t) {
    t.equal(first.status, 'UNSIGNED')
    t.equal(done.participants[0].status, 'SIGNED')
  },
  async signedAt(t) {
    t.match(done.participants[0].signedAt, INSTANT)
    t.notOk('signedAt' in first)
  },
  async signerUrl(t) {
    t.match(first.signerUrl, /\/sign\/[^?#]+#[\w.-]+$/)
  },
  async signatureFields(t) {
    t.same(first.signatureFields, person().signatureFields)
  },
})

conformance(world, '2.4 SignatureField', {
  async id(t) {
    t.match(unnamed.id, UUID)
    t.equal(named.id, 'mine')
  },
  async page(t) {
    t.same([unnamed.page, named.page], [1, 2])
  },
  async 'x, y, width, height'(t) {
    t.match(unnamed, { x: 0.1, y: 0.2, width: 0.3, height: 0.1 })
    t.match(named, { x: 10, y: 20, width: 100, height: 40 })
  },
  async unit(t) {
    t.same([unnamed.unit, named.unit], ['fraction', 'pt'])
  },
})

conformance(world, '2.6 Device', {
  async deviceId(t) {
    t.match(device.deviceId, UUID)
  },
  async name(t) {
    t.equal(device.name, 'Desk')
  },
  async created(t) {
    t.match(device.created, INSTANT)
  },
  async token(t) {
    t.match(device.token, /^[\w.~-]{32,}$/)
    const { text } = await world.asTenant('GET', '/tenant/devices')
    t.notOk(text.includes(device.token), 'it is returned once')
  },
  async channel(t) {
    t.equal(device.channel, `/devices/${device.deviceId}/events`)
  },
})

conformance(world, '2.7 Audit event', {
  async eventId(t) {
    t.equal(new Set(trail.map(({ eventId }) => eventId)).size, trail.length)
    for (const { eventId } of trail) t.match(eventId, UUID)
  },
  async type(t) {
    t.ok(trail.every(({ type }) => /^(case|document|participant)\.[a-z_]+$/.test(type)))
  },
  async occurredAt(t) {
    for (const { occurredAt } of trail) t.match(occurredAt, INSTANT)
  },
  async actor(t) {
    t.same([createdEvent.actor, signed.actor], ['tenant', 'participant'])
    t.ok(trail.some(({ actor }) => actor === 'system'))
  },
  async participantId(t) {
    t.ok(done.participants.some(({ id }: Json) => id === signed.participantId))
    t.notOk('participantId' in createdEvent)
  },
  async ip(t) {
    t.same([createdEvent.ip, signed.ip], ['127.0.0.1', '127.0.0.1'])
  },
  async userAgent(t) {
    t.type(createdEvent.userAgent, 'string')
  },
  async documentSha256(t) {
    t.equal(signed.documentSha256, done.originalDocument.sha256)
  },
  async data(t) {
    t.ok(trail.every(({ data }) => typeof data === 'object' && data !== null))
  },
})

conformance(world, '2.9 One-time code session', {
  async otpSession(t) {
    t.type(session.otpSession, 'string')
    const headers = { 'service-otp-session': session.otpSession }
    const answer = await world.asParticipant(asked, 'GET', 'caseDefinition', { headers })
    t.equal(answer.json.otpRequired, false)
  },
  async expiresAt(t) {
    const leftMs = Date.parse(session.expiresAt) - world.clock.nowMs()
    t.ok(leftMs > 0 && leftMs < HOUR_MS)
  },
})

conformance(world, '2.11 Case definition', {
  async status(t) {
    t.equal(view.status, 'IN_PROGRESS')
  },
  async multiFactorType(t) {
    t.equal(view.multiFactorType, 'EMAIL')
    t.notOk('multiFactorType' in openView)
  },
  async participant(t) {
    t.equal(view.participant.status, 'UNSIGNED')
    t.equal(view.participant.signatureFields[0].unit, 'pt')
  },
  async otpRequired(t) {
    t.equal(view.otpRequired, true)
    t.equal(openView.otpRequired, false)
  },
  async participants(t) {
    const { id, participants } = await world.inProgress({
      participants: [person(), person({ firstName: 'Ľuboš', email: 'l@example.com' })],
    })
    await world.sign(participants[0])
    const answer = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
    t.same(answer.json.participants, { total: 2, signed: 1 })
    t.notMatch(answer.text, /Ľuboš/, 'others are not named')
    t.equal(answer.json.case.id, id)
  },
  async sender(t) {
    t.equal(view.sender.name, SENDER.name)
    t.notOk('sender' in openView)
  },
  async 'link to the original, the signed document once DONE'(t) {
    t.notOk('url' in view.document, 'no link before the code')
    const original = await world.digestAt(openView.document.url)
    t.equal(original, openView.document.sha256)
    const answer = await world.asParticipant(done.participants[0], 'GET', 'caseDefinition')
    t.equal(answer.json.document.sha256, done.signedDocument.sha256)
    t.equal(await world.digestAt(answer.json.document.url), done.signedDocument.sha256)
  },
})
