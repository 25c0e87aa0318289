import t from 'tap'
import { noteLog } from '../../application/archive/note-log.ts'
import { sweepArchivedLogs } from '../../controllers/archived-logs.ts'
import {
  ARCHIVED_LOGS_FOLDER,
  deliveriesFolder,
  deliveryKey,
  receiptKey,
} from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CLAIMED_AT = '2026-11-02T09:00:00.000Z'
const DUE = '2027-02-01T00:00:00.000Z'
const EVENT = '1ec1d8a5-31b3-5bb4-9d26-0a2f6e0f3c11'

/** An archived case with one attempt. */
async function noted(hasEnded: boolean) {
  const objects = new MemoryObjectStore(() => new Date(CLAIMED_AT))
  objects.upload(deliveryKey(CASE_KEY, EVENT, 1), encodeJson({ claimedAt: CLAIMED_AT }))
  if (hasEnded) objects.upload(receiptKey(CASE_KEY, EVENT), encodeJson({}))
  await noteLog(CASE_KEY, objects)
  return objects
}

t.test('the log of an archived case is removed when its day has come', async (t) => {
  const objects = await noted(true)
  await sweepArchivedLogs(objects, new Date(Date.parse(DUE) - 1))
  t.equal(objects.under(deliveriesFolder(CASE_KEY)).length, 1)
  t.equal(objects.under(ARCHIVED_LOGS_FOLDER).length, 1)
  await sweepArchivedLogs(objects, new Date(DUE))
  t.same(objects.under(deliveriesFolder(CASE_KEY)), [])
  t.same(objects.under(ARCHIVED_LOGS_FOLDER), [])
  t.equal(objects.under('').length, 1, 'the receipt stays')
})

t.test('attempts of an open event, and younger ones, stay', async (t) => {
  const open = await noted(false)
  await sweepArchivedLogs(open, new Date(DUE))
  t.equal(open.under(deliveriesFolder(CASE_KEY)).length, 1)
  const objects = await noted(true)
  const claimedAt = new Date(Date.parse(CLAIMED_AT) + 10 * DAY_MS).toISOString()
  objects.upload(deliveryKey(CASE_KEY, EVENT, 2), encodeJson({ claimedAt }))
  await sweepArchivedLogs(objects, new Date(DUE))
  t.same(objects.under(deliveriesFolder(CASE_KEY)), [deliveryKey(CASE_KEY, EVENT, 2)])
})

t.test('a case that fails does not keep back the others', async (t) => {
  const objects = await noted(true)
  const first = { ...CASE_KEY, tenant: 'aaa' }
  objects.upload(deliveryKey(first, EVENT, 1), encodeJson({ claimedAt: CLAIMED_AT }))
  await noteLog(first, objects)
  const get = objects.get.bind(objects)
  objects.get = async (objectKey) => {
    if (objectKey.startsWith(deliveriesFolder(first))) throw new Error('the store fails')
    return get(objectKey)
  }
  await t.rejects(sweepArchivedLogs(objects, new Date(DUE)))
  t.same(objects.under(deliveriesFolder(CASE_KEY)), [])
  t.equal(objects.under(ARCHIVED_LOGS_FOLDER).length, 1, 'the mark of the other stays')
})
