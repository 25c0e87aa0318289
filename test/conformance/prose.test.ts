/** Statements in the prose of the specification that no row of its tables repeats. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { openWorld, person, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const JSON_TYPE = /^application\/json(; charset=utf-8)?$/

/** Refuses members that a schema does not name; free-form objects stay free. */
function closeSchemas(node: Json): Json {
  if (Array.isArray(node)) return node.map(closeSchemas)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).map(([name, one]) => [name, closeSchemas(one)])
  const isClosed = node.type === 'object' && Object.keys(node.properties ?? {}).length > 0
  return { ...Object.fromEntries(members), ...(isClosed ? { additionalProperties: false } : {}) }
}

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

t.test('a tenant request with several faults gets the answer to the first', async (t) => {
  const { id, participants } = await world.inProgress()
  const open = (caseId: string, body: Json) =>
    world.asTenant('POST', `/cases/${caseId}/participants/${participants[0].id}/open`, { body })
  const bad = { body: { reason: 5 } }
  const faulty = `/cases/${UNKNOWN_ID}`
  t.equal((await world.ask('DELETE', faulty, bad)).status, 401)
  t.equal((await world.asTenant('DELETE', faulty, bad)).status, 404)
  t.equal((await world.asTenant('GET', `${faulty}/events?limit=0`)).status, 404)
  t.equal((await open(UNKNOWN_ID, {})).status, 404)
  const page = await world.asTenant('GET', `/cases/${id}/events?limit=0&cursor=x`)
  t.equal(page.json.code, 'INVALID_LIMIT')
  t.equal((await world.asTenant('DELETE', `/cases/${id}`)).status, 200)
  t.equal((await world.asTenant('DELETE', `/cases/${id}`, bad)).json.code, 'CASE_NOT_CANCELLABLE')
  t.ok((await open(id, {})).json.validationErrors)
  t.equal((await open(id, { deviceId: UNKNOWN_ID })).json.code, 'UNKNOWN_DEVICE')
  const { deviceId } = (await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } }))
    .json
  t.equal((await open(id, { deviceId })).json.code, 'CASE_NOT_ACTIVE')
})

t.test('members that the service does not know are ignored, also in nested objects', async (t) => {
  const more = { unknown: 1 }
  const { signatureFields } = person()
  const field = { ...signatureFields[0], ...more }
  const { id } = await world.inProgress({
    ...more,
    sender: { name: 'Acme', ...more },
    participants: [person({ ...more, signatureFields: [field] })],
  })
  t.equal((await world.asTenant('GET', `/cases/${id}/events?unknown=1`)).status, 200)
  const device = { body: { name: 'Desk', ...more } }
  t.equal((await world.asTenant('POST', '/tenant/devices', device)).status, 200)
  const cancelled = await world.asTenant('DELETE', `/cases/${id}`, { body: more })
  t.equal(cancelled.status, 200)
  t.notMatch(cancelled.text, 'unknown')
})

t.test('an accepted signature is answered with 200 and no body', async (t) => {
  const { participants } = await world.inProgress()
  const { status, text } = await world.sign(participants[0])
  t.same({ status, text }, { status: 200, text: '' })
})

const second = person({
  email: 'peter@example.com',
  signatureFields: [{ id: 'f2', page: 1, x: 300, y: 500, width: 200, height: 60, unit: 'pt' }],
})
async function signAndVerify() {
  const done = await world.done({ participants: [person(), second], sender: { name: 'Acme' } })
  return { done, report: await world.verify(await world.download(done.signedDocument.url)) }
}
let verified: ReturnType<typeof signAndVerify> | undefined

t.test('the verification reports every signature of a PDF', async (t) => {
  verified ??= signAndVerify()
  const { status, json } = (await verified).report
  t.equal(status, 200)
  t.equal(json.signatures.length, 3, 'two participants and the seal of the service')
  for (const { indication } of json.signatures) t.equal(indication, 'TOTAL_PASSED')
  t.equal(json.issuedByService, true)
})

t.test('every member of an answer is in the OpenAPI document', async (t) => {
  verified ??= signAndVerify()
  const { done, report } = await verified
  const { components } = (await world.ask('GET', '/openapi.json')).json
  const closed = closeSchemas(components)
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  const checkAnswer = (schema: string, value: Json) => {
    const $ref = `#/components/schemas/${schema}`
    const isValid = ajv.compile({ components: closed, $ref })
    t.ok(isValid(value), `${schema}: ${ajv.errorsText(isValid.errors)}`)
    t.notOk(isValid({ ...value, unknown: 1 }), `${schema} permits no other member`)
  }
  const [participant] = done.participants
  const device = await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })
  checkAnswer('Case', done)
  checkAnswer('AuditTrailPage', (await world.asTenant('GET', `/cases/${done.id}/events`)).json)
  checkAnswer('RegisteredDevice', device.json)
  checkAnswer(
    'CaseDefinition',
    (await world.asParticipant(participant, 'GET', 'caseDefinition')).json,
  )
  checkAnswer('ValidationReport', report.json)
})

t.test('the token counts in the header Authorization alone', async (t) => {
  const { id, participants } = await world.inProgress()
  const [{ id: participantId, signerUrl }] = participants
  for (const [path, token] of [
    [`/cases/${id}`, await world.token()],
    [`/participant/${participantId}/caseDefinition`, new URL(signerUrl).hash.slice(1)],
  ] as const) {
    t.equal((await world.ask('GET', path, { token })).status, 200)
    const inQuery = `${path}?access_token=${token}&token=${token}`
    t.equal((await world.ask('GET', inQuery)).status, 401, 'not in the query')
    const headers = { authorization: `Basic ${token}`, cookie: `token=${token}` }
    t.equal((await world.ask('GET', path, { headers })).status, 401, 'not with another scheme')
  }
})
