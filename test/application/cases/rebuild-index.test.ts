/** The index can be built anew from the store. */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import {
  IndexPass,
  rebuildIndex,
  type RebuildProgress,
} from '../../../application/cases/rebuild-index.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'

async function* archivedOnes(...all: SignatureCase[]) {
  yield* all
}

function open(t: Test, count: number) {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  const cases = new MemoryCaseStore()
  const { metadata, ...one } = signatureCase({ phase: 'DONE', signed: 2 })
  const seed = (name: string) => cases.seed({ ...one, metadata: { ...metadata, name } })
  const seeded = Array.from({ length: count }, (_, n) => seed(`case-${n}`))
  const namesOf = async () => (await index.listLiving(2_000)).map(({ caseId }) => caseId)
  return { index, cases, seeded, seed, namesOf }
}

t.test('a pass writes what is missing and removes what is gone', async (t) => {
  const { index, cases, seeded, seed, namesOf } = open(t, 20)
  const gone = rowOf(seeded[0]!)!
  const archived = { ...rowOf(seeded[1]!)!, isArchived: true }
  for (const { caseId } of [gone, archived]) await cases.delete({ tenant: TENANT, caseId })
  await index.put([gone, archived])
  const pass = new IndexPass({ cases, index })
  const { items } = await cases.list({ limit: 1_000 })
  await pass.add(items)
  await index.put([rowOf(seed('since'))!])
  t.equal(await pass.removeGone(), 1)
  const names = [...items.map(({ metadata }) => metadata.name), 'since'].toSorted()
  t.same(await namesOf(), names)
  const all = { tenant: TENANT, filter: {}, sort: 'ID', limit: 99, nowMs: 0 } as const
  t.equal((await index.find(all)).length, 20, 'the archived case stays')
})

t.test('a rebuild also replaces rows whose versions are too new', async (t) => {
  const { index, cases, seeded, namesOf } = open(t, 1_100)
  const restored = { ...rowOf(seeded[3]!)!, version: 1e9, phase: 'NEW' as const }
  await index.put([restored])
  const shown: RebuildProgress[] = []
  const deps = { cases, index, archived: archivedOnes() }
  t.equal(await rebuildIndex(deps, (progress) => shown.push(progress)), 1_100)
  t.same(shown, [{ done: 500 }, { done: 1_000 }, { done: 1_100, total: 1_100 }])
  t.equal((await namesOf()).length, 1_100)
  const asked = { tenant: TENANT, sort: 'ID', limit: 9, nowMs: 0 } as const
  t.same(await index.find({ ...asked, filter: { phases: ['NEW'] } }), [])
})

t.test('progress has a total where the store knows it, and counts archived cases', async (t) => {
  const { index, cases, seeded } = open(t, 700)
  const counting = {
    get: cases.get.bind(cases),
    list: async (options: Parameters<typeof cases.list>[0]) => ({
      ...(await cases.list(options)),
      remaining: 200,
    }),
  }
  const shown: RebuildProgress[] = []
  const { metadata, ...one } = seeded[0]!
  const { resourceVersion: _, ...recorded } = metadata
  const archived = archivedOnes({ ...one, metadata: { ...recorded, name: 'archived' } })
  await rebuildIndex({ cases: counting, index, archived }, (progress) => shown.push(progress))
  t.same(shown, [{ done: 500, total: 700 }, { done: 700, total: 700 }, { done: 701 }])
})

t.test(
  'a rebuild writes the rows of archived cases, and living cases have precedence',
  async (t) => {
    const { index, cases, seeded } = open(t, 2)
    const [restored, archived] = seeded.map(({ metadata, ...one }) => {
      const { resourceVersion: _, ...recorded } = metadata
      return { ...one, metadata: recorded }
    })
    await cases.delete({ tenant: TENANT, caseId: archived!.metadata.name })
    const archives = archivedOnes(restored!, archived!)
    await rebuildIndex({ cases, index, archived: archives })
    const all = { tenant: TENANT, filter: {}, sort: 'ID', limit: 9, nowMs: 0 } as const
    t.match(await index.find(all), [
      { caseId: restored!.metadata.name, isArchived: false },
      { caseId: archived!.metadata.name, isArchived: true },
    ])
  },
)
