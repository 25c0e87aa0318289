/** Specification 4.1 to 4.3: create, read and cancel a case. */
import t from 'tap'
import { MAXIMUM_CASE_BYTES } from '../../../domain/cases/case-size.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { uploadKey } from '../../../domain/cases/keys.ts'
import { isUuid, uuidV5 } from '../../../domain/ids.ts'
import {
  MAXIMUM_FIELDS_PER_PARTICIPANT,
  MAXIMUM_NAME_LENGTH,
  MAXIMUM_PARTICIPANTS,
} from '../../../domain/limits.ts'
import { BASE_URL, input, NOW, testApi } from '../../fixtures/api.ts'
import {
  CASE_ID,
  CREATED_AT,
  DOCUMENT_SHA256,
  signatureCase,
  SIGNED_AT,
  TENANT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

const path = `/cases/${CASE_ID}`
const ABSENT = '00000000-0000-4000-8000-000000000000'

t.test('4.1: a case starts NEW, with an upload URL of one hour', async (t) => {
  const api = await testApi(t)
  const { statusCode, headers, ...answer } = await api.ask('POST', '/cases', { body: input() })
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'application/json; charset=utf-8')
  const { case: created, upload } = answer.json()
  t.ok(isUuid(created.id))
  const key = uploadKey({ tenant: TENANT, caseId: created.id })
  t.same(upload, { type: 'PUT', url: `put:${key} application/pdf until 2026-11-02T09:30:00.000Z` })
  const id = uuidV5(created.id, 'participant', '0')
  const [{ signerUrl }] = created.participants
  t.ok(signerUrl.startsWith(`${BASE_URL}/sign/${id}#`), signerUrl)
  t.same(created, {
    id: created.id,
    title: 'Zmluva o dielo',
    status: 'NEW',
    created: NOW,
    validUntil: '2026-11-30T00:00:00.000Z',
    quickSign: false,
    ownPlaces: true,
    originalDocument: { name: 'Zmluva o dielo.pdf' },
    participants: [
      {
        id,
        firstName: 'Jana',
        lastName: 'Nováková',
        email: 'jana@example.com',
        notify: true,
        language: 'en',
        status: 'UNSIGNED',
        signatureFields: [],
        signerUrl,
      },
    ],
  })
})

t.test('a tenant can forbid places of the participants’ own', async (t) => {
  const api = await testApi(t)
  const [person] = input().participants
  const field = { page: 1, x: 10, y: 10, width: 100, height: 50, unit: 'pt' }
  const body = input({ ownPlaces: false, participants: [{ ...person, signatureFields: [field] }] })
  const answer = await api.ask('POST', '/cases', { body })
  const { case: created } = answer.json()
  t.equal(created.ownPlaces, false)
  t.equal((await api.ask('GET', `/cases/${created.id}`)).json().ownPlaces, false)
  const { items } = await api.cases.list({ limit: 1, tenant: TENANT })
  t.equal(items[0]?.spec.definition.ownPlaces, false)
})

t.test('4.1: what the tenant said is kept; gender and address are not returned', async (t) => {
  const api = await testApi(t)
  const field = { page: 1, x: 0.5, y: 0.5, width: 0.5, height: 0.5, unit: 'fraction' }
  const person = {
    firstName: 'Ľuboš',
    lastName: 'Šťastný',
    email: 'lubos@example.com',
    phone: '+421900123456',
    gender: 'male',
    address: { country: 'SK', city: 'Žilina', street: 'Hlavná 1', zip: '010 01' },
    notify: false,
    language: 'sk',
    signatureFields: [{ id: 'mine', ...field }, field],
  }
  const sender = { name: 'ACME', replyTo: 'acme@example.com' }
  const body = input({ quickSign: true, sender, participants: [person] })
  const { case: created } = (await api.ask('POST', '/cases', { body })).json()
  t.equal(created.quickSign, true)
  t.same(created.sender, sender)
  const [{ id, signerUrl: _, status: __, ...returned }] = created.participants
  const { gender, address, ...shown } = person
  const second = { id: uuidV5(id, 'field', '1'), ...field }
  t.same(returned, { ...shown, signatureFields: [{ id: 'mine', ...field }, second] })
  const stored = await api.cases.get({ tenant: TENANT, caseId: created.id })
  t.match(stored?.spec.definition.participants[0], { gender, address })
})

