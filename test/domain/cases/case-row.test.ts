/** Rows of the index follow from the case alone. */
import t from 'tap'
import { meets, phaseAt, rowOf } from '../../../domain/cases/case-row.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import {
  CASE_ID,
  CREATED_AT,
  signatureCase,
  SIGNED_AT,
  TENANT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

const EXPIRY_MS = Date.parse(VALID_UNTIL)

t.test('a row has what a search needs, and nothing else of people', async (t) => {
  const one = signatureCase({ phase: 'IN_PROGRESS', definition: { title: 'Zmluva  Ž' } })
  t.same(rowOf({ ...one, metadata: { ...one.metadata, resourceVersion: '42' } }), {
    tenant: TENANT,
    caseId: CASE_ID,
    createdMs: Date.parse(CREATED_AT),
    phase: 'IN_PROGRESS',
    expiresAtMs: EXPIRY_MS,
    text: `\n${CASE_ID}\nzmluva z\nlubos stastny\np1@example.com\njana novakova\np2@example.com\n`,
    version: 42,
    isArchived: false,
  })
})

t.test('an erased case has no text of people', async (t) => {
  const one = signatureCase({ phase: 'DONE', signed: 2 })
  const erasure = { rule: 'retention', decidedAt: SIGNED_AT } as const
  t.equal(rowOf({ ...one, status: { ...one.status!, erasure } })?.text, `\n${CASE_ID}\n`)
})

t.test('a case expires at its deadline unless everybody has signed', async (t) => {
  for (const phase of PHASES) {
    const row = rowOf(signatureCase({ phase }))!
    const isOpen = phase === 'NEW' || phase === 'IN_PROGRESS'
    t.equal(phaseAt(row, EXPIRY_MS - 1), phase)
    t.equal(phaseAt(row, EXPIRY_MS), isOpen ? 'EXPIRED' : phase)
  }
  const signed = rowOf(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))!
  t.equal(phaseAt(signed, EXPIRY_MS), 'IN_PROGRESS')
})

t.test('a stated cancellation counts before the controller records it', async (t) => {
  const one = signatureCase({ phase: 'IN_PROGRESS' })
  const cancellation = { at: SIGNED_AT }
  t.equal(rowOf({ ...one, spec: { ...one.spec, cancellation } })?.phase, 'CANCELLED')
  const done = signatureCase({ phase: 'DONE', signed: 2 })
  t.equal(rowOf({ ...done, spec: { ...done.spec, cancellation } })?.phase, 'DONE')
})

t.test('an applied case has a row once the controller took it up', async (t) => {
  const { status, spec, ...rest } = signatureCase({ phase: 'IN_PROGRESS' })
  const applied = { ...rest, spec: { ...spec, creation: { at: CREATED_AT } } }
  t.equal(rowOf(applied), undefined)
  t.ok(rowOf({ ...applied, status: status! }))
  t.equal(rowOf({ ...rest, spec: { ...spec, creation: { ...spec.creation, at: 'x' } } }), undefined)
})

t.test('a filter needs all of its conditions', async (t) => {
  const row = { phase: 'DONE' as const, text: '\na b\nx@example.com\n', createdMs: 5 }
  t.ok(meets(row, {}))
  t.ok(meets(row, { phases: ['DONE'], words: ['a', 'x@'], email: 'x@example.com' }))
  t.notOk(meets(row, { phases: ['NEW'] }))
  t.notOk(meets(row, { phases: [] }))
  t.notOk(meets(row, { words: ['a', 'z'] }))
  t.notOk(meets(row, { email: 'example.com' }))
  t.ok(meets(row, { createdFromMs: 5, createdBeforeMs: 6 }))
  t.notOk(meets(row, { createdFromMs: 6 }))
  t.notOk(meets(row, { createdBeforeMs: 5 }))
})
