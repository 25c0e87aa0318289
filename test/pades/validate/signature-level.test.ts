/** The level of a signature follows from the file, not from trust or time. */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import {
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  sortedSet,
  TAG,
  tlv,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import * as pki from '../../fixtures/pki.ts'
import { appended, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'

const validateLevels = async (
  file: Uint8Array,
  trustAnchors: readonly Uint8Array[],
  validationTime: Date,
) =>
  (await validateSignatures(file, { trustAnchors, validationTime })).signatures.map(
    ({ level }) => level,
  )

const keysOf = (findings: readonly { key: string }[]) => findings.map(({ key }) => key)

async function sealed(longTerm = pki.longTerm): Promise<Uint8Array> {
  const { certificates, algorithm, sign } = pki.published.seal
  const { bytes } = await signDocument(buildPdf(), {
    signers: [],
    seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
    sealedAt: pki.NOW,
    timeStamp: (digest) => pki.publishedStamp(digest),
    longTerm,
  })
  return bytes
}

const HOUR_MS = 3_600_000
const TIMES = {
  'when it was signed': new Date(pki.NOW.getTime() + HOUR_MS),
  'before it was signed': new Date(pki.NOW.getTime() - HOUR_MS),
  'when its revocation lists had ended': new Date('2028-01-01T00:00:00Z'),
  'when every certificate had expired': new Date('2060-01-01T00:00:00Z'),
}
const ANCHORS = {
  'the root': pki.trustAnchors,
  'the issuing authority': [pki.published.ca.certificate],
  'the signer itself': [pki.published.seal.certificate],
  nobody: [],
}

t.test('a signature that lasts is of one level for every verifier', async (t) => {
  const file = await sealed()
  for (const [who, anchors] of Object.entries(ANCHORS)) {
    for (const [when, time] of Object.entries(TIMES)) {
      const name = `trusted is ${who}, asked ${when}`
      t.same(await validateLevels(file, anchors, time), ['PAdES-BASELINE-LTA'], name)
    }
  }
})

t.test('a signature of a former kind with validation data is PKCS7-LT', async (t) => {
  const file = Buffer.from(await sealed())
  const text = file.toString('latin1').replace('/ETSI.CAdES.detached', '/adbe.pkcs7.detached')
  const levels = await validateLevels(new Uint8Array(Buffer.from(text, 'latin1')), [], pki.NOW)
  t.same(levels, ['PKCS7-LT'], 'the edit breaks the document time-stamp, so it is not LTA')
})

/** The file with a store of revocation lists. */
function withStore(file: Buffer, lists: readonly Uint8Array[]): Buffer {
  const FIRST = 1950
  const objects = lists.map((der, index) => {
    const hex = Buffer.from(der).toString('hex')
    return [FIRST + index, stream(hex).replace('<<', '<< /Filter /ASCIIHexDecode')] as const
  })
  const references = objects.map(([number]) => `${number} 0 R`).join(' ')
  const catalog = withEntry(sourceOf(file, 1), `/DSS << /CRLs [${references}] >>`)
  return appended(file, { ...Object.fromEntries(objects), 1: catalog })
}

t.test('a store gives the level LT to signatures of which it holds the data alone', async (t) => {
  const sample = await signSample()
  const levelsWith = async (...authorities: readonly pki.Identity[]) => {
    const lists = await Promise.all(authorities.map((one) => pki.revocationList(one)))
    return new Set(await validateLevels(withStore(sample, lists), pki.trustAnchors, pki.NOW))
  }
  const { issuingCa, root, published } = pki
  t.same(await levelsWith(published.ca), new Set(['PAdES-BASELINE-T']), 'data of others')
  t.same(await levelsWith(issuingCa), new Set(['PAdES-BASELINE-T']), 'none of the authority')
  t.same(await levelsWith(root), new Set(['PAdES-BASELINE-T']), 'none of the signers')
  t.same(await levelsWith(issuingCa, root), new Set(['PAdES-BASELINE-LT']))
})

t.test('a store of more data than are read is not an error', async (t) => {
  const ENTRIES = 2_001
  const sample = await signSample()
  const verdictOf = async (file: Buffer) => {
    const { signatures } = await validateSignatures(file, OPTIONS)
    return new Set(signatures.flatMap(({ indication, errors }) => [indication, ...keysOf(errors)]))
  }
  const list = await pki.revocationList(pki.root)
  const stored = withStore(sample, [list])
  t.same(await verdictOf(stored), new Set(['TOTAL_PASSED']))
  for (const key of ['Certs', 'CRLs', 'OCSPs']) {
    const many = `/${key} [${'1950 0 R '.repeat(ENTRIES)}]`
    const catalog = sourceOf(stored, 1).replace('/DSS <<', `/DSS << ${many}`)
    const later = appended(stored, {
      1: key === 'CRLs' ? catalog.replace(/\/CRLs \[1950 0 R\]/, '') : catalog,
    })
    t.same(await verdictOf(later), new Set(['INDETERMINATE', 'TOO_MUCH_VALIDATION_DATA']), key)
  }
})

t.test('a signature whose certificate signed itself does not last', async (t) => {
  const own = await pki.identity({ subject: { commonName: 'Only me' } })
  const file = await signSample(undefined, {
    signers: [],
    seal: { fieldName: 'Seal', name: 'Seal', credential: own },
    timeStamp: (digest) => pki.publishedStamp(digest),
    longTerm: pki.longTerm,
  })
  t.same(await validateLevels(file, [own.certificate], pki.NOW), ['PAdES-BASELINE-T'])
})

t.test('a signature with content inside its CMS is not of the baseline', async (t) => {
  const sample = await signSample()
  const objects = withFieldOnPage(sample, `/Rect [10 10 60 60] /V ${SIGNATURE} 0 R`)
  const levelWith = async (content?: { type: string; encoded: Uint8Array }) => {
    const file = await appendSigned(sample, objects, { content })
    return (await validateLevels(file, pki.trustAnchors, pki.NOW)).at(-1)
  }
  t.equal(await levelWith(), 'PAdES-BASELINE-T')
  t.equal(await levelWith({ type: OID.data, encoded: new Uint8Array() }), 'PKCS7-T')
})

/** A CMS that names its certificate by the digest of a hash function. */
async function namedBy(hash: string, type: string, signed: Buffer): Promise<Uint8Array> {
  const template = signedDataTemplate(pki.lubos)
  const usual = readDer(template.signedAttributes(createHash('sha256').update(signed).digest()))
  const digest = octetString(createHash(hash).update(pki.lubos.certificate).digest())
  const reference = sequence(sequence(sequence(sequence(objectIdentifier(type)), digest)))
  const name = Buffer.from(objectIdentifier(OID.signingCertificateV2))
  const others = usual.children
    .map(({ encoded }) => encoded)
    .filter((one) => !Buffer.from(one).includes(name))
  const named = sequence(name, setOf(reference))
  const attributes = tlv(TAG.set, ...sortedSet([...others, named]))
  const value = await pki.lubos.sign(attributes)
  const token = await pki.stamp(createHash('sha256').update(value).digest())
  return template.encode(attributes, value, token)
}

t.test('a certificate that is named by MD5 alone is not named', async (t) => {
  const sample = await signSample()
  const objects = withFieldOnPage(sample, `/Rect [10 10 60 60] /V ${SIGNATURE} 0 R`)
  const verdictOf = async (hash: string, type: string) => {
    const makeContents = (signed: Buffer) => namedBy(hash, type, signed)
    const file = await appendSigned(sample, objects, { makeContents })
    const last = (await validateSignatures(file, OPTIONS)).signatures.at(-1)
    return { level: last?.level, errors: last?.errors.map(({ key }) => key) }
  }
  t.same(await verdictOf('sha384', OID.sha384), { level: 'PAdES-BASELINE-T', errors: [] })
  t.same(await verdictOf('sha1', OID.sha1), { level: 'PAdES-BASELINE-T', errors: [] })
  t.same(await verdictOf('md5', OID.md5), { level: 'PKCS7-T', errors: ['ALGORITHM_TOO_WEAK'] })
})

const encryption = (entries: string) => ({ 1900: `<< /Filter /Standard ${entries} >>` })

t.test('the name of a field is not shown where it is ciphertext', async (t) => {
  const sample = await signSample()
  const namesIn = async (file: Buffer) =>
    (await validateSignatures(file, OPTIONS)).signatures.map(({ fieldName }) => fieldName)
  t.same(await namesIn(sample), ['Janka', 'Lubos', 'Seal'])
  const encrypted = (entries: string) => appended(sample, encryption(entries), '/Encrypt 1900 0 R')
  t.same(await namesIn(encrypted('/V 2 /R 3')), ['', '', ''])
  t.same(await namesIn(encrypted('/V 5 /R 6 /StrF /StdCF')), ['', '', ''])
  t.same(await namesIn(encrypted('/V 5 /R 6 /StmF /StdCF')), ['Janka', 'Lubos', 'Seal'])
})
