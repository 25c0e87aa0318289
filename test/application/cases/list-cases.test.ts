/** Listings by the index and by a scan answer the same (decision 233). */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { listCases, type ListRequest } from '../../../application/cases/list-cases.ts'
import type { ListDeps } from '../../../application/cases/listing.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { PHASES, type Phase } from '../../../domain/cases/status.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import type { CaseIndex } from '../../../domain/ports/case-index.ts'
import type { CaseKey, CaseStore } from '../../../domain/ports/stores.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import {
  CASE_ID,
  keyring,
  signatureCase,
  TENANT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

interface World {
  cases: MemoryCaseStore
  index: SqliteCaseIndex
  now: Date
  /** What {@link listAll} lists with. */
  deps(index?: CaseIndex): ListDeps
}

/** Many cases of all states, created on different days, each with its row. */
function openWorld(t: Test, count: number): World {
  const cases = new MemoryCaseStore()
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  for (let n = 0; n < count; n++) {
    const at = new Date(Date.parse('2026-11-02T08:00:00Z') + (n % 9) * 86_400_000).toISOString()
    const phase = PHASES[n % PHASES.length] as Phase
    const { metadata, spec, ...one } = signatureCase({ phase, definition: { title: `N ${n}` } })
    const name = uuidV5(CASE_ID, 'listed', String(n))
    const seeded = cases.seed({
      ...one,
      metadata: { ...metadata, name },
      spec: { ...spec, creation: { ...spec.creation, at } },
    })
    index.write(rowOf(seeded)!)
  }
  const world = { cases, index, now: new Date('2026-11-20T00:00:00Z') }
  const deps = (found?: CaseIndex) => ({ cases, keyring, now: () => world.now, index: found })
  return Object.assign(world, { deps })
}

type Asked = Partial<Omit<ListRequest, 'tenant'>>

async function listAll(asked: Asked, deps: (page: number) => ListDeps): Promise<string[]> {
  const request = { tenant: TENANT, limit: 10, filter: {}, sort: 'ID', ...asked } as const
  const ids: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 100; page++) {
    const answer = await listCases({ ...request, cursor }, deps(page))
    ids.push(...answer.cases.map(({ key }) => key.caseId))
    cursor = answer.nextCursor
    if (cursor === undefined) return ids
  }
  throw new Error('the listing does not end')
}

const broken = {
  find: () => Promise.reject(new Error('away')),
} as unknown as CaseIndex

t.test('the index and a scan find the same, also within one listing', async (t) => {
  const world = openWorld(t, 280)
  for (const nowText of ['2026-11-20T00:00:00Z', VALID_UNTIL]) {
    world.now = new Date(nowText)
    for (const filter of [
      { phases: ['DONE'] },
      { phases: ['EXPIRED'] },
      { phases: ['NEW', 'EXPIRED'] },
      { phases: [] },
      { words: ['n', '7'] },
      { email: 'p2@example.com', createdFromMs: Date.parse('2026-11-08T00:00:00Z') },
    ] as const) {
      const scanned = await listAll({ filter }, () => world.deps())
      t.same(await listAll({ filter }, () => world.deps(world.index)), scanned)
      const alternating = (page: number) => world.deps(page % 2 === 0 ? world.index : broken)
      t.same(await listAll({ filter }, alternating), scanned, 'while the index comes and goes')
    }
  }
})

t.test('without a filter, a listing by id reads no index', async (t) => {
  const world = openWorld(t, 25)
  t.equal((await listAll({}, () => world.deps(broken))).length, 25)
})

t.test('archived cases are listed with the others, each once', async (t) => {
  const world = openWorld(t, 60)
  const ids = await listAll({}, () => world.deps())
  const archived = new Map<string, SignatureCase>()
  for (const [n, caseId] of ids.entries()) {
    if (n % 3 !== 0 && n < 50) continue
    const found = (await world.cases.get({ tenant: TENANT, caseId }))!
    archived.set(caseId, found)
    world.index.write({ ...rowOf(found)!, isArchived: true })
    // One is between the two steps of archiving.
    if (n !== 30) await world.cases.delete({ tenant: TENANT, caseId })
  }
  const { cases } = world
  const read = {
    list: cases.list.bind(cases),
    get: async (key: CaseKey) => (await cases.get(key)) ?? archived.get(key.caseId),
  } as unknown as CaseStore
  for (const limit of [1, 7, 100]) {
    const deps = () => ({ ...world.deps(world.index), cases: read })
    t.same(await listAll({ limit }, deps), ids, `by ${limit}`)
    const filter = { words: ['n'] }
    t.same(await listAll({ limit, filter }, deps), ids, `by ${limit}, filtered`)
  }
})

