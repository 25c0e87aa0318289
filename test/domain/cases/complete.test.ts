import t from 'tap'
import {
  accept,
  acceptedStatus,
  completed,
  FINALIZER,
  isAccepted,
  withFinalizer,
} from '../../../domain/cases/complete.ts'
import { newCase } from '../../../domain/cases/create.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { CASE_ID, CREATED_AT, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const FIELD = { page: 1, x: 1, y: 1, width: 9, height: 9, unit: 'pt' as const }
const PERSON = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com' }

/** As an API server keeps a case that a person applied: without creation and ids. */
function applied(status?: object): SignatureCase {
  const { metadata, ...rest } = signatureCase()
  const participants = [
    { ...PERSON, signatureFields: [FIELD, { ...FIELD, id: 'second' }] },
    { ...PERSON, signatureFields: [{ ...FIELD, id: 'only' }] },
    PERSON,
  ]
  const definition = { ...rest.spec.definition, participants }
  const spec = { definition, signatures: [] }
  return { ...rest, metadata, spec, ...(status && { status }) } as unknown as SignatureCase
}

t.test('ids that a definition leaves out are those that the API would give', async (t) => {
  const participants = [{ ...PERSON, signatureFields: [FIELD] }, PERSON]
  const input = { title: 'Contract', validUntil: '2026-11-30T00:00:00Z', participants }
  const made = newCase(TENANT, CASE_ID, input, { at: CREATED_AT, ip: '192.0.2.1' })
  const bare = {
    ...made,
    spec: { ...made.spec, definition: { ...made.spec.definition, ...input } },
  }
  const read = completed(bare as unknown as SignatureCase)
  const ids = ({ spec }: SignatureCase) =>
    spec.definition.participants.map((one) => [one.id, one.signatureFields.map(({ id }) => id)])
  t.same(ids(read), ids(made))
  t.match(read.spec.definition.participants[1]?.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

t.test('a case that lacks nothing is given as it is, and a stated id stays', async (t) => {
  const whole = signatureCase()
  t.equal(completed(whole), whole)
  t.equal(
    completed(completed(applied())).spec.definition.participants[1]?.signatureFields[0]?.id,
    'only',
  )
})

t.test('what was stored is not changed by reading it', async (t) => {
  const stored = applied()
  const before = structuredClone(stored)
  completed(stored)
  t.same(stored, before)
})

t.test('an applied case is created when its resource is, and accepted by its status', async (t) => {
  const read = completed(applied())
  t.notOk(isAccepted(read))
  t.same(accept(read).spec.creation, { at: CREATED_AT })
  const later = '2026-11-05T00:00:00.000Z'
  const known = completed(applied({ phase: 'NEW', conditions: [], createdAt: later }))
  t.ok(isAccepted(known))
  t.same(known.spec.creation, { at: later }, 'a restored resource is younger than its case')
  t.equal(accept(known), known)
})

t.test('the status of an applied case lists its ids, that of another nothing', async (t) => {
  const value = accept(completed(applied()))
  const [first, second, third] = value.spec.definition.participants
  t.same(acceptedStatus(value), {
    createdAt: CREATED_AT,
    participants: [
      { id: first?.id, signatureFieldIds: [first?.signatureFields[0]?.id, 'second'] },
      { id: second?.id },
      { id: third?.id },
    ],
  })
  t.same(acceptedStatus(signatureCase()), {})
})

t.test('the finalizer is added once, beside those of others', async (t) => {
  const value = signatureCase()
  const metadata = { ...value.metadata, finalizers: ['other'] }
  const kept = withFinalizer(withFinalizer({ ...value, metadata }))
  t.same(kept.metadata.finalizers, ['other', FINALIZER])
})
