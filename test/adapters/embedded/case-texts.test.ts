/** The trigrams of the index in SQLite: what is read for a search, and that writes keep them. */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { SqliteCaseIndex } from '../../../adapters/embedded/case-index.ts'
import { selectCases } from '../../../adapters/shared/case-query.ts'
import { CaseTexts } from '../../../adapters/embedded/case-texts.ts'
import { CASE_SORTS, type CaseQuery, type CaseRow } from '../../../domain/ports/case-index.ts'

const NOW_MS = Date.parse('2026-11-20T00:00:00Z')
/** More than the number of matches up to which trigrams are used. */
const MANY = 6_000

function rowOf(n: number, more: Partial<CaseRow> = {}): CaseRow {
  const caseId = `case-${String(n).padStart(5, '0')}`
  const text = `\n${caseId}\nzmluva c. ${n}\np${n}@example.com\n`
  const common = { tenant: 'acme', phase: 'DONE', version: 1, isArchived: false } as const
  return { ...common, caseId, text, createdMs: NOW_MS - n, ...more }
}

function open(t: Test, count: number) {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const index = new SqliteCaseIndex(database)
  const rows = Array.from({ length: count }, (_, n) => rowOf(n))
  return { database, index, ready: index.put(rows) }
}

const queryOf = (filter: CaseQuery['filter'], sort: CaseQuery['sort'] = 'ID'): CaseQuery => {
  return { tenant: 'acme', filter, sort, limit: 5, nowMs: NOW_MS }
}

const idsOf = async (index: SqliteCaseIndex, filter: CaseQuery['filter']) =>
  (await index.find(queryOf(filter))).map(({ caseId }) => caseId)

t.test('a search for few cases begins with the trigrams, in each order', async (t) => {
  const { database, ready } = open(t, 50)
  await ready
  const texts = new CaseTexts(database, 'case_row')
  const filters = [{ words: ['c. 17'] }, { email: 'p7@example.com' }, { words: ['nowhere'] }]
  for (const filter of filters) {
    for (const phases of [undefined, ['DONE', 'EXPIRED']] as const) {
      for (const sort of CASE_SORTS) {
        const found = texts.narrow(filter)!
        const query = queryOf({ ...filter, ...(phases && { phases }) }, sort)
        const { sql, values } = selectCases(found.table, query)
        const plan = database
          .prepare(`EXPLAIN QUERY PLAN ${found.with} ${sql}`)
          .all(found.value, ...values)
          .map(({ detail }) => String(detail))
        const reads = plan.filter((line) => /^(SCAN|SEARCH) (case|found)/.test(line))
        t.match(reads[0], /^SCAN case_text VIRTUAL TABLE INDEX \d+:M/, JSON.stringify(query))
        t.same(
          reads.filter((line) => /^SCAN case_(row|text_number)/.test(line)),
          [],
        )
      }
    }
  }
})

t.test('words that most cases have, and short ones, are read in the order', async (t) => {
  const { database, index, ready } = open(t, MANY)
  await ready
  const texts = new CaseTexts(database, 'case_row')
  t.equal(texts.narrow({ words: ['zmluva'] }), undefined)
  t.equal(texts.narrow({ words: ['zm'] }), undefined)
  t.equal(texts.narrow({}), undefined)
  t.ok(texts.narrow({ words: ['zm', 'c. 77'] }))
  t.same(
    (await index.find(queryOf({ words: ['zmluva'] }, 'CREATED_DESC')))[0]?.caseId,
    'case-00000',
  )
  t.same(await idsOf(index, { words: ['zmluva', 'c. 5999'] }), ['case-05999'])
})

t.test('texts that change, and rows that go, leave no trigrams', async (t) => {
  const { database, index, ready } = open(t, 3)
  await ready
  await index.put([rowOf(1, { version: 2, text: '\ncase-00001\n' })])
  t.same(await idsOf(index, { words: ['zmluva'] }), ['case-00000', 'case-00002'])
  t.same(await idsOf(index, { email: 'p1@example.com' }), [])
  await index.put([rowOf(2, { version: 2, phase: 'FAILED' })])
  t.same(await idsOf(index, { words: ['zmluva'], phases: ['FAILED'] }), ['case-00002'])
  await index.remove({ tenant: 'acme', caseId: 'case-00002' }, 'any')
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
  t.equal(count('case_text_number'), 2)
  t.equal(count('case_text_docsize'), 2)
  database.exec("CREATE VIRTUAL TABLE kept USING fts5vocab('case_text', 'row')")
  const trigrams = database.prepare('SELECT term, doc FROM kept').all()
  t.same(
    trigrams.filter(({ term }) => ['p1@', 'p2@', '. 2'].includes(String(term))),
    [],
    'also when nothing merged the parts of the index',
  )
  await index.put([rowOf(2)])
  t.same(await idsOf(index, { words: ['c. 2'] }), ['case-00002'])
})

t.test('words have the characters of any script, and of the syntax of queries', async (t) => {
  const { index, ready } = open(t, 1)
  await ready
  const words = ['"or"', "it's", 'a*b', '(x)', '-not', 'near(a b)', '😀😀😀', 'договор', '契約書類']
  await index.put(words.map((word, n) => rowOf(n + 10, { text: `\n${word} ${n}\n` })))
  for (const [n, word] of words.entries()) {
    t.same(await idsOf(index, { words: [word] }), [rowOf(n + 10).caseId], word)
  }
  const long = 'x'.repeat(50) + Array.from({ length: 100 }, (_, n) => `<${n}>`).join('')
  await index.put([rowOf(90, { text: `\n${long}\n` })])
  t.same(await idsOf(index, { words: [long] }), ['case-00090'])
  t.same(await idsOf(index, { words: [`${long}!`] }), [])
})

t.test('rows of a version without trigrams get them when the index opens', async (t) => {
  const { database, ready } = open(t, 20)
  await ready
  for (const name of ['inserted', 'updated', 'deleted']) {
    database.exec(`DROP TRIGGER case_text_${name}`)
  }
  database.exec('DROP TABLE case_text; DROP TABLE case_text_number')
  const index = new SqliteCaseIndex(database)
  t.same(await idsOf(index, { words: ['c. 19'] }), ['case-00019'])
  await index.put([rowOf(30)])
  t.same(await idsOf(index, { words: ['c. 30'] }), ['case-00030'])
})