t.test('rows of archived cases that are gone do not end a listing', async (t) => {
  const world = openWorld(t, 40)
  const { cases } = world
  const archived = new Map<string, SignatureCase>()
  const ids = await listAll({}, () => world.deps())
  const gone = ids.filter((_, n) => n === 0 || (n > 4 && n < 20) || n === 30)
  for (const [n, caseId] of ids.entries()) {
    const found = (await cases.get({ tenant: TENANT, caseId }))!
    if (n % 8 === 3) continue
    if (!gone.includes(caseId)) archived.set(caseId, found)
    world.index.write({ ...rowOf(found)!, isArchived: true })
    await cases.delete({ tenant: TENANT, caseId })
  }
  const read = {
    list: cases.list.bind(cases),
    get: async (key: CaseKey) => (await cases.get(key)) ?? archived.get(key.caseId),
  } as unknown as CaseStore
  const left = ids.filter((id, n) => n % 8 === 3 || !gone.includes(id))
  for (const limit of [1, 2, 7, 100]) {
    const deps = () => ({ ...world.deps(world.index), cases: read })
    t.same(await listAll({ limit }, deps), left, `by ${limit}`)
  }
})

t.test('by time, newest first or last', async (t) => {
  const world = openWorld(t, 40)
  const oldest = await listAll({ sort: 'CREATED_ASC' }, () => world.deps(world.index))
  const newest = await listAll({ sort: 'CREATED_DESC' }, () => world.deps(world.index))
  t.same(newest, oldest.toReversed())
  const times = await Promise.all(
    oldest.map(async (caseId) => (await world.cases.get({ tenant: TENANT, caseId }))!),
  )
  const created = times.map(({ spec }) => spec.creation.at)
  t.same(created, created.toSorted())
  t.equal(created.length, 40)
})

t.test('an order by time needs the index', async (t) => {
  const world = openWorld(t, 1)
  const asked = { sort: 'CREATED_ASC' } as const
  await t.rejects(
    listAll(asked, () => world.deps()),
    { code: 'INDEX_REQUIRED' },
  )
  await t.rejects(
    listAll(asked, () => world.deps(broken)),
    { code: 'TIMEOUT' },
  )
})

t.test('a listing trusts the case and not its row', async (t) => {
  const world = openWorld(t, 14)
  const all = await listAll({ filter: { phases: ['DONE'] } }, () => world.deps(world.index))
  t.equal(all.length, 2)
  const [changed, gone] = all as [string, string]
  const found = (await world.cases.get({ tenant: TENANT, caseId: changed }))!
  await world.cases.replaceStatus({ ...found, status: { ...found.status!, phase: 'FAILED' } })
  await world.cases.delete({ tenant: TENANT, caseId: gone })
  const listed = await listAll({ filter: { phases: ['DONE'] }, limit: 1 }, () =>
    world.deps(world.index),
  )
  t.same(listed, [])
})

t.test('a cursor works in its own listing alone', async (t) => {
  const world = openWorld(t, 30)
  const base = { tenant: TENANT, limit: 2, filter: { words: ['n'] }, sort: 'ID' } as const
  const { nextCursor: cursor } = await listCases(base, world.deps(world.index))
  t.ok(cursor)
  for (const other of [
    { filter: {} },
    { filter: { words: ['n', 'p'] } },
    { filter: { phases: [] } },
    { sort: 'CREATED_DESC' as const },
    { tenant: 'other' },
  ]) {
    const asked = listCases({ ...base, ...other, cursor }, world.deps(world.index))
    await t.rejects(asked, { code: 'INVALID_CURSOR' })
  }
})
