import t from 'tap'
import {
  archivedCase,
  isArchivable,
  isArchiveDue,
  mayHaveRecord,
  recordOf,
  RESTORED_ANNOTATION,
  restoredCase,
  RESTORING_ANNOTATION,
} from '../../../domain/cases/archive.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { condition, ENDED_AT, settledCase } from '../../fixtures/settled-case.ts'
import { CASE_ID, CREATED_AT, signatureCase } from '../../fixtures/signature-case.ts'

const HOUR_MS = 60 * 60 * 1000
const endedMs = Date.parse(ENDED_AT)

const withMetadata = (more: Partial<SignatureCase['metadata']>): SignatureCase => {
  const { metadata, ...rest } = settledCase()
  return { ...rest, metadata: { ...metadata, ...more } }
}
const withConditions = (...conditions: Parameters<typeof condition>[]) =>
  settledCase({ status: { conditions: conditions.map((one) => condition(...one)) } })

/** A case that was applied: its creation has no address. */
function applied(): SignatureCase {
  const made = settledCase()
  return { ...made, spec: { ...made.spec, creation: { at: CREATED_AT } } }
}

t.test('a case with pending work, a fault or an erasure is not archived', async (t) => {
  t.ok(isArchivable(settledCase()))
  const kept: Record<string, SignatureCase> = {
    'that is new': signatureCase(),
    'that has not ended': withConditions(['Ended', 'False'], ['Settled']),
    'that is not settled': withConditions(['Ended'], ['Settled', 'False']),
    'with a fault': withConditions(['Ended'], ['Settled'], ['Invalid']),
    'with ignored signatures': withConditions(['Ended'], ['Settled'], ['SignatureIgnored']),
    'with a delay': withConditions(['Ended'], ['Settled'], ['Delayed']),
    'that is being erased': settledCase({
      status: { erasure: { rule: 'annotation', decidedAt: ENDED_AT } },
    }),
    'whose erasure is requested': withMetadata({ annotations: { [ERASE_ANNOTATION]: CASE_ID } }),
    'that is being removed': withMetadata({ deletionTimestamp: ENDED_AT }),
    'that changed since its status': withMetadata({ generation: 2 }),
    'that others keep': withMetadata({ finalizers: ['sigcase.dev/secrets', 'example.com/x'] }),
    'that is being restored': withMetadata({ annotations: { [RESTORING_ANNOTATION]: 'true' } }),
  }
  for (const [name, one] of Object.entries(kept)) t.notOk(isArchivable(one), `a case ${name}`)
})

t.test('a case is due so many hours after its end, or after it was restored', async (t) => {
  t.notOk(isArchiveDue(settledCase(), undefined, endedMs + 1e12))
  t.notOk(isArchiveDue(settledCase(), 24, endedMs + 24 * HOUR_MS - 1))
  t.ok(isArchiveDue(settledCase(), 24, endedMs + 24 * HOUR_MS))
  t.ok(isArchiveDue(settledCase(), 0, endedMs))
  const restoredAt = new Date(endedMs + 100 * HOUR_MS).toISOString()
  const restored = withMetadata({ annotations: { [RESTORED_ANNOTATION]: restoredAt } })
  t.notOk(isArchiveDue(restored, 24, endedMs + 124 * HOUR_MS - 1))
  t.ok(isArchiveDue(restored, 24, endedMs + 124 * HOUR_MS))
  const nonsense = withMetadata({ annotations: { [RESTORED_ANNOTATION]: 'soon' } })
  t.ok(isArchiveDue(nonsense, 24, endedMs + 24 * HOUR_MS))
})

t.test('an applied case stays: the tool that applied it would create it again', async (t) => {
  t.notOk(isArchiveDue(applied(), 0, endedMs + 1e12))
  t.ok(isArchivable(applied()), 'a command may archive it')
  t.ok(mayHaveRecord(applied()))
  t.notOk(mayHaveRecord(settledCase()))
})

t.test('a record keeps the case and what users wrote beside it', async (t) => {
  const annotations = { 'example.com/x': 'y', [RESTORED_ANNOTATION]: ENDED_AT }
  const found = withMetadata({ annotations, labels: { team: 'a' }, uid: 'u' })
  const record = recordOf(found)
  const back = archivedCase(record)
  t.same([back.spec, back.status], [found.spec, found.status])
  t.same(back.metadata, {
    name: CASE_ID,
    namespace: 'acme',
    generation: 1,
    creationTimestamp: CREATED_AT,
    annotations: { 'example.com/x': 'y' },
    labels: { team: 'a' },
  })
  const moved = recordOf(withMetadata({ labels: { 'sigcase.dev/shard': 'x' } }))
  t.same(restoredCase(moved).metadata.labels, { 'sigcase.dev/shard': '37' })
  t.same(restoredCase(record, ENDED_AT).metadata, {
    name: CASE_ID,
    namespace: 'acme',
    annotations: {
      'example.com/x': 'y',
      [RESTORED_ANNOTATION]: ENDED_AT,
      [RESTORING_ANNOTATION]: 'true',
    },
    labels: { team: 'a', 'sigcase.dev/shard': '37' },
  })
  t.notOk(restoredCase(record).status)
  t.same(restoredCase(record).spec, found.spec)
  t.notOk('creation' in restoredCase(recordOf(applied())).spec, 'its status has the time')
})
