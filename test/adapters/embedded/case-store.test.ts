/** Cases in SQLite keep the contract of their port, and what a restart asks of them. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { ROWS } from '../../../adapters/embedded/case-index.ts'
import { SqliteCaseStore } from '../../../adapters/embedded/case-store.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { caseStoreContract } from '../../contract/case-store.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_ID, CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

const now = () => new Date()

async function openCases(t: Test): Promise<SqliteCaseStore> {
  const store = new SqliteCaseStore(join(t.testdir(), 'cases.sqlite'), now)
  t.teardown(() => store.close())
  return store
}

caseStoreContract('SqliteCaseStore', openCases)

t.test('cases are there after a restart, and versions go on from where they were', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const before = new SqliteCaseStore(path, now)
  const { status: _, ...one } = signatureCase()
  const created = await before.create({ ...one, metadata: { name: CASE_ID, namespace: 'acme' } })
  before.close()
  const after = new SqliteCaseStore(path, now)
  t.teardown(() => after.close())
  t.same(await after.get(CASE_KEY), created)
  const changed = await after.replaceSpec(created)
  t.ok(Number(changed.metadata.resourceVersion) > Number(created.metadata.resourceVersion))
})

t.test('cases of an earlier version, whose table had no annotations, are read', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const first = new SqliteCaseStore(path, now)
  const { status: _, ...one } = signatureCase()
  await first.create({ ...one, metadata: { name: CASE_ID, namespace: 'acme' } })
  first.close()
  const database = new DatabaseSync(path)
  database.exec('ALTER TABLE signature_case DROP COLUMN annotations')
  database.close()
  const store = new SqliteCaseStore(path, now)
  t.teardown(() => store.close())
  const found = (await store.get(CASE_KEY))!
  t.equal(found.metadata.annotations, undefined)
  const annotations = { 'sigcase.dev/erase': CASE_ID }
  await store.replaceSpec({ ...found, metadata: { ...found.metadata, annotations } })
  t.same((await store.get(CASE_KEY))?.metadata.annotations, annotations)
})

/** A store with one finished and one open case, whose listing leaves out finished ones. */
async function storeFinished(path: string) {
  const store = new SqliteCaseStore(path, now)
  const { status, spec } = settledCase()
  const finished = { name: CASE_ID, namespace: 'acme' }
  const created = await store.create({ ...settledCase(), spec, metadata: finished })
  await store.replaceStatus({ ...created, status: status! })
  await store.create({ ...signatureCase(), metadata: { name: 'open', namespace: 'acme' } })
  store.close()
}

async function listOpen(path: string) {
  const store = new SqliteCaseStore(path, now)
  const leaveOut = { endedFromMs: -Infinity, createdFromMs: -Infinity }
  const { items, leftOut } = await store.list({ limit: 9, leaveOut })
  store.close()
  return { open: items.map(({ metadata }) => metadata.name), leftOut: [...(leftOut ?? [])] }
}

const LEFT_OUT = { open: ['open'], leftOut: [['DONE', 1]] }

t.test('finished cases of an earlier version are marked when the store is opened', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  await storeFinished(path)
  const database = new DatabaseSync(path)
  database.exec(`
    DROP INDEX signature_case_finished;
    DROP TRIGGER signature_case_unmark;
    ALTER TABLE signature_case DROP COLUMN ended_ms;
    ALTER TABLE signature_case DROP COLUMN logged_ms;
    ALTER TABLE signature_case DROP COLUMN ended_phase;`)
  database.close()
  t.same(await listOpen(path), LEFT_OUT)
})

t.test('marking goes on after a process that was killed before its end', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  await storeFinished(path)
  const database = new DatabaseSync(path)
  database.exec(`
    DROP INDEX signature_case_finished;
    UPDATE signature_case SET ended_ms = NULL, logged_ms = NULL, ended_phase = NULL;`)
  database.close()
  t.same(await listOpen(path), LEFT_OUT)
})

t.test('a case that an earlier version changes is listed again', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  await storeFinished(path)
  const database = new DatabaseSync(path)
  // Such a version writes the row of the index as well, but no marks.
  const annotations = JSON.stringify({ [ERASE_ANNOTATION]: CASE_ID })
  const update = 'UPDATE signature_case SET resource_version = 100, annotations = ?'
  database.prepare(`${update} WHERE case_id = ?`).run(annotations, CASE_ID)
  database.prepare(`UPDATE ${ROWS} SET version = 100 WHERE case_id = ?`).run(CASE_ID)
  database.close()
  t.same(await listOpen(path), { open: [CASE_ID, 'open'], leftOut: [] })
})

t.test('a finished case that is written again is still left out', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  await storeFinished(path)
  const store = new SqliteCaseStore(path, now)
  await store.replaceStatus((await store.get(CASE_KEY))!)
  store.close()
  t.same(await listOpen(path), LEFT_OUT)
})
