/**
 * Signatures of our own are valid, and everything that is wrong with one is reported with its key.
 */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import type { FileStructure } from '../../fixtures/pdf.ts'
import {
  curveKey,
  identity,
  issuingCa,
  janka,
  NOW,
  root,
  rsaKey,
  seal,
  signer,
  stamp,
} from '../../fixtures/pki.ts'
import { LATER, OPTIONS, signerRequest, signSample, SIGNERS } from './sample.ts'

const sample = await signSample()
const NOW_TEXT = NOW.toISOString()

const validateKeys = async (bytes: Uint8Array) => {
  const { signatures } = await validateSignatures(bytes, OPTIONS)
  return signatures.map(({ errors, warnings }) => [...errors, ...warnings].map(({ key }) => key))
}

t.test('every structure of file is valid, also after the certificates ended', async (t) => {
  const structures: FileStructure[] = ['table', 'stream', 'object-streams', 'hybrid', 'linearized']
  for (const structure of structures) {
    const signed = await signSample(buildPdf({ structure }))
    for (const options of [OPTIONS, LATER]) {
      const report = await validateSignatures(signed, options)
      t.same(
        report.signatures.map(({ indication }) => indication),
        ['TOTAL_PASSED', 'TOTAL_PASSED', 'TOTAL_PASSED'],
        structure,
      )
      t.same(
        report.signatures.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
        [],
      )
    }
  }
})

t.test('the report says who signed, when, and what is covered', async (t) => {
  const report = await validateSignatures(sample, LATER)
  t.match(report, {
    reportVersion: 1,
    document: {
      size: sample.length,
      pdfVersion: '1.7',
      encrypted: false,
      unsignedTailBytes: 0,
      sha256: createHash('sha256').update(sample).digest('hex'),
    },
    summary: {
      indication: 'TOTAL_PASSED',
      signaturesCount: 3,
      validSignaturesCount: 3,
      documentModifiedAfterSigning: 'permitted',
    },
    documentTimestamps: [],
  })
  const [first, second, last] = report.signatures
  t.match(first, {
    id: 'S-1',
    fieldName: 'Janka',
    level: 'PAdES-BASELINE-T',
    subFilter: 'ETSI.CAdES.detached',
    type: 'approval',
    integrity: {
      byteRangeValid: true,
      coverage: 'ENTIRE_REVISION',
      digestAlgorithm: 'sha256',
      digestMatch: true,
      signatureAlgorithm: 'ecdsa-sha256',
      signatureValueValid: true,
    },
    modifications: { level: 'FORM_FILLING' },
    signer: { commonName: 'Janka Žltá', subject: 'CN=Janka Žltá' },
    claimedSigningTime: NOW_TEXT,
    bestSignatureTime: NOW_TEXT,
    timestamps: [{ type: 'signature', indication: 'TOTAL_PASSED', productionTime: NOW_TEXT }],
  })
  t.equal(first.certificateChain.length, 3)
  t.match(first.certificateChain[2], { trustAnchor: { source: 'given' } })
  t.equal(second.fieldName, 'Lubos')
  t.match(last, { integrity: { coverage: 'ENTIRE_FILE' }, modifications: { level: 'NONE' } })
})

t.test('a document without signatures has an empty report', async (t) => {
  const report = await validateSignatures(buildPdf(), OPTIONS)
  t.same(report.signatures, [])
  t.equal(report.summary.indication, undefined)
  t.equal(report.summary.documentModifiedAfterSigning, 'none')
})

t.test('what is not a PDF is an error', async (t) => {
  await t.rejects(validateSignatures(Buffer.from('hello'), OPTIONS), { code: 'NOT_A_PDF' })
  await t.rejects(validateSignatures(new Uint8Array(), OPTIONS), PadesError)
})

t.test('without a time-stamp the signature is level B and ends with its certificate', async (t) => {
  const signed = await signSample(buildPdf(), { timeStamp: undefined })
  const now = await validateSignatures(signed, OPTIONS)
  t.same(
    now.signatures.map(({ level }) => level),
    Array(3).fill('PAdES-BASELINE-B'),
  )
  t.equal(now.summary.indication, 'TOTAL_PASSED')
  const later = await validateSignatures(signed, LATER)
  t.match(later.signatures[0], {
    indication: 'INDETERMINATE',
    subIndication: 'OUT_OF_BOUNDS_NO_POE',
  })
})

t.test('RSA and P-384 signatures are valid too', async (t) => {
  const signers = [
    signerRequest(await signer('RSA', { key: rsaKey() }), 'rsa', 500),
    signerRequest(await signer('P-384', { key: curveKey('P-384') }), 'p384', 600),
  ]
  const report = await validateSignatures(await signSample(buildPdf(), { signers }), LATER)
  t.equal(report.summary.validSignaturesCount, 3)
  t.same(
    report.signatures.map(({ integrity }) => integrity.signatureAlgorithm),
    ['rsa-sha256', 'ecdsa-sha384', 'ecdsa-sha256'],
  )
})