t.test('4.1: members that the contract does not name are ignored and not kept', async (t) => {
  const api = await testApi(t)
  const [person] = input().participants
  const body = input({
    color: 'red',
    sender: { name: 'ACME', color: 'red' },
    participants: [
      { ...person, id: ABSENT, color: 'red', address: { city: 'Nitra', color: 'red' } },
    ],
  })
  const { statusCode, ...answer } = await api.ask('POST', '/cases', { body })
  t.equal(statusCode, 200)
  const { id, participants } = answer.json().case
  t.not(participants[0].id, ABSENT)
  const stored = await api.cases.get({ tenant: TENANT, caseId: id })
  t.notMatch(JSON.stringify(stored), /red/)
})

t.test('4.1: optional texts that were left empty read as absent', async (t) => {
  const api = await testApi(t)
  const [person] = input().participants
  const address = { country: '', city: '', street: '', zip: '' }
  const field = { id: '', page: 1, x: 72, y: 600, width: 160, height: 48, unit: 'pt' }
  const signatureFields = [field, field]
  const empty = { ...person, phone: '', gender: '', address, signatureFields }
  const body = input({ sender: { name: '' }, participants: [empty] })
  const { statusCode, ...answer } = await api.ask('POST', '/cases', { body })
  t.equal(statusCode, 200)
  const { id, participants } = answer.json().case
  t.notOk('phone' in participants[0])
  const fieldIds = participants[0].signatureFields.map((one: { id: string }) => one.id)
  t.same(
    fieldIds,
    ['0', '1'].map((position) => uuidV5(participants[0].id, 'field', position)),
  )
  const stored = await api.cases.get({ tenant: TENANT, caseId: id })
  t.notMatch(JSON.stringify(stored), /:""/, 'the schema of the resource takes none')
  const required = await api.ask('POST', '/cases', { body: input({ title: '' }) })
  t.match(required.json().validationErrors, [{ instancePath: '/title', keyword: 'minLength' }])
})

t.test('4.1: where the request came from is kept for the trail', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  const headers = { 'user-agent': `Client/${'1'.repeat(600)}`, 'x-forwarded-for': '198.51.100.7' }
  const { case: created } = (await api.ask('POST', '/cases', { body: input(), headers })).json()
  const stored = await api.cases.get({ tenant: TENANT, caseId: created.id })
  const { ip, userAgent, at } = stored!.spec.creation
  t.same([ip, userAgent?.length, at], ['198.51.100.7', 500, NOW])
})

t.test('4.1: a case that would not fit with every signature is refused', async (t) => {
  const api = await testApi(t)
  const [person] = input().participants
  const bodyWith = (letter: string) => {
    const signatureFields = Array.from({ length: MAXIMUM_FIELDS_PER_PARTICIPANT }, (_, index) => ({
      id: String(index).padEnd(MAXIMUM_NAME_LENGTH, letter),
      ...{ page: 1, x: 72, y: 600, width: 160, height: 48, unit: 'pt' },
    }))
    const one = { ...person, signatureFields }
    return input({ participants: Array.from({ length: MAXIMUM_PARTICIPANTS }, () => one) })
  }
  t.equal((await api.ask('POST', '/cases', { body: bodyWith('x') })).statusCode, 200)
  const refused = await api.ask('POST', '/cases', { body: bodyWith('ž') })
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), {
    message: 'Validation failed',
    validationErrors: [
      {
        instancePath: '/participants',
        keyword: 'maxCaseBytes',
        params: { limit: MAXIMUM_CASE_BYTES },
        message: /^must have at most 1500000 octets/,
      },
    ],
  })
  t.equal((await api.cases.list({ limit: 10 })).items.length, 1)
})

t.test('4.1: a retry creates a second case', async (t) => {
  const api = await testApi(t)
  const ids = [0, 1].map(async () => (await api.ask('POST', '/cases', { body: input() })).json())
  const [first, second] = await Promise.all(ids)
  t.not(first.case.id, second.case.id)
})

