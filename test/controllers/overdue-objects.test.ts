import t from 'tap'
import { archiveCase } from '../../application/archive/archive-case.ts'
import { eraseOverdueObjects } from '../../controllers/overdue-objects.ts'
import {
  archivedLogKey,
  ARCHIVED_LOGS_FOLDER,
  REMOVED_FOLDER,
  tombstoneKey,
} from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { keptFor } from '../fixtures/retention.ts'
import { ENDED_AT, settledCase } from '../fixtures/settled-case.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000

t.test('a step that fails does not keep back the others', async (t) => {
  const deps = { ...controllerDeps(ENDED_AT), retention: keptFor(30) }
  deps.cases.seed(settledCase())
  await archiveCase(CASE_KEY, () => true, deps)
  const nowMs = Date.parse(ENDED_AT) + 30 * DAY_MS
  deps.objects.upload(archivedLogKey(CASE_KEY, new Date(nowMs)), encodeJson({}))
  const list = deps.objects.list.bind(deps.objects)
  deps.objects.list = (prefix, options) =>
    prefix === REMOVED_FOLDER ? Promise.reject(new Error('down')) : list(prefix, options)
  await t.rejects(eraseOverdueObjects(deps, nowMs), /down/)
  t.ok(deps.objects.json(tombstoneKey(CASE_KEY)))
  t.same(deps.objects.under(ARCHIVED_LOGS_FOLDER), [])
})
