/** Signatures that last, with every kind of key, judged by us and by programs of others. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import {
  readCertificate,
  signDocument,
  validateSignatures,
  type RevocationQuestion,
  type SignatureAlgorithm,
  type SigningRequest,
} from '../../../pades/index.ts'
import { gatherValidationData } from '../../../pades/sign/validation-data.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import * as pki from '../../fixtures/pki.ts'
import {
  answerOf,
  authority,
  issueResponder,
  leaf,
  publishedInList,
  respondersList,
  uses,
} from '../../fixtures/responder.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'
import { complaintOfQpdf, has } from '../../e2e/harness.ts'
import { AT_TIME, openssl, pem, skip } from '../cms/openssl.ts'

const ORIGINAL = await smallDocument()

const KEYS: Readonly<Record<SignatureAlgorithm, () => ReturnType<typeof pki.rsaKey>>> = {
  'ecdsa-p256-sha256': () => pki.curveKey('P-256'),
  'ecdsa-p384-sha384': () => pki.curveKey('P-384'),
  'rsa-pkcs1-sha256': () => pki.rsaKey('rsa-pkcs1-sha256'),
  'rsa-pkcs1-sha384': () => pki.rsaKey('rsa-pkcs1-sha384'),
  'rsa-pkcs1-sha512': () => pki.rsaKey('rsa-pkcs1-sha512'),
  'rsa-pss-sha256': () => pki.rsaKey('rsa-pss-sha256'),
  'rsa-pss-sha384': () => pki.rsaKey('rsa-pss-sha384'),
  'rsa-pss-sha512': () => pki.rsaKey('rsa-pss-sha512'),
}

/** What a signature covers, and its DER. */
function parts(file: Uint8Array, byteRange: readonly number[]) {
  const [, length = 0, start2 = 0, length2 = 0] = byteRange
  const hole = Buffer.from(file.subarray(length + 1, start2 - 1)).toString('latin1')
  const contents = Buffer.from(hole, 'hex')
  const covered = Buffer.concat([file.subarray(0, length), file.subarray(start2, start2 + length2)])
  const size = contents[1] === 0x82 ? contents.readUInt16BE(2) + 4 : contents.length
  return { der: contents.subarray(0, size), covered }
}

async function sealedBy(key: ReturnType<typeof pki.rsaKey>) {
  const { certificates, algorithm, sign } = await pki.published.signer('Seal', {
    profile: 'seal',
    key,
  })
  const { bytes } = await signDocument(ORIGINAL, {
    signers: [],
    seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
    sealedAt: pki.NOW,
    timeStamp: (digest) => pki.publishedStamp(digest),
    longTerm: pki.longTerm,
  })
  return bytes
}

function judgedByOpenssl(
  t: Test,
  file: Uint8Array,
  seal: readonly number[],
  stamp: readonly number[],
) {
  const trusted = { 'root.pem': pem(pki.root.certificate) }
  const signature = parts(file, seal)
  const cms = openssl(
    { ...trusted, 's.der': signature.der, 'covered.bin': signature.covered },
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', 's.der'],
    ...['-content', 'covered.bin', '-CAfile', 'root.pem', '-purpose', 'any', '-out', 'out.bin'],
    ...AT_TIME,
  )
  t.equal(cms.status, 0, cms.output)
  t.match(cms.output, /CAdES Verification successful/)
  const token = parts(file, stamp)
  const ts = openssl(
    { ...trusted, 't.der': token.der, 'covered.bin': token.covered },
    ...['ts', '-verify', '-token_in', '-in', 't.der', '-data', 'covered.bin'],
    ...['-CAfile', 'root.pem', ...AT_TIME],
  )
  t.match(ts.output, /Verification: OK/, 'the document time-stamp')
}

const canQpdf = await has('qpdf')

for (const [algorithm, keyOf] of Object.entries(KEYS)) {
  t.test(`a seal with ${algorithm} lasts`, async (t) => {
    const key = keyOf()
    t.equal(key.algorithm, algorithm)
    const file = await sealedBy(key)
    t.ok(Buffer.from(file.subarray(0, ORIGINAL.length)).equals(ORIGINAL), 'a prefix')
    const { signatures, documentTimestamps } = await validateSignatures(file, {
      trustAnchors: pki.trustAnchors,
      validationTime: pki.NOW,
    })
    t.match(signatures, [{ indication: 'TOTAL_PASSED', level: 'PAdES-BASELINE-LTA' }])
    const [seal, stamp] = [...signatures, ...documentTimestamps]
    if (!seal || !stamp) return
    const { byteRange } = seal.integrity
    if (!skip) judgedByOpenssl(t, file, byteRange, stamp.integrity.byteRange)
    if (canQpdf) t.equal(await complaintOfQpdf(file), undefined)
  })
}