t.test('4.2: a case reads in every status with what belongs to it', async (t) => {
  const end: Readonly<Record<string, object>> = {
    UPLOAD_REJECTED: { rejectCode: 'NOT_A_PDF', rejectReason: 'The file is not a PDF' },
    EXPIRED: { expiredAt: VALID_UNTIL },
    CANCELLED: { cancelledAt: SIGNED_AT, cancelReason: 'no longer needed' },
    FAILED: {
      failedAt: SIGNED_AT,
      failureCode: 'DOCUMENT_UNSIGNABLE',
      failureReason: 'the PDF cannot be signed',
    },
  }
  const ofEnds = [...new Set(Object.values(end).flatMap(Object.keys))]
  for (const phase of PHASES) {
    const api = await testApi(t)
    const cancellation = { at: SIGNED_AT, reason: 'no longer needed' }
    const signed = phase === 'DONE' || phase === 'FAILED' ? 2 : 0
    api.seed({ phase, signed, ...(phase === 'CANCELLED' ? { cancellation } : {}) })
    const { statusCode, ...answer } = await api.ask('GET', path)
    t.equal(statusCode, 200)
    const body = answer.json()
    t.match(body, { id: CASE_ID, status: phase, created: CREATED_AT, ...end[phase] })
    t.same(
      ofEnds.filter((name) => name in body),
      Object.keys(end[phase] ?? {}),
      phase,
    )
    t.equal('signedDocument' in body, phase === 'DONE', phase)
    t.equal('evidenceDocument' in body, phase === 'DONE', phase)
  }
})

t.test('4.2: the documents of a DONE case come with links of 15 minutes', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2, definition: { title: 'A/B: \u202ex' } })
  const body = (await api.ask('GET', path)).json()
  const until = 'until 2026-11-02T08:45:00.000Z'
  const level = 'PAdES-BASELINE-LTA'
  t.same(body.originalDocument, {
    name: 'A B x.pdf',
    size: 4096,
    sha256: DOCUMENT_SHA256,
    url: `get:document.pdf as A B x.pdf ${until}`,
  })
  t.same(body.signedDocument, {
    name: 'A B x-signed.pdf',
    size: 9000,
    sha256: 'a'.repeat(64),
    level,
    url: `get:outcome as A B x-signed.pdf ${until}`,
  })
  t.same(body.evidenceDocument, {
    name: 'A B x-evidence.pdf',
    size: 9000,
    sha256: 'b'.repeat(64),
    level,
    url: `get:evidence.pdf as A B x-evidence.pdf ${until}`,
  })
})

t.test('4.2: a signature shows at once, and a forged one never', async (t) => {
  const api = await testApi(t)
  const { spec } = signatureCase({ phase: 'IN_PROGRESS', signed: 2 })
  const [first, second] = spec.signatures
  const forged = {
    ...second!,
    signature: { ...second!.signature, value: '0'.repeat(128) },
  }
  api.seed({ phase: 'IN_PROGRESS', signatures: [first!, forged] })
  const { participants } = (await api.ask('GET', path)).json()
  t.match(participants[0], { status: 'SIGNED', signedAt: SIGNED_AT })
  t.match(participants[1], { status: 'UNSIGNED', signedAt: undefined })
})

t.test('4.2: a case past validUntil is EXPIRED though the controller sleeps', async (t) => {
  const api = await testApi(t)
  for (const phase of ['NEW', 'IN_PROGRESS'] as const) {
    api.seed({ phase })
    await api.timers.moveTo(Date.parse(VALID_UNTIL) - 1)
    const token = await api.tenantToken()
    t.equal((await api.ask('GET', path, { token })).json().status, phase)
    await api.timers.moveTo(Date.parse(VALID_UNTIL) + 2000)
    t.match((await api.ask('GET', path, { token })).json(), {
      status: 'EXPIRED',
      expiredAt: VALID_UNTIL,
    })
    await api.timers.moveTo(NOW)
  }
})

t.test('4.2: an id is read in either case', async (t) => {
  const api = await testApi(t)
  api.seed()
  t.equal((await api.ask('GET', `/cases/${CASE_ID.toUpperCase()}`)).statusCode, 200)
})

t.test('4.2 and 4.3: no such case, or none that is a UUID: 404 in plain text', async (t) => {
  const api = await testApi(t)
  const ids = [ABSENT, 'x', '..%2f..', CASE_ID.replaceAll('-', ''), 'a'.repeat(8_000)]
  for (const id of ids) {
    for (const method of ['GET', 'DELETE']) {
      const { statusCode, headers, body } = await api.ask(method, `/cases/${id}`)
      t.equal(statusCode, 404)
      t.match(headers['content-type'], /^text\/plain/)
      t.match(body, /not found/i)
    }
  }
  const { statusCode } = await api.ask('GET', `/cases/${'a'.repeat(300)}`, { token: '' })
  t.equal(statusCode, 401, 'the token is asked for first')
})

