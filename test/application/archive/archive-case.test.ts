import t from 'tap'
import { archiveCase, type ArchiveDeps } from '../../../application/archive/archive-case.ts'
import { readArchive, withArchive } from '../../../application/archive/archived-cases.ts'
import { isArchiveDue } from '../../../domain/cases/archive.ts'
import { encodeArchive } from '../../../domain/cases/archive-record.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { archivedKey, archiveKey } from '../../../domain/cases/keys.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { recordOf } from '../../../domain/cases/archive.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { ENDED_AT, settledCase } from '../../fixtures/settled-case.ts'
import { CASE_ID, CASE_KEY, keyring, signatureCase } from '../../fixtures/signature-case.ts'

const NOW = new Date('2026-12-01T00:00:00.000Z')
const KILLED = new Error('killed')

function open() {
  const cases = new MemoryCaseStore()
  const objects = new MemoryObjectStore(() => NOW)
  const alarm = new RecordingAlarm()
  const deps = { cases, objects, keyring, alarm } satisfies ArchiveDeps
  const archive = () => archiveCase(CASE_KEY, (one) => isArchiveDue(one, 24, NOW.getTime()), deps)
  return { ...deps, deps, archive }
}

/** What users see of the case, wherever it is; resources have more metadata. */
async function seen({ cases, deps }: ReturnType<typeof open>) {
  const found = await withArchive(cases, deps).get(CASE_KEY)
  return found && { spec: found.spec, status: found.status, name: found.metadata.name }
}

t.test('a case moves to one record and one entry, and reads as before', async (t) => {
  const w = open()
  w.cases.seed(settledCase())
  const before = await seen(w)
  t.equal(await w.archive(), 'archived')
  t.equal(await w.cases.get(CASE_KEY), undefined)
  t.same(w.objects.under(''), [archivedKey(CASE_KEY, ENDED_AT), archiveKey(CASE_KEY)])
  t.same(await seen(w), before)
  t.equal(await w.archive(), 'absent')
})

t.test('an observer learns of the last version of the resource before it is gone', async (t) => {
  const w = open()
  w.cases.seed(settledCase())
  const versions: [string | undefined, string | undefined][] = []
  const onArchived = async ({ metadata }: SignatureCase) => {
    const current = await w.cases.get(CASE_KEY)
    versions.push([metadata.resourceVersion, current?.metadata.resourceVersion])
  }
  t.equal(await archiveCase(CASE_KEY, () => true, { ...w.deps, onArchived }), 'archived')
  const [[last, current] = []] = versions
  t.equal(versions.length, 1)
  t.ok(last)
  t.equal(last, current)
})

t.test('a case that is not due stays, and nothing is written', async (t) => {
  const w = open()
  t.equal(await w.archive(), 'absent')
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS' }))
  t.equal(await w.archive(), 'kept')
  const { metadata, ...rest } = settledCase()
  w.cases.seed({ ...rest, metadata: { ...metadata, annotations: { [ERASE_ANNOTATION]: CASE_ID } } })
  t.equal(await w.archive(), 'kept')
  t.equal(w.objects.objects.size, 0)
})

t.test('after a kill at any step, the case is readable and the next run continues', async (t) => {
  const steps: Record<string, (w: ReturnType<typeof open>) => void> = {
    'before the record': ({ objects }) => {
      objects.beforePut = (key) => {
        if (key === archiveKey(CASE_KEY)) throw KILLED
      }
    },
    'after the record': ({ objects }) => {
      objects.afterPut = (key) => {
        if (key === archiveKey(CASE_KEY)) throw KILLED
      }
    },
    'after the entry': ({ objects }) => {
      objects.afterPut = (key) => {
        if (key !== archiveKey(CASE_KEY)) throw KILLED
      }
    },
    'before the finalizer is removed': ({ cases }) => {
      cases.beforeWrite = async () => {
        throw KILLED
      }
    },
    'before the resource is deleted': ({ cases }) => {
      cases.beforeDelete = async () => {
        throw KILLED
      }
    },
  }
  for (const [name, arrange] of Object.entries(steps)) {
    const w = open()
    w.cases.seed(settledCase())
    const before = await seen(w)
    arrange(w)
    await t.rejects(w.archive(), KILLED, name)
    t.ok(await w.cases.get(CASE_KEY), name)
    t.same(await seen(w), before, name)
    Object.assign(w.objects, { beforePut: undefined, afterPut: undefined })
    Object.assign(w.cases, { beforeWrite: undefined, beforeDelete: undefined })
    // The store of this test counts a removed finalizer as a new generation.
    const current = (await w.cases.get(CASE_KEY))!
    w.cases.seed({ ...current, metadata: { ...current.metadata, generation: 1 } })
    t.equal(await w.archive(), 'archived', name)
    t.same(await seen(w), before, name)
  }
})

t.test('a case that changes in the meantime keeps its resource and its finalizer', async (t) => {
  for (const when of ['beforeWrite', 'beforeDelete'] as const) {
    const w = open()
    w.cases.seed(settledCase())
    w.cases[when] = async () => {
      w.cases[when] = undefined
      const current = (await w.cases.get(CASE_KEY))!
      const annotations = { [ERASE_ANNOTATION]: CASE_ID }
      w.cases.seed({ ...current, metadata: { ...current.metadata, annotations } })
    }
    t.equal(await w.archive(), 'conflict', when)
    t.match((await w.cases.get(CASE_KEY))?.metadata, {
      annotations: { [ERASE_ANNOTATION]: CASE_ID },
      finalizers: [FINALIZER],
    })
    t.equal(await w.archive(), 'kept', when)
  }
})

t.test('a record of an earlier archiving is replaced, and an equal one stays', async (t) => {
  const w = open()
  const older = recordOf(settledCase({ status: { signed: '1/2' } }))
  w.objects.upload(archiveKey(CASE_KEY), encodeArchive(keyring, CASE_KEY, older))
  w.cases.seed(settledCase())
  t.equal(await w.archive(), 'archived')
  const stored = await readArchive(CASE_KEY, w.deps)
  t.same(stored?.record, recordOf(settledCase()))
  w.cases.seed(settledCase())
  t.equal(await w.archive(), 'archived')
  t.equal((await readArchive(CASE_KEY, w.deps))?.generation, stored?.generation)
  t.same(w.alarm.names(), [])
})

t.test('an object that another writer planted is replaced after the alarm', async (t) => {
  const w = open()
  w.objects.upload(archiveKey(CASE_KEY), new TextEncoder().encode('{}'))
  w.cases.seed(settledCase())
  t.equal(await w.archive(), 'archived')
  t.same(w.alarm.names(), ['archive wrongMac'])
  t.equal((await seen(w))?.status?.phase, 'DONE')
})
