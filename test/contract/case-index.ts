/** What every CaseIndex must do; a test file runs this for each adapter. */
import t, { type Test as TapTest } from 'tap'
import type { Phase } from '../../domain/cases/status.ts'
import { foldText } from '../../domain/fold-text.ts'
import { uuidV5 } from '../../domain/ids.ts'
import {
  CASE_SORTS,
  type CaseFilter,
  type CaseIndex,
  type CaseQuery,
  type CaseRow,
  type CaseSort,
} from '../../domain/ports/case-index.ts'
import { meets, phaseAt } from '../../domain/cases/case-row.ts'
import { CASE_ID, TENANT } from '../fixtures/signature-case.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000
const PHASES: readonly Phase[] = ['NEW', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'EXPIRED']

const idOf = (n: number) => uuidV5(CASE_ID, 'row', String(n))

/** A row of a case; the tests of an index use several months. */
function caseRow(n: number, more: Partial<CaseRow> = {}): CaseRow {
  const caseId = more.caseId ?? idOf(n)
  const lines = [caseId, `Zmluva č. ${n}`, 'Jana Nováková', `p${n}@example.com`]
  return {
    tenant: TENANT,
    caseId,
    createdMs: NOW_MS - (n % 7) * 17 * DAY_MS,
    phase: PHASES[n % PHASES.length] as Phase,
    text: `\n${lines.map(foldText).join('\n')}\n`,
    version: 1,
    isArchived: false,
    ...more,
  }
}

const query = (more: Partial<CaseQuery> = {}): CaseQuery => ({
  tenant: TENANT,
  filter: {},
  sort: 'ID',
  limit: 100,
  nowMs: NOW_MS,
  ...more,
})

const idsOf = async (index: CaseIndex, more: Partial<CaseQuery> = {}) =>
  (await index.find(query(more))).map(({ caseId }) => caseId)

async function pages(index: CaseIndex, limit: number, more: Partial<CaseQuery>): Promise<string[]> {
  const ids: string[] = []
  let after: CaseQuery['after']
  for (;;) {
    const found = await index.find(query({ ...more, limit, after }))
    ids.push(...found.map(({ caseId }) => caseId))
    after = found.at(-1)
    if (found.length < limit) return ids
  }
}

const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

function inOrder(rows: readonly CaseRow[], sort: CaseSort): string[] {
  const sign = sort === 'CREATED_DESC' ? -1 : 1
  const order = (a: CaseRow, b: CaseRow) =>
    sort === 'ID'
      ? compare(a.caseId, b.caseId)
      : sign * (compare(a.createdMs, b.createdMs) || compare(a.caseId, b.caseId))
  return rows.toSorted(order).map(({ caseId }) => caseId)
}

