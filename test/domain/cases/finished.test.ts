import t from 'tap'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { finishedOf, isFinished, isSettled } from '../../../domain/cases/finished.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { condition, ENDED_AT, settledCase } from '../../fixtures/settled-case.ts'
import { callback, CASE_ID, CREATED_AT, signatureCase } from '../../fixtures/signature-case.ts'

const endedMs = Date.parse(ENDED_AT)

const withMetadata = (more: Partial<SignatureCase['metadata']>): SignatureCase => {
  const made = settledCase()
  return { ...made, metadata: { ...made.metadata, ...more } }
}
const withConditions = (...conditions: Parameters<typeof condition>[]) =>
  settledCase({ status: { conditions: conditions.map((one) => condition(...one)) } })

t.test('a case with work left, or with a request since its status, is not finished', async (t) => {
  t.ok(isFinished(settledCase()))
  t.notOk(isSettled(undefined))
  const open: Record<string, SignatureCase> = {
    'that is new': signatureCase(),
    'that is not settled': withConditions(['Ended'], ['Settled', 'False']),
    'that is being erased': settledCase({
      status: { erasure: { rule: 'annotation', decidedAt: ENDED_AT } },
    }),
    'whose erasure is requested': withMetadata({ annotations: { [ERASE_ANNOTATION]: CASE_ID } }),
    'whose erasure is requested by mistake': withMetadata({
      annotations: { [ERASE_ANNOTATION]: 'other' },
    }),
    'that is being removed': withMetadata({ deletionTimestamp: ENDED_AT }),
    'that changed since its status': withMetadata({ generation: 2 }),
  }
  for (const [name, one] of Object.entries(open)) {
    t.notOk(isFinished(one), `a case ${name}`)
    t.equal(finishedOf(one), undefined, `a case ${name}`)
  }
})

t.test('a mistaken request that a condition already shows leaves a case finished', async (t) => {
  const made = withConditions(['Ended'], ['Settled'], ['Erased', 'False'])
  const annotations = { [ERASE_ANNOTATION]: 'other' }
  t.ok(isFinished({ ...made, metadata: { ...made.metadata, annotations } }))
})

t.test('its end and the time of its delivery log say when it gets work again', async (t) => {
  t.same(finishedOf(settledCase()), { phase: 'DONE', endedMs })
  t.same(finishedOf(settledCase({ definition: { callback: callback() } })), {
    phase: 'DONE',
    endedMs,
    loggedMs: Date.parse(CREATED_AT),
  })
  t.equal(finishedOf(withConditions(['Settled'])), undefined, 'the time of its end is unknown')
})
