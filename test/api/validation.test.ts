/** Specification 7: a validation failure lists every problem; 4.1: which there are. */
import t from 'tap'
import { input, NOW, testApi, type TestApi } from '../fixtures/api.ts'
import { problemsOf, type Problem } from '../fixtures/problems.ts'

const [person] = input().participants
const withField = (field: unknown) =>
  input({ participants: [{ ...person, signatureFields: [field] }] })
const field = { page: 1, x: 10, y: 10, width: 100, height: 50, unit: 'pt' }
const fraction = { page: 1, x: 0.8, y: 0.8, width: 0.2, height: 0.2, unit: 'fraction' }
const FIELD = '/participants/0/signatureFields/0'

t.test('every problem of a body is found at once', async (t) => {
  const api = await testApi(t)
  const { statusCode, ...answer } = await api.ask('POST', '/cases', {
    body: {
      quickSign: 'yes',
      validUntil: '2020-01-01T00:00:00Z',
      callback: { url: 'nowhere', authType: 'MAGIC', signingSecret: 'short' },
      sender: { replyTo: 'x' },
      participants: [
        { firstName: 'J', email: 'j', language: 'de', signatureFields: [{ ...fraction, x: 0.9 }] },
      ],
    },
  })
  t.equal(statusCode, 400)
  const { message, validationErrors, ...rest } = answer.json()
  t.same([typeof message, rest], ['string', {}])
  for (const problem of validationErrors) {
    t.same(Object.keys(problem).sort(), ['instancePath', 'keyword', 'message', 'params'])
  }
  t.same(
    validationErrors
      .map(({ instancePath, keyword }: Problem) => `${instancePath} ${keyword}`)
      .sort(),
    [
      ' required',
      '/callback/authType enum',
      '/callback/signingSecret minLength',
      '/callback/url format',
      '/participants/0 required',
      '/participants/0/email format',
      '/participants/0/language enum',
      `${FIELD} insidePage`,
      '/quickSign type',
      '/sender/replyTo format',
      '/validUntil future',
    ],
  )
})

t.test('what the contract requires is required', async (t) => {
  const api = await testApi(t)
  t.same(await problemsOf(api, {}), [
    ' required participants',
    ' required title',
    ' required validUntil',
  ])
  t.same(await problemsOf(api, input({ participants: [{}] })), [
    '/participants/0 required email',
    '/participants/0 required firstName',
    '/participants/0 required lastName',
  ])
  t.same(
    await problemsOf(api, withField({})),
    ['height', 'page', 'unit', 'width', 'x', 'y'].map((name) => `${FIELD} required ${name}`),
  )
})

t.test('who may choose no place needs a field', async (t) => {
  const api = await testApi(t)
  const participants = [
    person,
    { ...person, signatureFields: [] },
    { ...person, signatureFields: [field] },
  ]
  t.same(await problemsOf(api, input({ ownPlaces: false, participants })), [
    '/participants/0 required signatureFields',
    '/participants/1/signatureFields minItems',
  ])
  t.same(await problemsOf(api, input({ ownPlaces: false, participants: [null, 5] })), [
    '/participants/0 type',
    '/participants/1 type',
  ])
  t.same(await problemsOf(api, input({ ownPlaces: 'no', participants })), ['/ownPlaces type'])
  for (const ownPlaces of [true, undefined]) {
    const answer = await api.ask('POST', '/cases', { body: input({ ownPlaces, participants }) })
    t.equal(answer.statusCode, 200)
  }
})

t.test('what a tenant may choose is checked', async (t) => {
  const api = await testApi(t)
  const chosen = { device: { deviceId: 'x' }, reminders: {}, multiFactorType: null }
  t.same(await problemsOf(api, input(chosen)), [
    '/device/deviceId format',
    '/multiFactorType enum',
    '/multiFactorType type',
    '/reminders required afterDays',
  ])
})

t.test('names and titles are one line that can be seen and turns nothing around', async (t) => {
  const api = await testApi(t)
  const bad = [
    '  ',
    '\u200b\u00a0',
    '\u3164',
    '\0',
    'a\nb',
    'a\u2028b',
    'a\u202eb',
    'a\u2066b\u2069',
  ]
  for (const text of bad) {
    const body = {
      title: text,
      sender: { name: text },
      participants: [{ ...person, firstName: text, lastName: text }],
    }
    t.same(
      await problemsOf(api, input(body)),
      ['/participants/0/firstName', '/participants/0/lastName', '/sender/name', '/title'].map(
        (place) => `${place} pattern`,
      ),
      encodeURIComponent(text),
    )
    const device = await api.ask('POST', '/tenant/devices', { body: { name: text } })
    t.match(device.json(), { validationErrors: [{ instancePath: '/name', keyword: 'pattern' }] })
  }
  const [blank, overridden] = ['  ', 'a\u202eb'].map((title) =>
    api.ask('POST', '/cases', { body: input({ title }) }),
  )
  t.match((await blank)?.json(), { validationErrors: [{ message: 'must not be blank' }] })
  t.match((await overridden)?.json(), { validationErrors: [{ message: /direction overrides$/ }] })
  for (const title of ['Zmluva č. 1', 'حكم\u200f', 'می\u200cخواهم', '👩\u200d👩', 'а́']) {
    t.same(await problemsOf(api, input({ title, sender: { name: '' } })), [])
  }
})