t.test('an unknown signer is not trusted, whatever the name says', async (t) => {
  const impostor = await identity({ profile: 'root', subject: { commonName: 'Janka Žltá' } })
  const forged = await identity({ issuer: impostor, subject: { commonName: 'Janka Žltá' } })
  const signed = await signSample(buildPdf(), {
    signers: [signerRequest(impostor, 'a', 500), signerRequest(forged, 'b', 600)],
  })
  const { signatures } = await validateSignatures(signed, OPTIONS)
  for (const { indication, subIndication } of signatures.slice(0, 2)) {
    t.equal(indication, 'INDETERMINATE')
    t.equal(subIndication, 'NO_CERTIFICATE_CHAIN_FOUND')
  }
  t.equal(signatures[2].indication, 'TOTAL_PASSED')
})

t.test('a certificate issued by a signer is refused', async (t) => {
  const forged = await signer('Forged', { issuer: janka })
  const signed = await signSample(buildPdf(), { signers: [signerRequest(forged, 'f', 500)] })
  const [report] = (await validateSignatures(signed, OPTIONS)).signatures
  t.match(report, { indication: 'INDETERMINATE', subIndication: 'CHAIN_CONSTRAINTS_FAILURE' })
})

t.test('revocation that is published and not looked at leaves it INDETERMINATE', async (t) => {
  const published = await signer('Ján', { publishedAt: { crlUrl: 'http://pki.example/ca.crl' } })
  const signed = await signSample(buildPdf(), { signers: [signerRequest(published, 'p', 500)] })
  const [report] = (await validateSignatures(signed, OPTIONS)).signatures
  t.match(report, { indication: 'INDETERMINATE', subIndication: 'TRY_LATER' })
  const trusting = { ...OPTIONS, acceptUncheckedRevocation: true }
  t.equal((await validateSignatures(signed, trusting)).summary.indication, 'TOTAL_PASSED')
})

t.test('a time-stamp of another signature is found out', async (t) => {
  const tokens: Uint8Array[] = []
  const signed = await signSample(buildPdf(), {
    timeStamp: async (digest) => {
      tokens.push(await stamp(digest))
      return tokens[0]
    },
  })
  const [first, second] = await validateKeys(signed)
  t.same(first, [])
  t.same(second, ['SIGNATURE_TIME_STAMP_BROKEN'])
})

t.test('a time-stamp from before the certificate fails the signature', async (t) => {
  const early = new Date('2026-03-01T00:00:00Z')
  const signed = await signSample(buildPdf(), { timeStamp: (digest) => stamp(digest, early) })
  const [report] = (await validateSignatures(signed, OPTIONS)).signatures
  t.match(report, { indication: 'TOTAL_FAILED', subIndication: 'NOT_YET_VALID' })
})

t.test('a time-stamp from an authority that is not trusted proves no time', async (t) => {
  const stranger = await identity({ profile: 'tsa', subject: { commonName: 'Stranger' } })
  const signed = await signSample(buildPdf(), {
    timeStamp: (digest) => stamp(digest, NOW, stranger),
  })
  const [report] = (await validateSignatures(signed, LATER)).signatures
  t.match(report, { indication: 'INDETERMINATE', subIndication: 'OUT_OF_BOUNDS_NO_POE' })
  t.match(report.warnings, [{ key: 'SIGNATURE_TIME_STAMP_NOT_TRUSTED' }])
})

t.test('signing what others signed leaves theirs valid', async (t) => {
  const other = await signer('Peter')
  const again = await signSample(sample, {
    signers: [signerRequest(other, 'Peter', 100)],
    seal: { fieldName: 'Seal', name: 'Second seal', credential: seal },
  })
  const report = await validateSignatures(again, LATER)
  t.equal(report.summary.validSignaturesCount, 5)
  t.same(
    report.signatures.map(({ modifications }) => modifications.level),
    ['FORM_FILLING', 'FORM_FILLING', 'FORM_FILLING', 'FORM_FILLING', 'NONE'],
  )
})

t.test('an anchor that cannot be read is an error', async (t) => {
  const trustAnchors = [root.certificate, issuingCa.certificate.subarray(1)]
  const options = { ...OPTIONS, trustAnchors }
  await t.rejects(validateSignatures(sample, options), { code: 'BAD_CERTIFICATE' })
})

t.test('one signature covers the whole file in one pass', async (t) => {
  const alone = await signSample(buildPdf(), { signers: [SIGNERS[0]], seal: undefined })
  const report = await validateSignatures(alone, OPTIONS)
  t.same(
    report.signatures.map(({ integrity }) => integrity.coverage),
    ['ENTIRE_FILE'],
  )
  t.equal(report.summary.documentModifiedAfterSigning, 'none')
})
