import t from 'tap'
import { noteLog } from '../../../application/archive/note-log.ts'
import { sweepArchivedLogs } from '../../../controllers/archived-logs.ts'
import { ARCHIVED_LOGS_FOLDER, archivedLogKey, deliveryKey } from '../../../domain/cases/keys.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

const CLAIMED_AT = '2026-11-02T09:00:00.000Z'
/** One day after the retention time. */
const DUE = '2027-02-01'

t.test('a case with attempts gets a mark for the day after their time', async (t) => {
  const objects = new MemoryObjectStore(() => new Date(CLAIMED_AT))
  await noteLog(CASE_KEY, objects)
  t.same(objects.under(''), [])
  objects.upload(deliveryKey(CASE_KEY, 'event', 1), encodeJson({ claimedAt: CLAIMED_AT }))
  await noteLog(CASE_KEY, objects)
  t.same(objects.under(ARCHIVED_LOGS_FOLDER), [archivedLogKey(CASE_KEY, new Date(DUE))])
})

t.test('a mark of another form, which somebody else made, is ignored', async (t) => {
  const objects = new MemoryObjectStore(() => new Date(CLAIMED_AT))
  const planted = `${ARCHIVED_LOGS_FOLDER}2001-01-01/acme/nonsense`
  objects.upload(planted, encodeJson({}))
  await sweepArchivedLogs(objects, new Date(DUE))
  t.same(objects.under(''), [planted])
})
