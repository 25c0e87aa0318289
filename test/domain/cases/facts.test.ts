/** Facts count only with the API's signature, and the first of a participant counts. */
import t from 'tap'
import { buildFactSigner, FactKeys } from '../../../adapters/embedded/fact-keys.ts'
import { acceptedSignatures, sealFact } from '../../../domain/cases/facts.ts'
import { SignatureFact } from '../../../domain/cases/spec.ts'
import type { FactVerifier } from '../../../domain/ports/keyring.ts'
import {
  CASE_ID,
  factKey,
  keyring,
  participant,
  signature,
  signatureCase,
  TENANT,
} from '../../fixtures/signature-case.ts'

const [jana, peter] = [participant(1), participant(2)]

const accepted = (signatures: SignatureFact[], verifier: FactVerifier = keyring) =>
  acceptedSignatures(verifier, signatureCase({ phase: 'IN_PROGRESS', signatures }))

t.test('a fact of the API counts', async (t) => {
  const fact = signature(jana)
  t.same(accepted([fact]), [fact])
})

t.test('a signature has the members that it always had: the API signs all of them', async (t) => {
  // One more would be dropped by a rollback of the definitions, and the signature with it
  // (decision 2).
  const members =
    'factId participantId signedAt documentSha256 consent client drawing fieldIds rectangles ' +
    'pageSize ip userAgent trail signature'
  t.same(Object.keys(SignatureFact.properties), members.split(' '))
})

t.test('a fact without a good signature is ignored', async (t) => {
  const fact = signature(jana)
  const { kid, value } = fact.signature
  const other = signature(jana, { ip: '192.0.2.8' }).signature
  const bad: unknown[] = [
    other,
    { kid, value: '0'.repeat(128) },
    { kid, value: '' },
    { kid, value: `${value}00` },
    { kid, value: value.toUpperCase() },
    { kid, value: `${value}\n` },
    { kid: 'unknown', value },
    { kid: '__proto__', value },
    { kid },
    { value },
    {},
    'text',
    null,
    undefined,
  ]
  for (const one of bad) {
    const forged = { ...fact, signature: one } as unknown as SignatureFact
    t.same(accepted([forged]), [], JSON.stringify(one))
  }
})

t.test('who can only check facts cannot sign one', async (t) => {
  const fact = signature(jana)
  const { x = '' } = factKey(fact.signature.kid)
  // The public octets used as a private key make another key.
  const forger = buildFactSigner({ ...factKey('other'), kid: fact.signature.kid })
  const { signature: _, ...unsigned } = fact
  const forged = sealFact(forger, TENANT, CASE_ID, unsigned)
  t.same(accepted([forged]), [])
  t.throws(() => buildFactSigner({ kid: 'k', kty: 'OKP', crv: 'Ed25519', x }))
  t.notOk('signFact' in new FactKeys([factKey('k')]))
})

t.test('a fact of which any member was edited is ignored', async (t) => {
  const fact = signature(jana)
  const edits: Partial<SignatureFact>[] = [
    { participantId: peter.id },
    { factId: '00000000-0000-4000-8000-000000000000' },
    { signedAt: '2026-11-02T09:00:00.001Z' },
    { documentSha256: 'f'.repeat(64) },
    { consent: { ...fact.consent, textVersion: 'other' } },
    { drawing: { ...fact.drawing, sha256: 'f'.repeat(64) } },
    { fieldIds: ['f2'] },
    { rectangles: [{ page: 1, x: 0, y: 0, width: 9, height: 9, unit: 'pt' }] },
    { ip: '192.0.2.8' },
    { trail: { sequence: 1, hash: 'f'.repeat(64) } },
    { userAgent: 'Other/1.0' },
  ]
  for (const edit of edits) t.same(accepted([{ ...fact, ...edit }]), [], JSON.stringify(edit))
})

t.test('a fact is good for its own case and tenant alone', async (t) => {
  const { signature: _, ...unsealed } = signature(jana)
  t.same(
    accepted([sealFact(keyring, 'other', '7a0f4f6e-2c55-4f0e-9a63-1d2f5c1b8e01', unsealed)]),
    [],
  )
  t.same(
    accepted([sealFact(keyring, 'acme', '00000000-0000-4000-8000-000000000000', unsealed)]),
    [],
  )
})

t.test('the first good fact of a participant counts, whatever precedes it', async (t) => {
  const forged = { ...signature(jana), signature: signature(peter).signature }
  const first = signature(jana, { fieldIds: ['f1'] })
  const second = signature(jana, { fieldIds: ['f1', 'f1'] })
  t.same(accepted([forged, first, second]), [first])
})

t.test('a fact of somebody who is not a participant is ignored', async (t) => {
  t.same(accepted([signature(participant(9))]), [])
})

t.test('signatures come in order of signing', async (t) => {
  const late = signature(jana, { signedAt: '2026-11-02T10:00:00.000Z' })
  const early = signature(peter, { signedAt: '2026-11-02T09:00:00.000Z' })
  t.same(accepted([late, early]), [early, late])
})

t.test('a fact counts while the public key of its signature is known', async (t) => {
  const { signature: _, ...unsealed } = signature(jana)
  const fact = sealFact(buildFactSigner(factKey('old')), TENANT, CASE_ID, unsealed)
  t.same(accepted([fact]), [])
  t.same(accepted([fact], new FactKeys([factKey('new'), factKey('old')])), [fact])
})