/** @param openIndex gives an empty index, which is closed when the test ends */
export function caseIndexContract(
  name: string,
  openIndex: (t: TapTest) => Promise<CaseIndex>,
): void {
  t.test(`${name}: finds what the filter selects, in each order, by pages`, async (t) => {
    const index = await openIndex(t)
    const rows = Array.from({ length: 60 }, (_, n) =>
      caseRow(n, {
        isArchived: n % 5 === 2,
        ...(n % 4 === 1 && { phase: 'IN_PROGRESS', expiresAtMs: NOW_MS + (n - 30) }),
      }),
    )
    await index.put(rows)
    await index.put([caseRow(0, { tenant: 'another' })])
    const filters: CaseFilter[] = [
      {},
      { isArchived: true },
      { isArchived: true, phases: ['DONE'] },
      { phases: ['DONE'] },
      { phases: ['IN_PROGRESS'] },
      { phases: ['EXPIRED'] },
      { phases: ['EXPIRED', 'NEW', 'IN_PROGRESS'] },
      { phases: [] },
      { words: ['zmluva', 'c. 1'] },
      { words: ['%'] },
      { email: 'p7@example.com' },
      { email: '7@example.com' },
      { createdFromMs: NOW_MS - 34 * DAY_MS },
      { createdBeforeMs: NOW_MS, createdFromMs: NOW_MS - 50 * DAY_MS, phases: ['DONE'] },
    ]
    for (const filter of filters) {
      const matching = rows.filter((row) => meets({ ...row, phase: phaseAt(row, NOW_MS) }, filter))
      for (const sort of CASE_SORTS) {
        const expected = inOrder(matching, sort)
        const asked = `${JSON.stringify(filter)} ${sort}`
        t.same(await idsOf(index, { filter, sort }), expected, asked)
        t.same(await pages(index, 7, { filter, sort }), expected, `${asked} by pages`)
      }
    }
  })

  t.test(`${name}: an older observation replaces no newer one`, async (t) => {
    const index = await openIndex(t)
    const newer = caseRow(1, { version: 9, phase: 'DONE' })
    await index.put([newer])
    await index.put([caseRow(1, { version: 10, phase: 'FAILED' }), caseRow(2, { phase: 'NEW' })])
    await index.put([newer, caseRow(1, { version: 10, phase: 'NEW' })])
    t.same(await idsOf(index, { filter: { phases: ['FAILED'] } }), [idOf(1)])
    await index.put([caseRow(1, { version: 11, phase: 'NEW' })])
    t.same(await idsOf(index, { filter: { phases: ['FAILED', 'DONE'] } }), [])
  })

  t.test(`${name}: a case that comes twice in one call is written once`, async (t) => {
    const index = await openIndex(t)
    await index.put([caseRow(1, { version: 2, phase: 'DONE' }), caseRow(1, { phase: 'NEW' })])
    t.same(await idsOf(index, { filter: { phases: ['DONE'] } }), [idOf(1)])
    await index.put([])
  })

  t.test(`${name}: the row of an archived case stays when its resource goes`, async (t) => {
    const index = await openIndex(t)
    await index.put([caseRow(1), caseRow(2)])
    await index.put([caseRow(1, { isArchived: true })])
    await index.put([caseRow(1)])
    for (const n of [1, 2]) await index.remove({ tenant: TENANT, caseId: idOf(n) }, 'living')
    const { createdMs } = caseRow(1)
    t.same(await index.find(query()), [{ caseId: idOf(1), createdMs, isArchived: true }])
    await index.put([caseRow(1, { version: 2 })])
    t.equal((await index.find(query()))[0]?.isArchived, false, 'a restored case')
    await index.remove({ tenant: TENANT, caseId: idOf(1) }, 'any')
    await index.remove({ tenant: TENANT, caseId: idOf(1) }, 'any')
    t.same(await index.find(query()), [])
  })

  t.test(`${name}: lists the keys of living cases of all tenants, each once`, async (t) => {
    const index = await openIndex(t)
    const rows = ['a', 'a-b', 'b'].flatMap((tenant) =>
      [1, 2, 3].map((n) => caseRow(n, { tenant, isArchived: n === 2 })),
    )
    await index.put(rows)
    const listed: string[] = []
    let after: { tenant: string; caseId: string } | undefined
    do {
      const keys = await index.listLiving(2, after)
      listed.push(...keys.map(({ tenant, caseId }) => `${tenant} ${caseId}`))
      after = keys.at(-1)
    } while (after)
    const living = rows.filter(({ isArchived }) => !isArchived)
    const expected = living.map(({ tenant, caseId }) => `${tenant} ${caseId}`)
    t.same(listed.toSorted(), expected.toSorted())
  })

  t.test(`${name}: a text that is SQL is a text`, async (t) => {
    const index = await openIndex(t)
    const text = "\nx'); drop table case_row; -- \\ _ % ?\n"
    await index.put([caseRow(1, { text }), caseRow(2)])
    for (const word of ["');", '\\', '_ %', '?']) {
      t.same(await idsOf(index, { filter: { words: [word] } }), [idOf(1)], word)
    }
    t.same(await idsOf(index, { tenant: "' or ''='" }), [])
  })
}