const skipPss = 'Deno' in globalThis ? 'Deno does not export such keys' : false
t.test('a key that is for PSS alone seals as well', { skip: skipPss }, async (t) => {
  const key = pki.pssKey('sha384')
  t.equal(key.algorithm, 'rsa-pss-sha384')
  const { signatures } = await validateSignatures(await sealedBy(key), {
    trustAnchors: pki.trustAnchors,
    validationTime: pki.NOW,
  })
  t.match(signatures, [{ indication: 'TOTAL_PASSED', level: 'PAdES-BASELINE-LTA' }])
})

t.test('the store names each signature by the digest of its contents', async (t) => {
  const file = await sealedBy(pki.curveKey('P-256'))
  const { signatures } = await validateSignatures(file, {
    trustAnchors: pki.trustAnchors,
    validationTime: pki.NOW,
  })
  const [, length = 0, start2 = 0] = signatures[0]?.integrity.byteRange ?? []
  const hole = Buffer.from(file.subarray(length + 1, start2 - 1)).toString('latin1')
  const name = createHash('sha1').update(Buffer.from(hole, 'hex')).digest('hex').toUpperCase()
  t.ok(Buffer.from(file).includes(`/${name}`))
  t.ok(Buffer.from(file).includes('/DSS'))
})

/** A seal that lasts with what the authorities answer. */
function sealed(revocation: NonNullable<SigningRequest['longTerm']>['revocation']) {
  const { certificates, algorithm, sign } = pki.published.seal
  return signDocument(ORIGINAL, {
    signers: [],
    seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
    sealedAt: pki.NOW,
    timeStamp: (digest) => pki.publishedStamp(digest),
    longTerm: { fieldName: 'Archive', revocation },
  })
}

t.test('revocation is asked for once for each certificate but roots', async (t) => {
  const asked: RevocationQuestion[][] = []
  await sealed(async (questions) => {
    asked.push([...questions])
    return { revocationLists: pki.revocationLists, ocspResponses: [] }
  })
  const { seal, authority, ca } = pki.published
  const expected = [seal, authority, ca].map(({ certificate }) => certificate)
  t.equal(asked.length, 1)
  const order = (list: Uint8Array[]) => list.map((der) => Buffer.from(der).toString('hex')).sort()
  t.same(order((asked[0] ?? []).map(({ certificate }) => certificate)), order(expected))
})

t.test('a certificate that was revoked, and data that are missing, stop the signing', async (t) => {
  const signed = (revocationLists: readonly Uint8Array[]) =>
    sealed(async () => ({ revocationLists, ocspResponses: [] }))
  const { serialNumber } = readCertificate(pki.published.seal.certificate)
  const revokedAt = new Date(pki.NOW.getTime() - 60_000)
  const revoked = await pki.revocationList(pki.published.ca, [{ serialNumber, revokedAt }])
  const [own, ofRoot] = pki.revocationLists as [Uint8Array, Uint8Array]
  await t.rejects(signed([revoked, ofRoot]), { code: 'CERTIFICATE_REVOKED' })
  await t.rejects(signed([own]), { code: 'REVOCATION_DATA_MISSING' })
  await t.rejects(signed([]), { code: 'REVOCATION_DATA_MISSING' })
  const past = { nextUpdate: new Date(pki.NOW.getTime() - 1000) }
  const stale = await pki.revocationList(pki.published.ca, [], past)
  const { serialNumberText } = readCertificate(pki.published.seal.certificate)
  const message = `certificate ${serialNumberText} of CN=Published CA is not known`
  const outdated = { code: 'REVOCATION_DATA_MISSING', message: new RegExp(message) }
  await t.rejects(signed([stale, ofRoot]), outdated, 'no subject is named: it may be a person')
})

t.test('with the answer of a responder comes what says that it was not revoked', async (t) => {
  const responder = await issueResponder([uses(OID.ocspSigning), publishedInList])
  const answer = await answerOf(responder)
  const list = await respondersList()
  const signature = { contents: Uint8Array.of(1), leaves: [leaf], carried: [authority] }
  const gather = (revocationLists: readonly Uint8Array[]) =>
    gatherValidationData(
      [signature],
      [],
      async () => ({ revocationLists, ocspResponses: [answer] }),
      pki.NOW,
    )
  const [data] = await gather([list])
  t.same(data?.ocspResponses, [answer])
  t.same(data?.revocationLists, [list])
  await t.rejects(gather([]), { code: 'REVOCATION_DATA_MISSING' })
})
