/** Statements in the prose that other tests prove inside the service, driven from outside here. */
import t from 'tap'
import { answering, deliveriesAt, openReceiver } from './receiver.ts'
import { openWorld, person, SECOND_MS, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1/32' })
const receiver = await openReceiver(t)
const delivery = deliveriesAt(world, receiver)

const RETRY_MS = 91 * SECOND_MS
const ENDPOINT = { url: 'https://tenant.example.com/hook' }
const OAUTH = {
  ...ENDPOINT,
  authType: 'OAUTH_CLIENT_CREDENTIALS',
  clientId: 'client',
  clientSecret: 'secret',
  tokenUrl: 'https://tenant.example.com/token',
}

/** Two people with a field each. */
const twoPeople = () =>
  ['one@example.com', 'two@example.com'].map((email, index) =>
    person({
      email,
      signatureFields: [
        {
          id: `f${index}`,
          page: 1,
          x: 72,
          y: 200 + 200 * index,
          width: 200,
          height: 60,
          unit: 'pt',
        },
      ],
    }),
  )

t.test('no answer and no webhook has a credential of the callback', async (t) => {
  const callback = {
    url: receiver.address('credentials'),
    authType: 'BASIC',
    clientId: 'known-client',
    clientSecret: 'known-client-secret',
    signingSecret: 'known-signing-secret-of-32-characters',
    data: { order: 1 },
  }
  const { case: created, upload } = await world.create({ callback })
  await world.upload({ upload })
  const { id, participants } = await world.untilStatus(created.id, 'IN_PROGRESS')
  const definition = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
  const cancelled = await world.asTenant('DELETE', `/cases/${id}`)
  const { raw, body } = await delivery('credentials')
  const answers = [
    JSON.stringify(created),
    definition.text,
    cancelled.text,
    (await world.asTenant('GET', `/cases/${id}`)).text,
    (await world.asTenant('GET', '/cases')).text,
    (await world.asTenant('GET', `/cases/${id}/events`)).text,
    (await world.asTenant('GET', `/cases/${id}/deliveries`)).text,
    raw.toString(),
  ]
  for (const answer of answers) t.notMatch(answer, /known-(client|signing)/)
  t.same(created.callback, { url: callback.url, authType: 'BASIC', data: { order: 1 } })
  t.same(body.data, { order: 1 })
})

t.test('a callback without the members of its authType is refused', async (t) => {
  const incomplete: [Json, string][] = [
    [{ ...ENDPOINT, authType: 'BASIC', clientId: 'client' }, 'clientSecret'],
    [{ ...ENDPOINT, authType: 'BASIC', clientSecret: 'secret' }, 'clientId'],
    [{ ...ENDPOINT, authType: 'API_KEY', apiKeyHeader: 'X-Key' }, 'apiKeyValue'],
    [{ ...ENDPOINT, authType: 'API_KEY', apiKeyValue: 'key' }, 'apiKeyHeader'],
    ...['clientId', 'clientSecret', 'tokenUrl'].map((member): [Json, string] => [
      { ...OAUTH, [member]: undefined },
      member,
    ]),
  ]
  const validUntil = world.from(60_000)
  const body = { title: 'Contract', validUntil, participants: [person()] }
  for (const [callback, missingProperty] of incomplete) {
    const { status, json } = await world.asTenant('POST', '/cases', { body: { ...body, callback } })
    t.equal(status, 400, missingProperty)
    const problem = { instancePath: '/callback', keyword: 'required', params: { missingProperty } }
    t.match(json.validationErrors, [problem])
  }
  const callback = { ...OAUTH, tokenUrl: 'http://tenant.example.com/token' }
  const { status, json } = await world.asTenant('POST', '/cases', { body: { ...body, callback } })
  t.equal(status, 400, 'a token URL without TLS')
  t.match(json.validationErrors, [{ instancePath: '/callback/tokenUrl' }])
})

t.test('a cancellation mails only those who were invited', async (t) => {
  const invited = person({ email: 'invited@example.com' })
  const unnotified = person({ email: 'unnotified@example.com', notify: false })
  const { id } = await world.inProgress({ participants: [invited, unnotified] })
  await world.until('the invitation', async () => (await world.mails(invited.email))[0])
  await world.asTenant('DELETE', `/cases/${id}`)
  const [, mail] = await world.until('the cancellation', async () => {
    const mails = await world.mails(invited.email)
    return mails.length > 1 ? mails : undefined
  })
  t.match(mail, /cancelled/i)
  const early = person({ email: 'early@example.com' })
  await world.cancelled({ participants: [early] })
  // A later mail has gone out, so one about the earlier cases would have gone out, too.
  const marker = await world.inProgress({ participants: [person({ email: 'marker@example.com' })] })
  await world.until('the marker', async () => (await world.mails('marker@example.com'))[0])
  t.equal(marker.status, 'IN_PROGRESS')
  t.same(await world.mails(unnotified.email), [])
  t.same(await world.mails(early.email), [])
})

t.test('a session of a code opens for its own participant only', async (t) => {
  const made = await world.inProgress({ multiFactorType: 'EMAIL', participants: twoPeople() })
  const [one, two] = made.participants
  const headers = { 'service-otp-session': (await world.passCode(one)).otpSession }
  const own = await world.asParticipant(one, 'GET', 'caseDefinition', { headers })
  t.equal(own.json.otpRequired, false)
  const foreign = await world.asParticipant(two, 'GET', 'caseDefinition', { headers })
  t.equal(foreign.json.otpRequired, true)
  const signature = await world.sign(two, {}, { headers })
  t.match(signature, { status: 401, json: { code: 'OTP_REQUIRED' } })
  const download = await world.asParticipant(two, 'GET', 'signedDocument', { headers })
  t.match(download, { status: 401, json: { code: 'OTP_REQUIRED' } })
  t.equal((await world.sign(one, {}, { headers })).status, 200)
})

t.test('every route of a participant names the sender of a case that ended', async (t) => {
  const sender = { name: 'Acme s.r.o.' }
  const { id, participants } = await world.inProgress({ sender })
  await world.asTenant('DELETE', `/cases/${id}`)
  for (const [method, route, body] of [
    ['GET', 'caseDefinition'],
    ['GET', 'signedDocument'],
    ['POST', 'signature', {}],
    ['POST', 'otp'],
    ['POST', 'otp/verify', { code: '123456' }],
  ] as const) {
    const answer = await world.asParticipant(participants[0], method, route, { body })
    t.match(
      answer,
      { status: 410, json: { code: 'CASE_NOT_ACTIVE', senderName: sender.name } },
      route,
    )
  }
})

t.test('a webhook that is sent again has the status and the links of that time', async (t) => {
  const url = receiver.address('again', (response, attempt) =>
    answering(attempt === 1 ? 503 : 204)(response, attempt),
  )
  const callback = { url, authType: 'NONE' }
  const { id, participants } = await world.inProgress({ callback, participants: twoPeople() })
  await world.sign(participants[0])
  const first = await delivery('again')
  t.match(first.body, { type: 'participant-signed', status: 'IN_PROGRESS' })
  t.notOk('signedDocument' in first.body)
  await world.sign(participants[1])
  const done = await world.untilStatus(id, 'DONE')
  await world.until('the completion', async () =>
    receiver.at('again').find(({ body }) => body.type === 'case-completed'),
  )
  world.clock.pass(RETRY_MS)
  const again = await world.until('the second attempt', async () =>
    receiver.at('again').find(({ body }, index) => index > 0 && body.id === first.body.id),
  )
  t.match(again.body, { type: 'participant-signed', status: 'DONE' })
  t.not(again.headers['service-delivery'], first.headers['service-delivery'])
  t.equal(await world.digestAt(again.body.signedDocument.url), done.signedDocument.sha256)
  t.equal(await world.digestAt(again.body.evidenceDocument.url), done.evidenceDocument.sha256)
})
