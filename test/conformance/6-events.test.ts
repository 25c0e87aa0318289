/** Specification 6: the audit trail, webhooks and real-time events. */
import t, { type Test } from 'tap'
import { EventSource } from 'eventsource'
import { conformance } from './conformance.ts'
import { answering, deliveriesAt, openReceiver } from './receiver.ts'
import { HOUR_MS, MINUTE_MS, openWorld, person, SECOND_MS, type Json } from './world.ts'
import { watchCores } from '../fixtures/busy.ts'

t.setTimeout(600_000)
const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1/32' })
const receiver = await openReceiver(t)

/** The document may be ready before the cancellation comes. */
const MAXIMUM_CANCELLATIONS = 10
const RETRY_MS = 90 * SECOND_MS
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DATA = { order: 7, lines: [{ ľ: null }], nested: { a: [] } }

const callback = (url: string, more: Json = {}) => ({ url, authType: 'NONE', data: DATA, ...more })

const delivered = deliveriesAt(world, receiver)

async function failed(more: Json = {}): Promise<Json> {
  const { id, participants } = await world.inProgress(more)
  await world.breakDocument(id)
  await world.sign(participants[0])
  return world.untilStatus(id, 'FAILED')
}

async function expired(more: Json = {}): Promise<Json> {
  const { case: made } = await world.create({ validUntil: world.from(MINUTE_MS), ...more })
  world.clock.pass(MINUTE_MS)
  return world.untilStatus(made.id, 'EXPIRED')
}

const cancelled = (more: Json = {}) => world.cancelled(more, { body: { reason: 'Omyl' } })

// All of it is made before the first test: tap ends when no test is left while a file waits.
const finished = await world.done({
  multiFactorType: 'EMAIL',
  participants: [person({ email: 'finished@example.com' })],
})
const rejected = await world.create()
await world.upload(rejected, Buffer.from('no PDF'.repeat(300)))

const signingSecret = 'k'.repeat(32)
const url = receiver.address('body')
const whole = await world.done({ callback: callback(url, { signingSecret }) })
const signedBy = await delivered('body', 1)
const completed = await delivered('body', 2)

const records =
  (of: () => Promise<string>, type: string, actor: string) =>
  async (t: Test): Promise<void> => {
    const event = await world.untilEvent(await of(), type)
    t.equal(event.actor, actor)
    t.match(event.eventId, UUID)
  }
const ofFinished = async () => finished.id
/** A participant who signs before the mail is sent gets no invitation. */
const ofRunning = async () => (await world.inProgress()).id
const ofFailed = async () => (await failed()).id

/** A case that its tenant cancelled while the service signed the document. */
async function cancelledWhileSigning(): Promise<{ one: Json; names: string[] }> {
  for (let attempt = 0; attempt < MAXIMUM_CANCELLATIONS; attempt++) {
    const one = await world.inProgress()
    const names = await world.cancelWhileSigning(one)
    if (names.length > 0) return { one, names }
  }
  throw new Error('every document was ready before it could be cancelled')
}

conformance(world, '6.1 Audit events', {
  'case.created': records(ofFinished, 'case.created', 'tenant'),
  'document.uploaded': records(ofFinished, 'document.uploaded', 'tenant'),
  'document.rejected': records(async () => rejected.case.id, 'document.rejected', 'system'),
  'participant.created': records(ofFinished, 'participant.created', 'tenant'),
  'participant.invited': records(ofRunning, 'participant.invited', 'system'),
  'participant.viewed': records(ofFinished, 'participant.viewed', 'participant'),
  'participant.otp_sent': records(ofFinished, 'participant.otp_sent', 'participant'),
  async 'participant.otp_failed'(t) {
    const { id, participants } = await world.inProgress({ multiFactorType: 'EMAIL' })
    await world.asParticipant(participants[0], 'POST', 'otp')
    const wrong = (await world.code(participants[0].email)) === '000000' ? '000001' : '000000'
    const body = { code: wrong }
    await world.asParticipant(participants[0], 'POST', 'otp/verify', { body })
    const { actor, data } = await world.untilEvent(id, 'participant.otp_failed')
    t.equal(actor, 'participant')
    t.notMatch(JSON.stringify(data), /\d{6}/, 'no code')
  },
  'participant.otp_verified': records(ofFinished, 'participant.otp_verified', 'participant'),
  'participant.consented': records(ofFinished, 'participant.consented', 'participant'),
  'participant.signed': records(ofFinished, 'participant.signed', 'participant'),
  'participant.certificate_issued': records(ofFinished, 'participant.certificate_issued', 'system'),
  'participant.signature_applied': records(ofFinished, 'participant.signature_applied', 'system'),
  async 'participant.downloaded'(t) {
    const { id, participants } = await world.done()
    await world.asParticipant(participants[0], 'GET', 'signedDocument')
    t.equal((await world.untilEvent(id, 'participant.downloaded')).actor, 'participant')
  },
  'case.finalised': records(ofFinished, 'case.finalised', 'system'),
  'case.completed': records(ofFinished, 'case.completed', 'system'),
  'case.expired': records(async () => (await expired()).id, 'case.expired', 'system'),
  'case.cancelled': records(async () => (await cancelled()).id, 'case.cancelled', 'tenant'),
  'case.failed': records(ofFailed, 'case.failed', 'system'),
  async 'participant.certificate_revoked'(t) {
    const { one, names } = await cancelledWhileSigning()
    const { id, participants } = one
    t.equal((await world.get(id)).status, 'CANCELLED')
    const event = await world.untilEvent(id, 'participant.certificate_revoked')
    t.match(event, { actor: 'system', participantId: participants[0].id })
    const { certificateSerial, reason } = event.data
    t.equal(reason, 'cessationOfOperation')
    t.ok(names.some((name) => name.includes(certificateSerial)))
  },
})

