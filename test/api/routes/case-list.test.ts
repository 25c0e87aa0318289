/** `GET /cases` (decision 52). */
import t from 'tap'
import { PHASES, type Phase } from '../../../domain/cases/status.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import {
  CASE_ID,
  DOCUMENT_SHA256,
  signatureCase,
  TENANT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

/** @returns the ids, in order */
function seedMany(api: TestApi, count: number, phaseOf: (index: number) => Phase, tenant = TENANT) {
  const ids = Array.from({ length: count }, (_, index) => uuidV5(CASE_ID, tenant, String(index)))
  for (const [index, name] of ids.entries()) {
    const one = signatureCase({ phase: phaseOf(index) })
    api.cases.seed({ ...one, metadata: { ...one.metadata, name, namespace: tenant } })
  }
  return ids.sort()
}

interface Page {
  cases: { id: string; status: Phase }[]
  nextCursor?: string
}

async function listPages(api: TestApi, query: string): Promise<Page[]> {
  const pages: Page[] = []
  let cursor = ''
  do {
    const answer = await api.ask('GET', `/cases?${query}${cursor && `&cursor=${cursor}`}`)
    pages.push(answer.json())
    cursor = pages.at(-1)?.nextCursor ?? ''
  } while (cursor !== '' && pages.length < 100)
  return pages
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ cases }) => cases.map(({ id }) => id))

t.test('a tenant sees its own cases, each once, in order of their ids', async (t) => {
  const api = await testApi(t)
  const ids = seedMany(api, 250, () => 'NEW')
  seedMany(api, 30, () => 'NEW', 'another')
  for (const [query, sizes] of [
    ['', [100, 100, 50]],
    ['limit=100', [100, 100, 50]],
    ['limit=90', [90, 90, 70]],
    ['limit=50', [50, 50, 50, 50, 50]],
  ] as const) {
    const pages = await listPages(api, query)
    t.same(
      pages.map(({ cases }) => cases.length),
      sizes,
    )
    t.same(idsOf(pages), ids)
  }
  t.same((await api.ask('GET', '/cases', { token: await api.tenantToken('none') })).json(), {
    cases: [],
  })
})

t.test('a listed case is as it reads alone, without links to documents', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2, definition: { sender: { name: 'ACME' } } })
  const { statusCode, ...answer } = await api.ask('GET', '/cases')
  t.equal(statusCode, 200)
  const { signedDocument, evidenceDocument, ...alone } = (
    await api.ask('GET', `/cases/${CASE_ID}`)
  ).json()
  t.ok(signedDocument && evidenceDocument)
  const original = { name: 'Zmluva o dielo.pdf', size: 4096, sha256: DOCUMENT_SHA256 }
  t.same(answer.json(), { cases: [{ ...alone, originalDocument: original }] })
})

t.test('with a status, only cases that read so now', async (t) => {
  const api = await testApi(t)
  const ids = seedMany(api, 210, (index) => PHASES[index % PHASES.length] as Phase)
  const all = (await listPages(api, '')).flatMap(({ cases }) => cases)
  for (const status of PHASES) {
    const expected = all.filter((one) => one.status === status).map(({ id }) => id)
    t.equal(expected.length, 30)
    for (const limit of [1, 7, 30, 100]) {
      const pages = await listPages(api, `status=${status}&limit=${limit}`)
      t.same(idsOf(pages), expected, `${status} by ${limit}`)
      t.ok(pages.every(({ cases }) => cases.length <= limit))
    }
  }
  await api.timers.moveTo(Date.parse(VALID_UNTIL) + 2000)
  const expired = await listPages(api, 'status=EXPIRED')
  t.equal(idsOf(expired).length, 90, 'NEW and IN_PROGRESS are EXPIRED though their status is not')
  t.same(idsOf(await listPages(api, 'status=NEW')), [])
  t.equal(ids.length, 210)
})

t.test('one request reads a thousand cases at most; then it says where to go on', async (t) => {
  const api = await testApi(t)
  const ids = seedMany(api, 2_100, () => 'NEW')
  const last = await api.cases.get({ tenant: TENANT, caseId: ids.at(-1)! })
  await api.cases.replaceStatus({ ...last!, status: signatureCase({ phase: 'DONE' }).status! })
  const pages = await listPages(api, 'status=DONE&limit=1')
  t.same(
    pages.map(({ cases }) => cases.length),
    [0, 0, 1],
  )
})

t.test('cases that come and go meanwhile move nothing', async (t) => {
  const api = await testApi(t)
  const ids = seedMany(api, 60, (index) => (index % 2 === 0 ? 'NEW' : 'DONE'))
  const first: Page = (await api.ask('GET', '/cases?status=NEW&limit=10')).json()
  const early = signatureCase({ phase: 'NEW' })
  const name = '00000000-0000-4000-8000-000000000000'
  api.cases.seed({ ...early, metadata: { ...early.metadata, name } })
  const url = `/cases?status=NEW&limit=100&cursor=${first.nextCursor}`
  const rest: Page = (await api.ask('GET', url)).json()
  const seen = idsOf([first, rest])
  t.equal(seen.length, 30)
  t.equal(new Set(seen).size, 30)
  t.ok(seen.every((id) => ids.includes(id)))
})

t.test('limit, status and cursor are checked', async (t) => {
  const api = await testApi(t)
  seedMany(api, 5, () => 'NEW')
  for (const limit of ['0', '101', '-1', '1e1', '', 'x', '1&limit=2']) {
    const { statusCode, ...answer } = await api.ask('GET', `/cases?limit=${limit}`)
    t.equal(statusCode, 400)
    t.match(answer.json(), { code: 'INVALID_LIMIT' }, limit)
  }
  for (const status of ['new', '', 'OPEN', 'NEW&status=DONE']) {
    const { statusCode, ...answer } = await api.ask('GET', `/cases?status=${status}`)
    t.equal(statusCode, 400)
    t.match(answer.json().validationErrors, [{ instancePath: '/status', keyword: 'enum' }], status)
  }
  const own = (await api.ask('GET', '/cases?limit=2')).json().nextCursor as string
  const bad = ['', 'x', own.slice(1), `${own}A`, `${own}&cursor=${own}`, `${own}&status=NEW`]
  for (const cursor of bad) {
    const { statusCode, ...answer } = await api.ask('GET', `/cases?cursor=${cursor}`)
    t.equal(statusCode, 400)
    t.match(answer.json(), { code: 'INVALID_CURSOR' }, cursor)
  }
  const token = await api.tenantToken('other')
  const foreign = await api.ask('GET', `/cases?cursor=${own}`, { token })
  t.match(foreign.json(), { code: 'INVALID_CURSOR' })
  t.equal((await api.ask('GET', '/cases', { token: 'x' })).statusCode, 401)
})
