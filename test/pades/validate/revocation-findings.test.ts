/** An authority whose key was stolen can say of its certificates what the thief wants. */
import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { NULL } from '../../../pades/cms/der.ts'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import type { RevocationReason } from '../../../pades/cms/revocation-list.ts'
import { isCovered } from '../../../pades/validate/revocation-findings.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildChain, commonName } from '../../fixtures/chains.ts'
import * as pki from '../../fixtures/pki.ts'
import { buildList } from '../../fixtures/scoped-lists.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { signerRequest, signSample } from './sample.ts'

const { longTerm, NOW, published, revocationList, root, trustAnchors } = pki
const DAY_MS = 24 * 3_600_000
const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
const AUTHORITY_ENDED = after(30)
const VALIDATED = after(100)

const signer = await published.signer('Signer of an authority', { notAfter: after(300) })
const signers = [signerRequest(signer, 'Signer', 500)]

/** What the root says of the authority, and the authority of the signer. */
async function listsWith(
  reason: Exclude<RevocationReason, 'unspecified'> | undefined,
  signerRevokedAt?: Date,
) {
  const times = { thisUpdate: after(31), nextUpdate: after(365) }
  const entry = (der: Uint8Array, revokedAt: Date) => ({
    serialNumber: readCertificate(der).serialNumber,
    revokedAt,
    ...(reason && { reason }),
  })
  const own = signerRevokedAt ? [entry(signer.certificate, signerRevokedAt)] : []
  return [
    await revocationList(published.ca, own, times),
    await revocationList(root, [entry(published.ca.certificate, AUTHORITY_ENDED)], times),
  ]
}

const validated = (file: Uint8Array, revocationLists: readonly Uint8Array[]) =>
  validateSignatures(file, {
    trustAnchors,
    validationTime: VALIDATED,
    revocationData: { revocationLists, ocspResponses: [] },
  })

async function findingsOf(file: Uint8Array, revocationLists: readonly Uint8Array[]) {
  const { indication, subIndication, errors } = (await validated(file, revocationLists))
    .signatures[0]!
  return [indication, subIndication, ...errors.map(({ key }) => key)]
}

const DOUBTED = ['INDETERMINATE', 'REVOKED_CA_NO_POE', 'AUTHORITY_REVOKED']
const PASSED = ['TOTAL_PASSED', undefined]

t.test('lists of an authority that was revoked later', async (t) => {
  const file = await signSample(undefined, { signers })
  t.same(await findingsOf(file, await listsWith('keyCompromise')), DOUBTED)
  t.same(await findingsOf(file, await listsWith(undefined)), DOUBTED, 'without a reason')
  const later = await listsWith('keyCompromise', after(1))
  t.same(await findingsOf(file, later), DOUBTED, 'it says that it revoked the signer later')
  t.same(await findingsOf(file, await listsWith('cessationOfOperation')), PASSED, 'nobody stole it')
  const earlier = await listsWith('cessationOfOperation', after(-1))
  t.same((await findingsOf(file, earlier)).at(-1), 'CERTIFICATE_REVOKED')
})

t.test('lists that a time-stamp proves to be older', async (t) => {
  const file = await signSample(undefined, { signers, longTerm })
  t.same(await findingsOf(file, await listsWith('keyCompromise')), PASSED)
})

/** A document time-stamp of an authority that is not the one that was revoked. */
const stamped = (file: Buffer) =>
  appendSigned(file, withFieldOnPage(file, `/Rect [0 0 0 0] /V ${SIGNATURE} 0 R`), {
    subFilter: 'ETSI.RFC3161',
    makeContents: (signed) => pki.stamp(createHash('sha256').update(signed).digest(), after(1)),
  })

t.test('a time-stamp below an authority that was revoked later', async (t) => {
  const file = await signSample(undefined, { timeStamp: (digest) => pki.publishedStamp(digest) })
  const findings = async (lists: readonly Uint8Array[]) => {
    const { signatures, documentTimestamps } = await validated(await stamped(file), lists)
    t.same(
      documentTimestamps.map(({ indication }) => indication),
      ['TOTAL_PASSED'],
    )
    return signatures[0]!.timestamps[0]!.errors.map(({ key }) => key)
  }
  t.same(await findings(await listsWith('keyCompromise')), ['AUTHORITY_REVOKED'])
  t.same(await findings(await listsWith('superseded')), [])
})

t.test('a certificate that is never revoked needs no revocation data', async (t) => {
  const isEnoughWith = async (...types: readonly string[]) => {
    const extensions = types.map((type) => extension(type, false, NULL))
    const name = commonName('Authority of short lives')
    const [leaf, authority, top] = await buildChain([{ name, extensions }, { extensions }])
    const list = await buildList({ issuer: top!.subject, depth: 0 })
    const evidence = new RevocationEvidence({ revocationLists: [list], ocspResponses: [] })
    const none = new RevocationEvidence({ revocationLists: [], ocspResponses: [] })
    t.notOk(isCovered([leaf!, authority!, top!], none, NOW), 'authorities can be revoked')
    return isCovered([leaf!, authority!, top!], evidence, NOW)
  }
  t.notOk(await isEnoughWith())
  t.ok(await isEnoughWith(OID.shortTerm))
  t.ok(await isEnoughWith(OID.noRevocationAvailable))
})

t.test('an anchor for another purpose or time can be revoked as any authority', async (t) => {
  const { certificate } = published.ca
  const file = await signSample(undefined, { signers, timeStamp: undefined })
  const verdictWith = async (anchor: object, ...lists: readonly Uint8Array[]) => {
    const revocationLists = [await revocationList(published.ca), ...lists]
    const report = await validateSignatures(file, {
      trustAnchors: [{ certificate, ...anchor }, ...trustAnchors],
      validationTime: NOW,
      revocationData: { revocationLists, ocspResponses: [] },
    })
    return report.signatures[0]!.errors.map(({ key }) => key)
  }
  const entry = { serialNumber: readCertificate(certificate).serialNumber, revokedAt: after(-1) }
  const good = await revocationList(root)
  const revoking = await revocationList(root, [entry])
  t.same(await verdictWith({}), [], 'an anchor needs no list')
  t.same(await verdictWith({}, revoking), [], 'and is not revoked by others')
  const ofOthers = [
    { purposes: ['time-stamp'] },
    { periods: [{ from: new Date(0), until: after(-30) }] },
  ]
  for (const anchor of ofOthers) {
    t.same(await verdictWith(anchor, good), [])
    t.same(await verdictWith(anchor), ['REVOCATION_UNKNOWN'])
    t.same(await verdictWith(anchor, revoking), ['CERTIFICATE_REVOKED'])
  }
})
