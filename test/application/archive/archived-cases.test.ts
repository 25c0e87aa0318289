import t from 'tap'
import { readArchive, withArchive } from '../../../application/archive/archived-cases.ts'
import { recordOf, RESTORING_ANNOTATION } from '../../../domain/cases/archive.ts'
import { encodeArchive } from '../../../domain/cases/archive-record.ts'
import { archiveKey } from '../../../domain/cases/keys.ts'
import { maximumObjectBytes } from '../../../domain/object-bounds.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY, keyring, signatureCase } from '../../fixtures/signature-case.ts'

function open() {
  const cases = new MemoryCaseStore()
  const objects = new MemoryObjectStore(() => new Date(0))
  const alarm = new RecordingAlarm()
  const deps = { objects, keyring, alarm }
  const put = (key = CASE_KEY) =>
    objects.upload(archiveKey(key), encodeArchive(keyring, CASE_KEY, recordOf(settledCase())))
  return { cases, deps, objects, alarm, put, all: withArchive(cases, deps) }
}

t.test('a living case costs no read of the object store, an unknown one costs one', async (t) => {
  const { cases, objects, all } = open()
  cases.seed(signatureCase())
  t.ok(await all.get(CASE_KEY))
  t.same(objects.gets, [])
  const unknown = { ...CASE_KEY, tenant: 'other' }
  t.equal(await all.get(unknown), undefined)
  t.same(objects.gets, [archiveKey(unknown)])
})

t.test('the record counts while a restored case has no status yet', async (t) => {
  const { cases, put, all } = open()
  put()
  const { status: _, metadata, ...rest } = settledCase()
  const restoring = (value: string) =>
    cases.seed({
      ...rest,
      metadata: { ...metadata, annotations: { [RESTORING_ANNOTATION]: value } },
    })
  restoring('true')
  t.equal((await all.get(CASE_KEY))?.status?.phase, 'DONE')
  restoring('false')
  t.equal((await all.get(CASE_KEY))?.status, undefined)
})

t.test('a record at the place of another tenant is refused and raises the alarm', async (t) => {
  const { alarm, put, all, deps } = open()
  const other = { ...CASE_KEY, tenant: 'other' }
  put(other)
  t.equal(await all.get(other), undefined)
  t.match(alarm.raised, [{ object: 'archive', fault: 'wrongMac', key: other }])
  t.match(await readArchive(other, deps), { record: undefined, generation: String })
})

t.test(
  'a record that is too long is refused like any that the service did not write',
  async (t) => {
    const { alarm, objects, all, deps } = open()
    objects.upload(
      archiveKey(CASE_KEY),
      new Uint8Array(maximumObjectBytes(archiveKey(CASE_KEY)) + 1),
    )
    t.equal(await all.get(CASE_KEY), undefined)
    t.match(alarm.raised, [{ object: 'archive', fault: 'unreadable', key: CASE_KEY }])
    t.match(await readArchive(CASE_KEY, deps), { record: undefined, generation: String })
  },
)

t.test('an archived case cannot be written', async (t) => {
  const { put, all } = open()
  put()
  const found = (await all.get(CASE_KEY))!
  await t.rejects(all.replaceSpec(found), { name: 'ConflictError' })
  await t.rejects(all.replaceStatus(found), { name: 'ConflictError' })
})

t.test('a case that is restored between two reads is found', async (t) => {
  const { cases, objects, all } = open()
  const get = objects.get.bind(objects)
  objects.get = async (key) => {
    cases.seed(settledCase())
    return get(key)
  }
  t.equal((await all.get(CASE_KEY))?.status?.phase, 'DONE')
})
