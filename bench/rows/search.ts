/**
 * Row `search`: pages of found cases with 20,000 cases on one machine, compared with the bare
 * queries of the same rows in the same database, and with a store of 200 cases.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { listCases } from '../../application/cases/list-cases.ts'
import type { CaseFilter, CaseSort } from '../../domain/ports/case-index.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { CASE_ID, keyring, signatureCase, TENANT } from '../../test/fixtures/signature-case.ts'
import { alternate, repeated } from '../measure.ts'
import type { RowReport } from '../report.ts'
import { fillStore, type StoredCase } from './fill-store.ts'

const MANY = 20_000
const FEW = 200
const PAGE = 20
const REPEATS = 20
/** Every store has 20 cases in the rare state. */
const RARE = 20

interface World {
  path: string
  store: SqliteCaseStore
}

function* storedCases(count: number): Generator<StoredCase> {
  const { spec, status } = signatureCase({ phase: 'DONE', signed: 2 })
  const texts = ['DONE', 'FAILED'].map((phase) => JSON.stringify({ ...status, phase }))
  for (let n = 0; n < count; n++) {
    const at = new Date(Date.parse('2026-11-02T08:00:00Z') + n * 1_000).toISOString()
    const own = { ...spec, creation: { ...spec.creation, at } }
    const text = texts[n % (count / RARE) === 0 ? 1 : 0] as string
    yield { caseId: uuidV5(CASE_ID, String(n)), spec: JSON.stringify(own), status: text }
  }
}

function openStore(folder: string, count: number): World {
  const path = join(folder, `${count}.sqlite`)
  fillStore(path, storedCases(count))
  return { path, store: new SqliteCaseStore(path, () => new Date()) }
}

interface Asked {
  filter?: CaseFilter
  sort?: CaseSort
}

const deps = ({ store }: World) => ({
  cases: store,
  keyring,
  now: () => new Date('2026-11-20T00:00:00Z'),
  index: store.index,
})

function listing(world: World, { filter = {}, sort = 'ID' }: Asked) {
  const request = { tenant: TENANT, limit: PAGE, filter, sort }
  return repeated(REPEATS, () => listCases(request, deps(world)))
}

/** The rows of the rare state and their cases, by two statements. */
function bareQuery({ path }: World) {
  const database = new DatabaseSync(path)
  const find = database.prepare(
    `SELECT case_id FROM case_row WHERE tenant = ? AND phase = ? ORDER BY case_id LIMIT ${PAGE}`,
  )
  const read = database.prepare('SELECT * FROM signature_case WHERE tenant = ? AND case_id = ?')
  const run = repeated(REPEATS, () => {
    for (const row of find.all(TENANT, 'FAILED')) {
      const one = read.get(TENANT, String(row.case_id))
      JSON.parse(String(one?.spec))
      JSON.parse(String(one?.status))
    }
  })
  return { run, close: () => database.close() }
}

async function compare(many: World, few: World): Promise<RowReport> {
  const bare = bareQuery(many)
  const rare = { filter: { phases: ['FAILED'] } } as const
  const { cases } = await listCases(
    { tenant: TENANT, limit: PAGE, sort: 'ID', ...rare },
    deps(many),
  )
  const times = await alternate({
    floor: bare.run,
    few: listing(few, rare),
    status: listing(many, rare),
    words: listing(many, { filter: { words: ['nowhere'] } }),
    newest: listing(many, { sort: 'CREATED_DESC' }),
  })
  bare.close()
  const each = (milliseconds: number) => `${milliseconds.toFixed(2)} ms`
  const measured =
    `state ${each(times.status)}, newest ${each(times.newest)}, ` +
    `words that are nowhere ${each(times.words)}, bare queries ${each(times.floor)}`
  return {
    measured,
    figures: [
      { of: '× the bare queries', value: times.status / times.floor, better: 'less', must: 8 },
      { of: '× with 200 cases', value: times.status / times.few, better: 'less', must: 2 },
      { of: 'ms', value: times.status, better: 'less', must: 2, informative: true },
    ],
    ...(cases.length === RARE ? {} : { void: `${cases.length} of ${RARE} cases found` }),
  }
}

export async function search(): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-search-'))
  const [many, few] = [openStore(folder, MANY), openStore(folder, FEW)]
  try {
    return await compare(many, few)
  } finally {
    for (const { store } of [many, few]) store.close()
    rmSync(folder, { recursive: true })
  }
}
