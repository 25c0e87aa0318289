/** The process that owns the index makes its tables before it writes. */
import t from 'tap'
import { connectPostgres } from '../../../adapters/postgres/connect.ts'
import { OwnedCaseIndex } from '../../../adapters/postgres/owned-index.ts'
import { rowOf } from '../../../domain/cases/case-row.ts'
import { PostgresServer, withoutPostgres } from '../../fixtures/postgres-server.ts'
import { signatureCase } from '../../fixtures/signature-case.ts'

const FIRST_MS = Date.parse('2026-11-20T00:00:00Z')
const MONTHS = "SELECT relname FROM pg_class WHERE relname ~ '^case_row_20.*[0-9]$' ORDER BY 1"

t.test('tables and months are made when they are needed', { skip: withoutPostgres }, async (t) => {
  const server = await PostgresServer.start()
  t.teardown(() => server.close())
  const open = () => connectPostgres({ url: server.url() }, () => undefined)
  const pool = open()
  t.teardown(() => pool.end())
  let nowMs = FIRST_MS
  let opened = 0
  const index = new OwnedCaseIndex({
    pool,
    openSlowPool: () => {
      opened += 1
      return open()
    },
    nowMs: () => nowMs,
    onNoTrigrams: (error) => t.fail(String(error)),
  })
  const monthsOf = async () =>
    (await server.run(MONTHS)).map(({ relname }) => String(relname).slice('case_row_'.length))
  await index.put([])
  t.same(await monthsOf(), ['2026_11', '2026_12', '2027_01', '2027_02'])
  const row = rowOf(signatureCase())!
  await index.put([row])
  t.equal(opened, 1, 'they are made once')
  await index.put([{ ...row, caseId: 'early', createdMs: Date.parse('2020-05-05T00:00:00Z') }])
  nowMs = Date.parse('2027-03-01T00:00:00Z')
  await index.put([])
  t.same((await monthsOf()).slice(0, 1), ['2020_05'])
  t.same((await monthsOf()).slice(-1), ['2027_06'])
  t.equal(opened, 3)
  t.equal((await index.listLiving(9)).length, 2)
  const months = await monthsOf()
  const strange = ['1970-01-01', '2000-01-01', '2099-01-01'].map((day) => {
    return { ...row, caseId: day, createdMs: Date.parse(`${day}T00:00:00Z`) }
  })
  await index.put(strange)
  t.same(await monthsOf(), months, 'stated times make no partitions')
  t.equal((await index.listLiving(9)).length, 5)
})
