/** Statements in the prose of the specification that no row of its tables repeats. */
import t from 'tap'
import { openWorld, person } from './world.ts'

t.setTimeout(300_000)
const world = await openWorld(t)

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const JSON_TYPE = /^application\/json(; charset=utf-8)?$/

t.test('answers are JSON where nothing else is stated', async (t) => {
  const { id, participants } = await world.inProgress()
  const [participant] = participants
  const answers = [
    await world.asTenant('GET', `/cases/${id}`),
    await world.asTenant('GET', `/cases/${id}/events`),
    await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } }),
    await world.asParticipant(participant, 'GET', 'caseDefinition'),
    await world.asParticipant(participant, 'GET', 'signedDocument'),
    await world.asParticipant(participant, 'POST', 'otp'),
    await world.ask('POST', '/verify', { body: { key: UNKNOWN_ID } }),
    await world.asTenant('DELETE', `/cases/${id}`),
  ]
  for (const { status, headers, json } of answers) {
    t.match(headers.get('content-type'), JSON_TYPE, String(status))
    t.type(json, 'object')
  }
})

t.test('a missing case or participant is a short text', async (t) => {
  const { id } = await world.inProgress()
  for (const answer of [
    await world.asTenant('GET', `/cases/${UNKNOWN_ID}`),
    await world.asTenant('DELETE', `/cases/${UNKNOWN_ID}`),
    await world.asTenant('GET', `/cases/${UNKNOWN_ID}/events`),
    await world.asTenant('POST', `/cases/${id}/participants/${UNKNOWN_ID}/open`, {
      body: {
        deviceId: (await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })).json
          .deviceId,
      },
    }),
  ]) {
    t.equal(answer.status, 404)
    t.match(answer.headers.get('content-type'), /^text\/plain/)
    t.match(answer.text, /^(Case|Participant) not found$/)
  }
})

t.test('an accepted signature is answered with 200 and no body', async (t) => {
  const { participants } = await world.inProgress()
  const { status, text } = await world.sign(participants[0])
  t.same({ status, text }, { status: 200, text: '' })
})

t.test('the verification reports every signature of a PDF', async (t) => {
  const second = person({
    email: 'peter@example.com',
    signatureFields: [{ id: 'f2', page: 1, x: 300, y: 500, width: 200, height: 60, unit: 'pt' }],
  })
  const done = await world.done({ participants: [person(), second] })
  const { status, json } = await world.verify(await world.download(done.signedDocument.url))
  t.equal(status, 200)
  t.equal(json.signatures.length, 3, 'two participants and the seal of the service')
  for (const { indication } of json.signatures) t.equal(indication, 'TOTAL_PASSED')
  t.equal(json.issuedByService, true)
})
