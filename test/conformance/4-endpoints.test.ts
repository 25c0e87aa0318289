/** Specification 4: endpoints. */
import t, { type Test } from 'tap'
import { conformance } from './conformance.ts'
import { DAY_MS, HOUR_MS, openWorld, person, type Answer, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const post = (body: Json, path = '/cases') => world.asTenant('POST', path, { body })
const input = (more: Json = {}) => ({
  title: 'Zmluva',
  validUntil: world.from(DAY_MS),
  participants: [person()],
  ...more,
})

/** The answer lists this problem among all that were found. */
function refuses(t: Test, { status, json }: Answer, instancePath: string, keyword: string): void {
  t.equal(status, 400)
  t.type(json.message, 'string')
  const found = json.validationErrors.some(
    (error: Json) => error.instancePath === instancePath && error.keyword === keyword,
  )
  t.ok(found, `${instancePath} ${keyword} in ${JSON.stringify(json.validationErrors)}`)
}

/** The member is required, and has this type. */
async function isRequiredText(t: Test, name: string): Promise<void> {
  refuses(t, await post(input({ [name]: undefined })), '', 'required')
  refuses(t, await post(input({ [name]: 7 })), `/${name}`, 'type')
}

async function kiosk(): Promise<Json> {
  return (await post({ name: 'Desk' }, '/tenant/devices')).json
}

conformance(world, '4.1 POST /cases', {
  async title(t) {
    await isRequiredText(t, 'title')
  },
  async quickSign(t) {
    refuses(t, await post(input({ quickSign: 'yes' })), '/quickSign', 'type')
    const { json } = await post(input({ quickSign: true }))
    t.equal(json.case.quickSign, true)
  },
  async pin(t) {
    const { participants } = await world.inProgress({ pin: '4711' })
    t.equal((await world.sign(participants[0])).status, 401)
    const headers = { 'service-pin': '4711' }
    t.equal((await world.sign(participants[0], {}, { headers })).status, 200)
  },
  async validUntil(t) {
    await isRequiredText(t, 'validUntil')
    refuses(t, await post(input({ validUntil: 'tomorrow' })), '/validUntil', 'format')
    refuses(t, await post(input({ validUntil: world.from(-1) })), '/validUntil', 'future')
  },
  async multiFactorType(t) {
    refuses(t, await post(input({ multiFactorType: 'FAX' })), '/multiFactorType', 'enum')
    for (const multiFactorType of ['SMS', 'EMAIL']) {
      const { json } = await post(input({ multiFactorType }))
      t.equal(json.case.multiFactorType, multiFactorType)
    }
  },
  async callback(t) {
    refuses(t, await post(input({ callback: {} })), '/callback', 'required')
    const bad = { url: 'no url', authType: 'MAGIC', signingSecret: 'short' }
    const answer = await post(input({ callback: bad }))
    refuses(t, answer, '/callback/url', 'format')
    refuses(t, answer, '/callback/authType', 'enum')
    refuses(t, answer, '/callback/signingSecret', 'minLength')
    const types = { clientId: 1, clientSecret: 2, scope: 3, audience: 4, data: 'text' }
    const more = { ...types, apiKeyHeader: 5, apiKeyValue: 6, tokenUrl: 'x', tokenAuthMethod: 'x' }
    const typed = await post(input({ callback: { url: 'https://a.example', ...more } }))
    for (const name of [...Object.keys(types), 'apiKeyHeader', 'apiKeyValue']) {
      refuses(t, typed, `/callback/${name}`, 'type')
    }
    refuses(t, typed, '/callback', 'required')
    refuses(t, typed, '/callback/tokenUrl', 'format')
    refuses(t, typed, '/callback/tokenAuthMethod', 'enum')
    const plain = { url: 'https://a.example', authType: 'OAUTH_CLIENT_CREDENTIALS' }
    const oauth = { ...plain, clientId: 'a', clientSecret: 'b', tokenUrl: 'http://a.example' }
    refuses(t, await post(input({ callback: oauth })), '/callback/tokenUrl', 'httpsUrl')
    for (const tokenAuthMethod of ['basic', 'post']) {
      const callback = { ...oauth, tokenUrl: 'https://a.example', tokenAuthMethod }
      t.equal((await post(input({ callback }))).status, 200, tokenAuthMethod)
    }
  },
  async reminders(t) {
    refuses(t, await post(input({ reminders: {} })), '/reminders', 'required')
    refuses(
      t,
      await post(input({ reminders: { afterDays: ['1'] } })),
      '/reminders/afterDays/0',
      'type',
    )
    t.equal((await post(input({ reminders: { afterDays: [1, 2.5] } }))).status, 200)
  },
  async sender(t) {
    refuses(t, await post(input({ sender: { replyTo: 'nobody' } })), '/sender/replyTo', 'format')
    const sender = { name: 'Acme', replyTo: 'office@acme.example' }
    t.same((await post(input({ sender }))).json.case.sender, sender)
  },
  async device(t) {
    refuses(t, await post(input({ device: {} })), '/device', 'required')
    refuses(t, await post(input({ device: { deviceId: 'x' } })), '/device/deviceId', 'format')
    const { status, json } = await post(input({ device: { deviceId: UNKNOWN_ID } }))
    t.match({ status, json }, { status: 400, json: { code: 'UNKNOWN_DEVICE' } })
    const { deviceId } = await kiosk()
    t.equal((await post(input({ quickSign: true, device: { deviceId } }))).status, 200)
  },
  async participants(t) {
    refuses(t, await post(input({ participants: undefined })), '', 'required')
    refuses(t, await post(input({ participants: [] })), '/participants', 'minItems')
    const odd = { language: 'de', notify: 1, address: { city: 5 }, signatureFields: [{}] }
    const answer = await post(input({ participants: [odd] }))
    refuses(t, answer, '/participants/0', 'required')
    refuses(t, answer, '/participants/0/language', 'enum')
    refuses(t, answer, '/participants/0/notify', 'type')
    refuses(t, answer, '/participants/0/address/city', 'type')
    refuses(t, answer, '/participants/0/signatureFields/0', 'required')
    const first = '/participants/0'
    for (const missingProperty of ['firstName', 'lastName', 'email']) {
      const one = await post(input({ participants: [person({ [missingProperty]: undefined })] }))
      refuses(t, one, first, 'required')
      t.match(one.json.validationErrors, [{ params: { missingProperty } }])
    }
    const wrong = { email: 'nobody', phone: 1, gender: 2 }
    const parts = { country: 1, city: 2, street: 3, zip: 4 }
    const field = { id: 5, page: 1.5, x: '0', y: '0', width: '1', height: '1', unit: 'cm' }
    const all = person({ ...wrong, firstName: 3, address: parts, signatureFields: [field] })
    const many = await post(input({ participants: [all] }))
    refuses(t, many, `${first}/email`, 'format')
    for (const name of ['phone', 'gender', 'firstName'])
      refuses(t, many, `${first}/${name}`, 'type')
    for (const name of Object.keys(parts)) refuses(t, many, `${first}/address/${name}`, 'type')
    const place = `${first}/signatureFields/0`
    for (const name of ['id', 'page', 'x', 'y', 'width', 'height']) {
      refuses(t, many, `${place}/${name}`, 'type')
    }
    refuses(t, many, `${place}/unit`, 'enum')
    const outside = { page: 1, x: 0.9, y: 0, width: 0.2, height: 0.1, unit: 'fraction' }
    const outsiders = await post(input({ participants: [person({ signatureFields: [outside] })] }))
    refuses(t, outsiders, '/participants/0/signatureFields/0', 'insidePage')
    const address = { country: 'SK', city: 'Nitra', street: 'Dlhá 1', zip: '949 01' }
    const full = person({ phone: '+421900123456', gender: 'female', address, notify: true })
    t.equal((await post(input({ participants: [full] }))).status, 200)
  },
  async response(t) {
    const { status, json } = await post(input())
    t.equal(status, 200)
    t.same(Object.keys(json).sort(), ['case', 'upload'])
    t.same(Object.keys(json.upload).sort(), ['type', 'url'])
    t.equal(json.upload.type, 'PUT')
    t.equal(await world.upload(json), 200)
  },
  async 'a retry can create a second case'(t) {
    const body = input()
    const [one, two] = [await post(body), await post(body)]
    t.not(one.json.case.id, two.json.case.id)
  },
})

const NOT_FOUND = { status: 404, text: /not found/i }
const isPlain = (t: Test, { headers }: Answer) =>
  t.match(headers.get('content-type'), /^text\/plain/)

conformance(world, '4.2 to 4.6', {
  async 'GET /cases/{caseId}'(t) {
    const { id } = await world.done()
    const { status, json } = await world.asTenant('GET', `/cases/${id}`)
    t.equal(status, 200)
    t.ok(json.originalDocument.url && json.signedDocument.url && json.participants.length)
    t.equal((await world.ask('GET', `/cases/${id}`)).status, 401)
    const missing = await world.asTenant('GET', `/cases/${UNKNOWN_ID}`)
    t.match(missing, NOT_FOUND)
    isPlain(t, missing)
  },
  async 'DELETE /cases/{caseId}'(t) {
    const { case: made } = await world.create()
    const path = `/cases/${made.id}`
    refuses(t, await world.asTenant('DELETE', path, { body: { reason: 7 } }), '/reason', 'type')
    t.equal((await world.ask('DELETE', path)).status, 401)
    const { status, json } = await world.asTenant('DELETE', path)
    t.equal(status, 200)
    t.match(json, { id: made.id, status: 'CANCELLED', cancelledAt: String })
    const again = await world.asTenant('DELETE', path)
    t.equal(again.status, 409)
    t.match(again.json, { code: 'CASE_NOT_CANCELLABLE', status: 'CANCELLED' })
    t.match(await world.asTenant('DELETE', `/cases/${UNKNOWN_ID}`), NOT_FOUND)
  },
  async 'GET /cases/{caseId}/events'(t) {
    const { id } = await world.done()
    await world.untilEvent(id, 'case.completed')
    const all = (await world.asTenant('GET', `/cases/${id}/events`)).json.events
    t.equal(all[0].type, 'case.completed', 'the newest first')
    const paged: Json[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Answer = await world.asTenant(
        'GET',
        `/cases/${id}/events?limit=4${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      t.ok(page.json.events.length <= 4)
      paged.push(...page.json.events)
      cursor = page.json.nextCursor
    }
    t.same(paged, all)
    const other = (await world.create()).case.id
    const [first] = [await world.asTenant('GET', `/cases/${id}/events?limit=1`)]
    const foreign = `/cases/${other}/events?cursor=${encodeURIComponent(first.json.nextCursor)}`
    t.match(await world.asTenant('GET', foreign), { status: 400, json: { code: 'INVALID_CURSOR' } })
    for (const limit of ['0', '101', '-1', 'x', '1e1', '']) {
      const answer = await world.asTenant('GET', `/cases/${id}/events?limit=${limit}`)
      t.match(answer, { status: 400, json: { code: 'INVALID_LIMIT' } }, limit)
    }
    t.match(await world.asTenant('GET', `/cases/${UNKNOWN_ID}/events`), NOT_FOUND)
  },
  async 'POST /tenant/devices'(t) {
    const { status, json } = await post({ name: 'Desk' }, '/tenant/devices')
    t.equal(status, 200)
    t.same(Object.keys(json).sort(), ['channel', 'created', 'deviceId', 'name', 'token'])
    refuses(t, await post({}, '/tenant/devices'), '', 'required')
    t.equal((await world.ask('POST', '/tenant/devices', { body: { name: 'x' } })).status, 401)
  },
  async 'POST /cases/{caseId}/participants/{participantId}/open'(t) {
    const { deviceId } = await kiosk()
    const { id, participants } = await world.inProgress({ quickSign: true })
    const place = `/cases/${id}/participants/${participants[0].id}/open`
    const { status, json } = await post({ deviceId }, place)
    t.equal(status, 200)
    t.same(json, { caseId: id, participantId: participants[0].id, deviceId })
    refuses(t, await post({}, place), '', 'required')
    t.match(await post({ deviceId: UNKNOWN_ID }, place), {
      status: 400,
      json: { code: 'UNKNOWN_DEVICE' },
    })
    t.equal((await world.ask('POST', place, { body: { deviceId } })).status, 401)
    refuses(t, await post({ deviceId: 'x' }, place), '/deviceId', 'format')
    const nowhere = `/cases/${UNKNOWN_ID}/participants/${participants[0].id}/open`
    t.match(await post({ deviceId }, nowhere), NOT_FOUND)
    const stranger = `/cases/${id}/participants/${UNKNOWN_ID}/open`
    t.match(await post({ deviceId }, stranger), NOT_FOUND)
  },
})

conformance(world, '4.7 to 4.11', {
  async 'GET /participant/{participantId}/caseDefinition'(t) {
    const { participants } = await world.inProgress()
    const answer = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
    t.equal(answer.status, 200)
    t.ok(answer.json.document.url)
    const forged = await world.asParticipant(participants[0], 'GET', 'caseDefinition', {
      token: 'forged',
    })
    t.equal(forged.status, 401)
    t.same(Object.keys(forged.json), ['message'])
    const early = (await world.create()).case.participants[0]
    t.equal((await world.asParticipant(early, 'GET', 'caseDefinition')).status, 401)
  },
  async 'GET /participant/{participantId}/signedDocument'(t) {
    const { participants, signedDocument } = await world.done()
    const redirect = await world.asParticipant(participants[0], 'GET', 'signedDocument')
    t.equal(redirect.status, 302)
    t.equal(redirect.text, '')
    const location = redirect.headers.get('location') as string
    t.equal(await world.digestAt(location), signedDocument.sha256)
    const disposition = (await fetch(location)).headers.get('content-disposition')
    t.match(disposition, /Zmluva.*-signed\.pdf/)
    const headers = { accept: 'application/json' }
    const asked = await world.asParticipant(participants[0], 'GET', 'signedDocument', { headers })
    t.same([asked.status, Object.keys(asked.json)], [200, ['url']])
    const open = await world.inProgress()
    const early = await world.asParticipant(open.participants[0], 'GET', 'signedDocument')
    t.match(early, { status: 409, json: { code: 'NOT_COMPLETED', status: 'IN_PROGRESS' } })
  },
  async 'POST /participant/{participantId}/signature'(t) {
    const { participants } = await world.inProgress()
    const { status, text } = await world.sign(participants[0])
    t.same([status, text], [200, ''])
  },
  async 'POST /participant/{participantId}/otp'(t) {
    const { participants } = await world.inProgress({ multiFactorType: 'EMAIL' })
    const { status, json } = await world.asParticipant(participants[0], 'POST', 'otp')
    t.equal(status, 200)
    t.equal(json.channel, 'EMAIL')
    t.equal(json.destination, 'j***@e***.com')
    t.ok(Date.parse(json.expiresAt) > world.clock.nowMs())
    const stranger = await world.asParticipant(participants[0], 'POST', 'otp', { token: 'x' })
    t.equal(stranger.status, 401)
  },
  async 'POST /participant/{participantId}/otp/verify'(t) {
    const people = [person({ email: 'verify@example.com' })]
    const { participants } = await world.inProgress({
      multiFactorType: 'EMAIL',
      participants: people,
    })
    const [one] = participants
    const verify = (code: Json) =>
      world.asParticipant(one, 'POST', 'otp/verify', { body: { code } })
    await world.asParticipant(one, 'POST', 'otp')
    for (const code of ['12345', '1234567', 'abcdef', '']) {
      refuses(t, await verify(code), '/code', 'pattern')
    }
    const code = await world.code(one.email)
    const { status, json } = await verify(code)
    t.equal(status, 200)
    t.same(Object.keys(json).sort(), ['expiresAt', 'otpSession'])
    t.match(await verify(code), { status: 409, json: { code: 'OTP_NOT_REQUESTED' } }, 'used up')
  },
})

const BOX = { page: 1, x: 0.1, y: 0.7, width: 0.3, height: 0.1, unit: 'fraction' }
const two = person({
  signatureFields: [
    { id: 'a', ...BOX },
    { id: 'b', ...BOX, x: 0.5 },
  ],
})

conformance(world, '4.9 Sign', {
  async encodedSignature(t) {
    const [one] = (await world.inProgress()).participants
    refuses(t, await world.sign(one, { encodedSignature: undefined }), '', 'required')
    t.equal((await world.sign(one, { encodedSignature: 'no drawing' })).status, 400)
    t.equal((await world.sign(one, { encodedSignature: 'M1 1 L90 40' })).status, 200)
  },
  async fieldIds(t) {
    const [one] = (await world.inProgress({ participants: [two] })).participants
    refuses(t, await world.sign(one, { fieldIds: 'a' }), '/fieldIds', 'type')
    t.equal((await world.sign(one, { fieldIds: ['c'] })).status, 400)
    t.equal((await world.sign(one, { fieldIds: ['b'] })).status, 200)
  },
  async signatures(t) {
    const people = [person({ signatureFields: [] })]
    const [one] = (await world.inProgress({ participants: people })).participants
    t.equal((await world.sign(one)).status, 400, 'no place at all')
    const outside = await world.sign(one, { signatures: [{ ...BOX, x: 0.9 }] })
    refuses(t, outside, '/signatures/0', 'insidePage')
    t.equal((await world.sign(one, { signatures: [BOX] })).status, 200)
  },
  async pageSize(t) {
    const people = [person({ signatureFields: [] })]
    const [one] = (await world.inProgress({ participants: people })).participants
    const signatures = [{ page: 1, x: 100, y: 1000, width: 300, height: 100, unit: 'pt' }]
    const small = { width: -1, height: 5 }
    t.equal((await world.sign(one, { signatures, pageSize: small })).status, 400)
    const pageSize = { width: 1190, height: 1684 }
    t.equal((await world.sign(one, { signatures, pageSize })).status, 200)
  },
  async consent(t) {
    const { id, participants } = await world.inProgress()
    const [one] = participants
    refuses(t, await world.sign(one, { consent: undefined }), '', 'required')
    const consent = { textVersion: 'unheard-of', acceptedAt: world.from(0) }
    refuses(t, await world.sign(one, { consent }), '/consent/textVersion', 'enum')
    t.equal((await world.sign(one)).status, 200)
    const event = await world.untilEvent(id, 'participant.consented')
    t.equal(event.data.textVersion, '2026-11')
  },
  async client(t) {
    const { id, participants } = await world.inProgress()
    const client = {
      timezone: 'Europe/Bratislava',
      language: 'sk',
      screen: { width: 390, height: 844 },
      viewedAllPages: true,
    }
    const [one] = participants
    refuses(t, await world.sign(one, { client: { language: 1 } }), '/client/language', 'type')
    t.equal((await world.sign(one, { client })).status, 200)
    t.same((await world.untilEvent(id, 'participant.signed')).data.client, client)
  },
})

t.test('links of participants die with their case', async (t) => {
  const { participants, validUntil } = await world.done({ validUntil: world.from(HOUR_MS) })
  t.ok(validUntil)
  world.clock.pass(2 * HOUR_MS)
  const answer = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
  t.match(answer, { status: 410, json: { code: 'LINK_EXPIRED' } })
})