t.test(
  '4.3: NEW and IN_PROGRESS are cancelled in the answer itself, with the reason',
  async (t) => {
    for (const phase of ['NEW', 'IN_PROGRESS'] as const) {
      const api = await testApi(t)
      api.seed({ phase })
      const { statusCode, ...answer } = await api.ask('DELETE', path, {
        body: { reason: 'mistake' },
      })
      t.equal(statusCode, 200)
      const cancelled = { status: 'CANCELLED', cancelledAt: NOW, cancelReason: 'mistake' }
      t.match(answer.json(), cancelled)
      t.match((await api.ask('GET', path)).json(), cancelled, 'it stays so')
      const stored = await api.stored()
      t.match(stored?.spec.cancellation, { at: NOW, reason: 'mistake', ip: '127.0.0.1' })
      t.equal(stored?.status?.phase ?? 'NEW', phase, 'the controller alone writes the status')
    }
  },
)

t.test('4.3: the body may be left out or empty', async (t) => {
  const json = { 'content-type': 'application/json' }
  for (const asked of [{}, { headers: json, body: '' }, { body: {} }, { body: { reason: '' } }]) {
    const api = await testApi(t)
    api.seed()
    const { statusCode, ...answer } = await api.ask('DELETE', path, asked)
    t.equal(statusCode, 200)
    t.notOk('cancelReason' in answer.json())
  }
})

t.test('4.3: a case past NEW and IN_PROGRESS: 409 with its status', async (t) => {
  for (const status of PHASES.filter((phase) => phase !== 'NEW' && phase !== 'IN_PROGRESS')) {
    const api = await testApi(t)
    api.seed({ phase: status })
    const { statusCode, ...answer } = await api.ask('DELETE', path)
    t.equal(statusCode, 409)
    t.match(answer.json(), { code: 'CASE_NOT_CANCELLABLE', message: /cancelled/, status })
  }
})

t.test('4.3: a second cancellation is refused and changes nothing', async (t) => {
  const api = await testApi(t)
  api.seed()
  await api.ask('DELETE', path, { body: { reason: 'first' } })
  const again = await api.ask('DELETE', path, { body: { reason: 'second' } })
  t.match(again.json(), { code: 'CASE_NOT_CANCELLABLE', status: 'CANCELLED' })
  t.equal((await api.stored())?.spec.cancellation?.reason, 'first')
})

t.test('4.3: a bad body is refused with 400, after 404 and 409', async (t) => {
  const api = await testApi(t)
  const body = { reason: 7 }
  t.equal((await api.ask('DELETE', `/cases/${ABSENT}`, { body })).statusCode, 404)
  api.seed({ phase: 'DONE' })
  t.equal((await api.ask('DELETE', path, { body })).statusCode, 409)
  api.seed()
  const { statusCode, ...answer } = await api.ask('DELETE', path, { body })
  t.equal(statusCode, 400)
  t.match(answer.json().validationErrors, [{ instancePath: '/reason', keyword: 'type' }])
  const headers = { 'content-type': 'application/json' }
  for (const wrong of ['null', '[]', '"x"', '1']) {
    const refused = await api.ask('DELETE', path, { body: wrong, headers })
    t.equal(refused.statusCode, 400, wrong)
    t.match(refused.json().validationErrors, [{ instancePath: '', keyword: 'type' }], wrong)
  }
  t.equal((await api.stored())?.spec.cancellation, undefined)
})

t.test('warnings about the upload are for the tenant, not for participants', async (t) => {
  const api = await testApi(t)
  const warnings = [{ code: 'SIGNATURE_BROKEN' as const, fieldName: 'Podpis 1' }]
  const document = { sha256: DOCUMENT_SHA256, size: 4096, pageCount: 2, acceptedAt: SIGNED_AT }
  api.seed({ phase: 'IN_PROGRESS', status: { document: { ...document, warnings } } })
  t.same((await api.ask('GET', path)).json().originalDocument.warnings, warnings)
  const [listed] = (await api.ask('GET', '/cases')).json().cases
  t.same(listed.originalDocument.warnings, warnings)
  const { statusCode, body } = await api.asParticipant(1, 'GET', 'caseDefinition')
  t.equal(statusCode, 200)
  t.notMatch(body, 'SIGNATURE_BROKEN')
  api.seed({ phase: 'IN_PROGRESS', status: { document } })
  t.notOk('warnings' in (await api.ask('GET', path)).json().originalDocument)
})
