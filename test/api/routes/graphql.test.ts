/** `POST /graphql` (design 4). */
import { DatabaseSync } from 'node:sqlite'
import { getIntrospectionQuery } from 'graphql'
import t from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { CASE_ID, signatureCase } from '../../fixtures/signature-case.ts'
import { cpuMs } from '../../fixtures/cpu-time.ts'
import { problemsIn } from '../../fixtures/problems.ts'

interface Answered {
  data: Record<string, Record<string, unknown> & unknown[]> | null
  errors?: { message: string; path?: string[]; extensions?: Record<string, unknown> }[]
}

async function query(api: TestApi, text: string, variables = {}, token?: string) {
  const asked = await api.ask('POST', '/graphql', {
    body: { query: text, variables },
    ...(token === undefined ? {} : { token }),
  })
  return { status: asked.statusCode, ...(asked.json() as Answered) }
}

const CASE = `query ($id: ID!) { case(id: $id) {
  id title status created validUntil quickSign sender { name }
  originalDocument { name size sha256 url }
  participants { id firstName email signerUrl status signatureFields { id page x } }
} }`

t.test('a case reads as by REST', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 1, definition: { sender: { name: 'ACME' } } })
  const { data, errors } = await query(api, CASE, { id: CASE_ID })
  t.equal(errors, undefined)
  const rest = await api.ask('GET', `/cases/${CASE_ID}`)
  t.match(rest.json(), data?.['case'])
  t.equal(data?.['case']?.['status'], 'IN_PROGRESS')
})

t.test('events, deliveries, kiosks and pages of cases read as by REST', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  const { data, errors } = await query(
    api,
    `query ($id: ID!) {
      cases(status: "DONE", first: 1) { cases { id status } nextCursor }
      events(caseId: $id, first: 1) { events { eventId type data } nextCursor }
      deliveries(caseId: $id) { eventId state attempts { round } }
      devices { devices { deviceId name } nextCursor }
    }`,
    { id: CASE_ID },
  )
  t.equal(errors, undefined)
  t.same(data?.['cases'], { cases: [{ id: CASE_ID, status: 'DONE' }], nextCursor: null })
  const events = (await api.ask('GET', `/cases/${CASE_ID}/events?limit=1`)).json()
  t.match(events, data?.['events'])
  t.ok(data?.['events']?.['nextCursor'])
  const more = `query ($id: ID!, $at: String) {
    events(caseId: $id, after: $at) { events { type } }
  }`
  const next = await query(api, more, { id: CASE_ID, at: data?.['events']?.['nextCursor'] })
  t.equal(next.errors, undefined)
  const { deliveries } = (await api.ask('GET', `/cases/${CASE_ID}/deliveries`)).json()
  t.match(deliveries, data?.['deliveries'])
})

t.test("another tenant's case is not found, nor is anything without a token", async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const asked = `{ case(id: "${CASE_ID}") { id } events(caseId: "${CASE_ID}") { nextCursor }
    deliveries(caseId: "${CASE_ID}") { state } cases { cases { id } } }`
  const other = await query(api, asked, {}, await api.tenantToken('other'))
  t.same(other.data, { case: null, events: null, deliveries: null, cases: { cases: [] } })
  t.same(
    other.errors?.map(({ message }) => message),
    ['Case not found', 'Case not found', 'Case not found'],
  )
  t.equal((await query(api, '{ __schema { types { name } } }', {}, '')).status, 401)
})

t.test('what REST refuses is refused with the same code', async (t) => {
  const api = await testApi(t)
  for (const [asked, code] of [
    ['{ cases(first: 0) { nextCursor } }', 'INVALID_LIMIT'],
    ['{ cases(after: "x") { nextCursor } }', 'INVALID_CURSOR'],
  ] as const) {
    const { errors } = await query(api, asked)
    t.equal(errors?.[0]?.extensions?.['code'], code)
  }
  t.ok((await query(api, '{ cases(status: "X") { nextCursor } }')).errors?.[0]?.extensions)
})

t.test('a failure is logged and not shown', async (t) => {
  const api = await testApi(t)
  api.cases.list = async () => Promise.reject(new Error('secret-host refused'))
  const { errors } = await query(api, '{ cases { nextCursor } }')
  t.equal(errors?.[0]?.message, 'Internal Server Error')
  t.match(api.log.join(''), 'secret-host')
})

t.test('a tenant may look at the types, and only read', async (t) => {
  const api = await testApi(t)
  const { data, errors } = await query(api, getIntrospectionQuery())
  t.equal(errors, undefined)
  const schema = data?.['__schema'] as Record<string, unknown>
  t.same(schema['queryType'], { name: 'Query', kind: 'OBJECT' })
  t.equal(schema['mutationType'], null)
  t.same(schema['subscriptionType'], { name: 'Subscription', kind: 'OBJECT' })
})

