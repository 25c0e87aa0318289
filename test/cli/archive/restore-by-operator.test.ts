import t from 'tap'
import { archiveCase } from '../../../application/archive/archive-case.ts'
import { restoreCase } from '../../../application/archive/restore-case.ts'
import { restoreByOperator } from '../../../cli/archive/restore-by-operator.ts'
import { isArchiveDue, RESTORED_ANNOTATION } from '../../../domain/cases/archive.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'

async function archived() {
  const cases = new MemoryCaseStore()
  const objects = new MemoryObjectStore(() => new Date())
  const deps = { cases, objects, keyring, alarm: new RecordingAlarm() }
  cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  return deps
}

t.test('a case that an operator restored is not due at once', async (t) => {
  const deps = await archived()
  t.equal(await restoreByOperator(CASE_KEY, deps), 'restored')
  t.notOk(isArchiveDue((await deps.cases.get(CASE_KEY))!, 1, Date.now()))
  t.equal(await restoreByOperator({ ...CASE_KEY, tenant: 'other' }, deps), 'absent')
})

t.test('the controller may complete what the operator began', async (t) => {
  const deps = await archived()
  let races = 0
  deps.cases.beforeWrite = async () => {
    if (races++ > 0) return
    await restoreCase(CASE_KEY, deps)
  }
  t.equal(await restoreByOperator(CASE_KEY, deps), 'restored')
  t.ok((await deps.cases.get(CASE_KEY))?.metadata.annotations?.[RESTORED_ANNOTATION])
  t.equal((await deps.cases.get(CASE_KEY))?.status?.phase, 'DONE')
})

t.test('a race that is lost every time ends with an error', async (t) => {
  const deps = await archived()
  deps.cases.beforeWrite = async () => {
    const current = (await deps.cases.get(CASE_KEY))!
    deps.cases.seed(current)
  }
  await t.rejects(restoreByOperator(CASE_KEY, deps), { name: 'ConflictError' })
})
