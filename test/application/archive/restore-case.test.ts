import t from 'tap'
import { archiveCase } from '../../../application/archive/archive-case.ts'
import { withArchive } from '../../../application/archive/archived-cases.ts'
import { restoreCase, type RestoreDeps } from '../../../application/archive/restore-case.ts'
import { RESTORED_ANNOTATION, RESTORING_ANNOTATION } from '../../../domain/cases/archive.ts'
import { archiveKey } from '../../../domain/cases/keys.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'

const NOW = '2026-12-01T00:00:00.000Z'
const KILLED = new Error('killed')

async function archived() {
  const cases = new MemoryCaseStore()
  const objects = new MemoryObjectStore(() => new Date(NOW))
  const alarm = new RecordingAlarm()
  const deps = { cases, objects, keyring, alarm } satisfies RestoreDeps
  const before = cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  return { ...deps, deps, before }
}

t.test('a restored case has the spec and the status that it had', async (t) => {
  const { cases, deps, before } = await archived()
  t.equal(await restoreCase(CASE_KEY, deps, NOW), 'restored')
  const found = (await cases.get(CASE_KEY))!
  t.same([found.spec, found.status], [before.spec, before.status])
  t.match(found.metadata.annotations, {
    [RESTORED_ANNOTATION]: NOW,
    [RESTORING_ANNOTATION]: 'false',
  })
  t.equal(await restoreCase(CASE_KEY, deps), 'living')
})

t.test('after a kill at any step, another run completes it', async (t) => {
  for (const kind of ['status', 'spec'] as const) {
    const { cases, deps, before } = await archived()
    cases.beforeWrite = async (written) => {
      if (written === kind) throw KILLED
    }
    await t.rejects(restoreCase(CASE_KEY, deps, NOW), KILLED)
    cases.beforeWrite = undefined
    t.equal(await restoreCase(CASE_KEY, deps), 'restored')
    const found = (await cases.get(CASE_KEY))!
    t.same([found.spec, found.status], [before.spec, before.status])
    t.equal(found.metadata.annotations?.[RESTORED_ANNOTATION], NOW)
  }
})

t.test('a living case is kept from an archiving that has begun', async (t) => {
  const { cases, deps } = await archived()
  await restoreCase(CASE_KEY, deps)
  const { metadata } = (await cases.get(CASE_KEY))!
  t.equal(await restoreCase(CASE_KEY, deps, NOW), 'living')
  await t.rejects(cases.delete(CASE_KEY, metadata.resourceVersion!), { name: 'ConflictError' })
  t.equal((await cases.get(CASE_KEY))?.metadata.annotations?.[RESTORED_ANNOTATION], NOW)
})

t.test('a case without a record that the service wrote is not restored', async (t) => {
  const { cases, objects, deps, alarm } = await archived()
  const [record] = objects.under(archiveKey(CASE_KEY))
  const stored = objects.objects.get(record!)!
  const text = new TextDecoder().decode(stored.bytes).replace('DONE', 'FAILED')
  objects.upload(record!, new TextEncoder().encode(text))
  t.equal(await restoreCase(CASE_KEY, deps, NOW), 'absent')
  t.equal(await cases.get(CASE_KEY), undefined)
  t.same(alarm.names(), ['archive wrongMac'])
})

t.test('a record that only a key of the API made is read, but not restored', async (t) => {
  const { cases, objects, deps, alarm } = await archived()
  const place = archiveKey(CASE_KEY)
  const { record, read } = objects.json<{ record: object; read: object }>(place)!
  objects.upload(place, encodeJson({ record, read, kid: 'x', mac: '00' }))
  t.ok(await withArchive(cases, deps).get(CASE_KEY))
  t.equal(await restoreCase(CASE_KEY, deps, NOW), 'absent')
  t.same(alarm.names(), ['archive unknownKey'])
})

t.test('a resource that claims to be restored without a record begins anew', async (t) => {
  const { cases, objects, deps } = await archived()
  await objects.delete(archiveKey(CASE_KEY))
  const { metadata, ...rest } = settledCase()
  cases.seed({
    ...rest,
    metadata: { ...metadata, annotations: { [RESTORING_ANNOTATION]: 'true' } },
  })
  t.equal(await restoreCase(CASE_KEY, deps), 'restored')
  t.equal((await cases.get(CASE_KEY))?.metadata.annotations?.[RESTORING_ANNOTATION], 'false')
})