t.test('a bad value of one field is one problem, with its place and rule', async (t) => {
  const api = await testApi(t)
  const bad: readonly (readonly [string, unknown])[] = [
    ['/title minLength', input({ title: '' })],
    ['/title maxLength', input({ title: 'x'.repeat(256) })],
    ['/title type', input({ title: 5 })],
    ['/validUntil format', input({ validUntil: 'tomorrow' })],
    ['/validUntil format', input({ validUntil: '2026-11-30' })],
    ['/validUntil format', input({ validUntil: '2026-11-30 00:00:00Z' })],
    ['/validUntil format', input({ validUntil: '2026-11-30T00:00:00+0100' })],
    ['/validUntil format', input({ validUntil: '2026-11-30T00:00:00+01' })],
    ['/validUntil format', input({ validUntil: '2026-12-31T23:59:60Z' })],
    ['/validUntil format', input({ validUntil: '2027-02-30T00:00:00Z' })],
    ['/validUntil type', input({ validUntil: 1_800_000_000 })],
    ['/validUntil future', input({ validUntil: NOW })],
    ['/participants minItems', input({ participants: [] })],
    ['/participants maxItems', input({ participants: Array.from({ length: 51 }, () => person) })],
    ['/participants type', input({ participants: 'x' })],
    ['/participants/0 type', input({ participants: [null] })],
    ['/participants/0/email format', input({ participants: [{ ...person, email: 'a b@c' }] })],
    ['/participants/0/notify type', input({ participants: [{ ...person, notify: 'no' }] })],
    [
      '/participants/0/signatureFields type',
      input({ participants: [{ ...person, signatureFields: 'x' }] }),
    ],
    [
      '/participants/0/signatureFields maxItems',
      input({
        participants: [{ ...person, signatureFields: Array.from({ length: 51 }, () => field) }],
      }),
    ],
    [`${FIELD} type`, withField(null)],
    [`${FIELD}/page type`, withField({ ...field, page: 1.5 })],
    [`${FIELD}/page minimum`, withField({ ...field, page: 0 })],
    [`${FIELD}/x minimum`, withField({ ...field, x: -1 })],
    [`${FIELD}/x maximum`, withField({ ...field, x: 14_401 })],
    [`${FIELD}/x type`, withField({ ...field, x: '10' })],
    [`${FIELD}/width exclusiveMinimum`, withField({ ...field, width: 0 })],
    [`${FIELD} minimumSize`, withField({ ...field, width: 1e-9 })],
    [`${FIELD} minimumSize`, withField({ ...field, height: 3.9 })],
    [`${FIELD}/unit enum`, withField({ ...field, unit: 'mm' })],
    [`${FIELD} insidePage`, withField({ ...fraction, x: 0.81 })],
    [`${FIELD} insidePage`, withField({ ...fraction, height: 0.21 })],
    ['/sender type', input({ sender: 'ACME' })],
    [' type', '[]'],
  ]
  const headers = { 'content-type': 'application/json' }
  for (const [expected, body] of bad) {
    if (typeof body === 'string') {
      t.equal((await api.ask('POST', '/cases', { body, headers })).statusCode, 400)
    } else {
      t.same(await problemsOf(api, body), [expected])
    }
  }
})

t.test('values at the edge of the rules are taken', async (t) => {
  const api = await testApi(t)
  const good = [
    input({ title: '€'.repeat(255) }),
    input({ validUntil: '2026-11-02T09:30:00.001+01:00' }),
    input({ participants: Array.from({ length: 50 }, () => person) }),
    withField(fraction),
    withField({ ...fraction, x: 0.1, width: 0.9 + 1e-12 }),
    withField({ ...field, x: 0, y: 14_400 }),
  ]
  for (const body of good) t.same(await problemsOf(api, body), [])
})

t.test('two fields of one participant are not named alike; of two they may', async (t) => {
  const api = await testApi(t)
  const signatureFields = [{ ...field, id: 'a' }, field, { ...field, id: 'a' }]
  t.same(await problemsOf(api, input({ participants: [{ ...person, signatureFields }] })), [
    '/participants/0/signatureFields uniqueFieldIds',
  ])
  const one = { ...person, signatureFields: [{ ...field, id: 'a' }] }
  t.same(await problemsOf(api, input({ participants: [one, one] })), [])
})

/** Somebody who is reached like this. */
const reachedBy = (api: TestApi, how: object) =>
  api.ask('POST', '/cases', { body: input({ participants: [{ ...person, ...how }] }) })

t.test('4.1: a telephone number is one, however people write it', async (t) => {
  const api = await testApi(t)
  const given = (phone: string) => reachedBy(api, { phone })
  for (const phone of ['+421 900 123 456', '0900/123-456', '(02) 5930.1111', '']) {
    t.equal((await given(phone)).statusCode, 200, phone)
  }
  for (const phone of [
    'abc',
    '123',
    '+',
    '0900 123 456 or so',
    '1234567890123456',
    '+421+900123',
  ]) {
    const answer = await given(phone)
    t.equal(answer.statusCode, 400, phone)
    t.match(answer.json().validationErrors, [
      { instancePath: '/participants/0/phone', keyword: 'format', params: { format: 'phone' } },
    ])
  }
})

t.test('4.1: the domain of an address may have letters beyond ASCII', async (t) => {
  const api = await testApi(t)
  const given = (email: string) => reachedBy(api, { email })
  for (const email of ['jana@žilina.sk', 'jana.n+1@пример.рф', 'a@xn--ilina-mib.sk']) {
    const answer = await given(email)
    t.equal(answer.statusCode, 200, email)
    t.equal(answer.json().case.participants[0].email, email, 'as it was given')
  }
  for (const email of [
    'jana@žilina',
    'ž@ž.sk',
    'a b@žilina.sk',
    '@žilina.sk',
    'a@ž .sk',
    'a@ž..sk',
  ]) {
    const answer = await given(email)
    t.equal(answer.statusCode, 400, email)
  }
})