t.test('hostile queries are refused before anything is read, and soon', async (t) => {
  const api = await testApi(t)
  api.cases.get = async () => t.fail('a store was read') as never
  api.cases.list = async () => t.fail('a store was read') as never
  const field = `case(id: "${CASE_ID}") { id }`
  const circles = 'fields { type { '.repeat(6)
  for (const [name, text] of Object.entries({
    aliases: `{ ${Array.from({ length: 6 }, (_, n) => `a${n}: ${field}`).join(' ')} }`,
    'aliases in a fragment': `{ ${'...F '.repeat(6)} } fragment F on Query { ${field} }`,
    depth: `{ ${'a { '.repeat(800)} a ${'} '.repeat(800)} }`,
    'fields without end': `{ cases { ${'nextCursor '.repeat(450)} } }`.repeat(2).slice(0, 5000),
    'many fields': `{ cases { ${'a '.repeat(1900)} } }`,
    circle: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A ...A }',
    introspection: `{ __schema { types { ${circles} name ${'} } '.repeat(6)} } } }`,
    mutation: 'mutation { case(id: "x") { id } }',
    subscription: 'subscription { case(id: "x") { id } }',
    'a tree instead of a text': '{"kind":"Document","definitions":[{"kind":"Field"}]}',
    'no text': 'null',
    nothing: '',
    unknown: '{ secrets { pin } }',
    'without its variable': 'query ($id: ID!) { case(id: $id) { id } }',
  })) {
    const startedMs = cpuMs()
    const { status, data, errors } = await query(api, text)
    t.equal(status, 200, name)
    t.equal(data, null, name)
    t.ok(errors && errors.length > 0 && errors.length <= 100, name)
    t.ok(cpuMs() - startedMs < 1000, `${name} in time`)
  }
  const long = await query(api, 'x'.repeat(5001))
  t.equal(long.status, 400)
  t.notOk(
    api.log.some((line) => line.includes('"level":50')),
    'nothing unexpected',
  )
})

t.test('queries are throttled as other requests of a tenant', async (t) => {
  const api = await testApi(t, { requestsPerMinute: { public: 5, tenant: 2 } })
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) statuses.push((await query(api, '{ cases { nextCursor } }')).status)
  t.same(statuses, [200, 200, 429])
})

const FOUND = `query (
  $filter: CaseFilter, $search: String, $sort: CaseSort, $first: Int, $after: String
) {
  cases(filter: $filter, search: $search, sort: $sort, first: $first, after: $after) {
    cases { id } nextCursor
  }
}`

t.test('cases are filtered, searched and sorted by the index', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  const api = await testApi(t, { index })
  const ids = ['DONE', 'NEW', 'DONE'].map((phase, n) => {
    const { metadata, spec, ...one } = signatureCase({ phase: phase as 'DONE' })
    const name = uuidV5(CASE_ID, 'found', String(n))
    const creation = { ...spec.creation, at: `2026-11-0${3 - n}T00:00:00Z` }
    const definition = { ...spec.definition, title: `Nájomná ZMLUVA č${n}` }
    const seeded = {
      ...one,
      metadata: { ...metadata, name },
      spec: { ...spec, creation, definition },
    }
    index.write(rowOf(api.cases.seed(seeded))!)
    return name
  })
  const find = async (variables: Record<string, unknown>) => {
    const { data, errors } = await query(api, FOUND, variables)
    t.equal(errors, undefined)
    const found = data?.['cases']?.['cases'] as { id: string }[] | undefined
    return found?.map(({ id }) => ids.indexOf(id))
  }
  t.same(await find({ sort: 'CREATED_ASC' }), [2, 1, 0])
  t.same(await find({ sort: 'CREATED_DESC', filter: { status: ['DONE'] } }), [0, 2])
  t.same(await find({ search: 'najomna  zmluva C1' }), [1])
  t.same(await find({ search: '  ', sort: 'CREATED_DESC', first: 2 }), [0, 1])
  const times = { createdFrom: '2026-11-02T00:00:00Z', createdBefore: '2026-11-03T00:00:00Z' }
  t.same(await find({ filter: times }), [1])
  t.equal((await find({ filter: { participantEmail: 'P1@Example.com' } }))?.length, 3)
  t.same(await find({ filter: { participantEmail: '1@example.com' } }), [])
  t.equal((await find({ filter: { status: null }, search: null, sort: null }))?.length, 3)
  t.same(await find({ search: '🖋'.repeat(200) }), [], 'characters are counted, not their halves')
  const both = `{ cases(status: "NEW", filter: { status: ["DONE"] }) { cases { id } } }`
  t.same((await query(api, both)).data?.['cases'], { cases: [] })
  for (const [variables, instancePath] of [
    [{ filter: { status: ['DONE', 'OPEN'] } }, '/filter/status/1'],
    [{ filter: { createdFrom: '2026-11-02' } }, '/filter/createdFrom'],
    [{ filter: { createdBefore: '2026-13-02T00:00:00Z' } }, '/filter/createdBefore'],
    [{ filter: { createdBefore: '2026-11-02T00:00:00+0100' } }, '/filter/createdBefore'],
    [{ search: 'x'.repeat(201) }, '/search'],
    [{ search: '🖋'.repeat(201) }, '/search'],
  ] as const) {
    const { errors } = await query(api, FOUND, variables)
    t.match(errors?.[0]?.extensions?.['validationErrors'], [{ instancePath }])
  }
})

t.test('without the index, an order by time is refused and a search reads the store', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'NEW' })
  const sorted = await query(api, FOUND, { sort: 'CREATED_DESC' })
  t.equal(sorted.errors?.[0]?.extensions?.['code'], 'INDEX_REQUIRED')
  const { data } = await query(api, FOUND, { search: 'zmluva dielo' })
  t.same(data?.['cases']?.['cases'], [{ id: CASE_ID }])
})

t.test('texts that are not Unicode are refused as in other bodies', async (t) => {
  const api = await testApi(t)
  const body = { query: FOUND, variables: { search: 'a\ud800' } }
  t.same(await problemsIn(api.ask('POST', '/graphql', { body })), ['/variables/search format'])
})
