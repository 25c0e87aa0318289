import t from 'tap'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { rotateKeySet } from '../../../adapters/embedded/key-sets.ts'
import { archiveCase } from '../../../application/archive/archive-case.ts'
import { readArchive } from '../../../application/archive/archived-cases.ts'
import { renewArchives } from '../../../application/archive/renew-archives.ts'
import { encodeArchive } from '../../../domain/cases/archive-record.ts'
import { archivedKey, archiveKey } from '../../../domain/cases/keys.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { ENDED_AT, settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

const OTHER = { ...CASE_KEY, caseId: '00000000-0000-4000-8000-000000000001' }
const SETS = ['audit-trail', 'worker-result'] as const

/** A service with one archived case, and a step of the rotation of the keys of its record. */
async function open(folder: string) {
  const alarm = new RecordingAlarm()
  const deps = { ...controllerDeps(ENDED_AT), alarm, keyring: openWholeKeyring(folder) }
  deps.cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  const rotate = (...steps: ('add' | 'use' | 'retire')[]) => {
    for (const step of steps) for (const set of SETS) rotateKeySet(folder, set, step)
    return { ...deps, keyring: openWholeKeyring(folder) }
  }
  return { deps, alarm, rotate }
}

t.test('a renewed record is read after the keys that made it are retired', async (t) => {
  const { alarm, rotate } = await open(t.testdir())
  const seen: number[] = []
  const renewed = await renewArchives(rotate('add', 'use'), (done) => seen.push(done))
  t.same(renewed, { renewed: 1, refused: [] })
  t.same(seen, [1])
  const stored = await readArchive(CASE_KEY, rotate('retire'))
  t.match(stored?.record, { metadata: { name: CASE_KEY.caseId }, status: { phase: 'DONE' } })
  t.same(alarm.raised, [])
})

t.test(
  'without it the record is refused, and renewing it later does not make it valid',
  async (t) => {
    const { alarm, rotate } = await open(t.testdir())
    const deps = rotate('add', 'use', 'retire')
    t.match(await renewArchives(deps), { renewed: 0, refused: [CASE_KEY] })
    t.notOk((await readArchive(CASE_KEY, deps))?.record)
    t.match(alarm.raised[0], { object: 'archive', fault: 'unknownKey', key: CASE_KEY })
  },
)

t.test('an entry without a record, and a record that changes meanwhile', async (t) => {
  const { deps } = await open(t.testdir())
  deps.objects.upload(archivedKey(OTHER, ENDED_AT), encodeJson({}))
  deps.objects.upload('archived/not an entry', encodeJson({}))
  const get = deps.objects.get.bind(deps.objects)
  let races = 1
  deps.objects.get = async (key) => {
    const found = await get(key)
    const record = (await readArchive(CASE_KEY, { ...deps, objects: { get } }))?.record
    if (record && races-- > 0) {
      deps.objects.upload(archiveKey(CASE_KEY), encodeArchive(deps.keyring, CASE_KEY, record))
    }
    return found
  }
  t.same(await renewArchives(deps), { renewed: 1, refused: [] })
  deps.objects.get = async (key) => {
    const found = await get(key)
    if (found) deps.objects.upload(key, found.bytes)
    return found
  }
  await t.rejects(renewArchives(deps), { message: /kept changing/ })
})