conformance(world, '6.2 Webhook body', {
  async headers(t) {
    t.match(completed.headers['content-type'], /^application\/json/)
    t.equal(completed.headers['service-event'], 'case-completed')
    t.match(completed.headers['service-delivery'], UUID)
    t.match(completed.headers['service-signature'], /^t=\d+,v1=[0-9a-f]{64}$/)
    t.not(completed.headers['service-delivery'], signedBy.headers['service-delivery'])
    t.equal(completed.headers['traceparent'], undefined, 'there is no collector')
  },
  async id(t) {
    const address = receiver.address('twice', (response, attempt) =>
      answering(attempt === 1 ? 500 : 200)(response, attempt),
    )
    await cancelled({ callback: callback(address) })
    const first = await delivered('twice')
    world.clock.pass(RETRY_MS)
    const second = await delivered('twice', 2)
    t.equal(second.body.id, first.body.id)
    t.not(second.headers['service-delivery'], first.headers['service-delivery'])
  },
  async type(t) {
    t.same([signedBy.body.type, completed.body.type], ['participant-signed', 'case-completed'])
  },
  async occurredAt(t) {
    t.equal(signedBy.body.occurredAt, whole.participants[0].signedAt)
  },
  async tenantId(t) {
    t.equal(completed.body.tenantId, 'acme')
  },
  async caseId(t) {
    t.equal(completed.body.caseId, whole.id)
  },
  async status(t) {
    t.equal(completed.body.status, 'DONE')
  },
  async data(t) {
    t.same(completed.body.data, DATA)
  },
  async participantId(t) {
    t.equal(signedBy.body.participantId, whole.participants[0].id)
    t.notOk('participantId' in completed.body)
  },
  async signedDocument(t) {
    const { url: link } = completed.body.signedDocument
    t.equal(await world.digestAt(link), whole.signedDocument.sha256)
    const { headers } = await fetch(link)
    t.match(headers.get('content-disposition'), /Zmluva.*-signed\.pdf/)
  },
  async evidenceDocument(t) {
    const { url: link } = completed.body.evidenceDocument
    t.equal(await world.digestAt(link), whole.evidenceDocument.sha256)
    const { headers } = await fetch(link)
    t.match(headers.get('content-disposition'), /Zmluva.*-evidence\.pdf/)
  },
})

/** The one delivery of a case that ended so. */
const assertEndEvent =
  (type: string, status: string, end: (more: Json) => Promise<Json>) =>
  async (t: Test): Promise<void> => {
    const name = `end-${type}`
    const { id } = await end({ callback: callback(receiver.address(name)) })
    const { body } = await world.until(type, async () =>
      receiver.at(name).find((delivery) => delivery.body.type === type),
    )
    t.match(body, { type, status, caseId: id })
  }

conformance(world, '6.2 Webhook types', {
  async 'participant-signed'(t) {
    const { participants } = await world.inProgress({
      callback: callback(receiver.address('signed')),
      participants: [person(), person({ email: 'b@example.com' })],
    })
    await world.sign(participants[1])
    const { body } = await delivered('signed')
    t.match(body, { type: 'participant-signed', participantId: participants[1].id })
    t.equal(body.status, 'IN_PROGRESS')
  },
  'case-completed': assertEndEvent('case-completed', 'DONE', (more) => world.done(more)),
  'case-failed': assertEndEvent('case-failed', 'FAILED', failed),
  'case-expired': assertEndEvent('case-expired', 'EXPIRED', expired),
  'case-cancelled': assertEndEvent('case-cancelled', 'CANCELLED', cancelled),
})

