import t from 'tap'
import { specFault } from '../../../domain/cases/check.ts'
import { MAXIMUM_TITLE_LENGTH } from '../../../domain/limits.ts'
import { participant, signatureCase } from '../../fixtures/signature-case.ts'

const specOf = (...options: Parameters<typeof signatureCase>) => signatureCase(...options).spec

t.test('a whole spec has no fault', async (t) => {
  t.equal(specFault(specOf({ signed: 2, cancellation: { at: '2026-11-02T09:00:00Z' } })), undefined)
})

t.test('a title counts in characters, as the API counts it', async (t) => {
  const title = '😀'.repeat(MAXIMUM_TITLE_LENGTH)
  t.equal(specFault(specOf({ definition: { title } })), undefined)
  t.match(specFault(specOf({ definition: { title: `${title}x` } })), /^spec\/definition\/title: /)
})

t.test('what an old API server let through is found, with its place', async (t) => {
  const bad: [object, RegExp][] = [
    [specOf({ definition: { validUntil: 'tomorrow' } }), /validUntil/],
    [specOf({ participants: [] }), /participants/],
    [specOf({ participants: [participant(1, { language: 'de' as 'sk' })] }), /language/],
    [specOf({ participants: [participant(1, { id: 'one' })] }), /participants\/0\/id/],
    [specOf({ participants: [participant(1, { email: 'nowhere' })] }), /email/],
    [{}, /^spec/],
  ]
  for (const [spec, where] of bad) t.match(specFault(spec), where)
})