/** How the deliveries of a case ended (additive route). */
async function readDeliveries(caseId: string): Promise<Json> {
  return (await world.asTenant('GET', `/cases/${caseId}/deliveries`)).json.deliveries
}

const stateIs = (caseId: string, state: string): Promise<Json> =>
  world.until(`a delivery that is ${state}`, async () => {
    const [event] = await readDeliveries(caseId)
    return event?.state === state ? event : undefined
  })

conformance(world, '6.2 Delivery', {
  async '2xx'(t) {
    const { id } = await cancelled({ callback: callback(receiver.address('ok', answering(299))) })
    const { attempts } = await stateIs(id, 'delivered')
    t.match(attempts, [{ statusCode: 299 }])
  },
  async '408, 429, 5xx, no answer, connection error'(t) {
    const closed = 'http://127.0.0.1:1/'
    const places = [408, 429, 500, 503].map((status) =>
      receiver.address(`retry-${status}`, answering(status)),
    )
    const reset = receiver.address('reset', (response) => void response.socket?.destroy())
    for (const place of [...places, reset, closed]) {
      const { id } = await cancelled({ callback: callback(place) })
      const [event] = await world.until(`an attempt at ${place}`, async () => {
        const found = await readDeliveries(id)
        return found[0]?.attempts.length > 0 ? found : undefined
      })
      t.equal(event.state, 'pending', place)
    }
  },
  async 'any other status'(t) {
    for (const status of [400, 401, 404, 410]) {
      const place = receiver.address(`final-${status}`, answering(status))
      const { id } = await cancelled({ callback: callback(place) })
      const { attempts } = await stateIs(id, 'failed')
      t.match(attempts, [{ statusCode: status }])
    }
  },
  async 'ten seconds'(t) {
    const isBusy = watchCores()
    const { id } = await cancelled({ callback: callback(receiver.address('slow', () => {})) })
    const [attempt] = await world.until('the attempt to be given up', async () => {
      const [event] = await readDeliveries(id)
      return event?.attempts[0]?.durationMs === undefined ? undefined : event.attempts
    })
    t.ok(attempt.durationMs >= 9_500, `${attempt.durationMs} ms`)
    t.ok(attempt.durationMs < 12_000 || isBusy(), `${attempt.durationMs} ms`)
  },
  async 'redirects are not followed'(t) {
    const target = receiver.address('target')
    const place = receiver.address('moved', answering(307, { location: target }))
    const { id } = await cancelled({ callback: callback(place) })
    await stateIs(id, 'failed')
    t.same(receiver.at('target'), [])
  },
  async 'eight failures are dead'(t) {
    const { id } = await cancelled({ callback: callback(receiver.address('dead', answering(500))) })
    for (let count = 1; count < 8; count++) {
      await delivered('dead', count)
      await world.until(`attempt ${count} to be kept`, async () => {
        const [event] = await readDeliveries(id)
        return event?.attempts[count - 1]?.statusCode
      })
      world.clock.pass(RETRY_MS)
    }
    const { attempts } = await stateIs(id, 'dead')
    t.equal(attempts.length, 8)
    world.clock.pass(HOUR_MS)
    t.equal(receiver.at('dead').length, 8)
  },
})

conformance(world, '6.3 Real-time events', {
  async 'device.open_case'(t) {
    const { json: device } = await world.asTenant('POST', '/tenant/devices', {
      body: { name: 'Desk' },
    })
    const source = new EventSource(`${world.url}${device.channel}`, {
      fetch: (target, init) =>
        fetch(target, {
          ...init,
          headers: { ...init.headers, authorization: `Bearer ${device.token}` },
        }),
    })
    t.teardown(() => source.close())
    const opened = new Promise<MessageEvent>((resolve) =>
      source.addEventListener('device.open_case', resolve),
    )
    await new Promise((resolve) => source.addEventListener('open', resolve))
    const { id, participants } = await world.inProgress({ quickSign: true })
    const place = `/cases/${id}/participants/${participants[0].id}/open`
    await world.asTenant('POST', place, { body: { deviceId: device.deviceId } })
    const { caseId, participantId, url: link, title } = JSON.parse((await opened).data)
    t.same([caseId, participantId, title], [id, participants[0].id, 'Zmluva o dielo'])
    const answer = await world.asParticipant(
      { id: participantId, signerUrl: link },
      'GET',
      'caseDefinition',
    )
    t.equal(answer.status, 200, 'the link works')
  },
})
