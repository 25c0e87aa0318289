/** Reports in the form of ETSI TS 119 102-2, and their signature (XAdES baseline B). */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import type { CoreReport } from '../../../domain/contract/validation-report.ts'
import type { SigningDevice, SigningKeyInfo } from '../../../domain/ports/signing.ts'
import { validate, type ValidationOptions } from '../../../pades/index.ts'
import { verifyListSignature } from '../../../trusted-lists/list-signature.ts'
import { descendants, readXml, type XmlElement } from '../../../trusted-lists/xml.ts'
import {
  type ReportSource,
  writeEtsiReport,
} from '../../../workers/verification-report/etsi-report.ts'
import { signXml } from '../../../workers/verification-report/sign-report.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import {
  identity,
  type Identity,
  issuingCa,
  janka,
  NOW,
  revocationList,
  root,
  rsaKey,
  seal,
  silentLongTerm,
} from '../../fixtures/pki.ts'
import { LATER, OPTIONS, signerRequest, signSample } from '../../pades/validate/sample.ts'
import { modelFaults } from './content-model.ts'
import { isAccepted, skip } from './xmlsec.ts'

async function buildSource(
  pdf: Uint8Array,
  options: Partial<ValidationOptions> = {},
): Promise<ReportSource> {
  const { report, certificates } = await validate(pdf, { ...OPTIONS, ...options })
  return {
    report: report as unknown as CoreReport,
    certificates: certificates.map(({ der }) => der),
  }
}

const device = ({ algorithm, certificates, sign }: Identity): SigningDevice => ({
  describe: async () => ({ algorithm: algorithm as SigningKeyInfo['algorithm'], certificates }),
  sign: async (_name, data) => sign(data),
})

const find = (xml: XmlElement, name: string) =>
  [...descendants(xml)].filter((element) => element.name === name)
const textsOf = (xml: XmlElement, name: string) => find(xml, name).map(({ text }) => text)
const firstText = (xml: XmlElement, name: string) => textsOf(xml, name)[0]

const archived = await signSample(buildPdf(), { longTerm: silentLongTerm })
const broken = Buffer.from(archived)
broken[300] ^= 1
const revokingList = await revocationList(issuingCa, [
  { serialNumber: Buffer.from('00', 'hex'), revokedAt: NOW },
])

const SOURCES: Readonly<Record<string, ReportSource>> = {
  archived: await buildSource(archived, LATER),
  'without a trust anchor': await buildSource(archived, { trustAnchors: [] }),
  broken: await buildSource(broken),
  unsigned: await buildSource(buildPdf()),
  'with unrelated revocation data': await buildSource(await signSample(), {
    revocationData: { revocationLists: [revokingList], ocspResponses: [] },
  }),
}

t.test('every report has the elements of the standard in their order', async (t) => {
  for (const [name, source] of Object.entries(SOURCES)) {
    const xml = readXml(writeEtsiReport(source, seal.certificate))
    t.same(modelFaults(xml), [], name)
    t.equal(xml.namespace, 'http://uri.etsi.org/19102/v1.2.1#')
  }
})

t.test('every reference leads to an object of the report, and no identifier repeats', async (t) => {
  for (const [name, source] of Object.entries(SOURCES)) {
    const all = [...descendants(readXml(writeEtsiReport(source)))]
    const ids = all.flatMap(({ attributes }) => attributes.get('id') ?? [])
    const references = all.flatMap(({ attributes }) => attributes.get('VOReference') ?? [])
    t.equal(new Set(ids).size, ids.length, name)
    t.same(
      references.filter((one) => !ids.includes(one)),
      [],
      name,
    )
  }
})

t.test('an archived signature: indication, times, signer, quality, objects', async (t) => {
  const source = SOURCES['archived'] as ReportSource
  const xml = readXml(writeEtsiReport(source, seal.certificate))
  const [first] = find(xml, 'SignatureValidationReport') as [XmlElement]
  t.equal(find(xml, 'SignatureValidationReport').length, 3)
  t.equal(firstText(first, 'PAdESFieldName'), 'Janka')
  const [status] = find(first, 'SignatureValidationStatus') as [XmlElement]
  t.equal(firstText(status, 'MainIndication'), 'urn:etsi:019102:mainindication:total-passed')
  t.same(find(status, 'SubIndication'), [])
  t.equal(firstText(first, 'ValidationTime'), LATER.validationTime.toISOString())
  t.equal(firstText(first, 'POETime'), NOW.toISOString())
  t.equal(find(first, 'POEObject')[0]?.attributes.get('VOReference'), 'S-1-T-1')
  t.equal(firstText(first, 'Signer'), 'Janka Žltá')
  t.equal(
    firstText(first, 'SignatureQualityInformation'),
    'urn:x-sigcase:quality:PAdES-BASELINE-LTA',
  )
  t.equal(firstText(first, 'Algorithm'), 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256')
  t.match(textsOf(first, 'PolicyName'), ['sigcase-strict, version 2'])
  t.equal(find(first, 'SignaturePolicyImplied').length, 1, 'the built-in policy has no digest')
  t.match(textsOf(xml, 'TimeStampValue'), [NOW.toISOString()])
  const certificates = textsOf(xml, 'base64')
  t.ok(certificates.includes(Buffer.from(janka.certificate).toString('base64')))
  t.ok(certificates.includes(Buffer.from(root.certificate).toString('base64')))
  t.equal(firstText(xml, 'X509Certificate'), Buffer.from(seal.certificate).toString('base64'))
})

t.test('a certificate that is not at hand is named by its digest', async (t) => {
  const { report } = SOURCES['archived'] as ReportSource
  const xml = readXml(writeEtsiReport({ report, certificates: [] }))
  t.same(find(xml, 'base64'), [])
  const digest = createHash('sha256').update(janka.certificate).digest('base64')
  t.ok(textsOf(xml, 'DigestValue').includes(digest))
})

t.test('what failed: indications of the signature and of its building blocks', async (t) => {
  const xml = readXml(writeEtsiReport(SOURCES['broken'] as ReportSource))
  const [status] = find(xml, 'SignatureValidationStatus') as [XmlElement]
  t.equal(firstText(status, 'MainIndication'), 'urn:etsi:019102:mainindication:total-failed')
  t.equal(firstText(status, 'SubIndication'), 'urn:etsi:019102:subindication:HASH_FAILURE')
  const [constraint] = find(xml, 'ValidationConstraint').filter((one) =>
    firstText(one, 'ValidationConstraintIdentifier')?.endsWith(':cryptographicVerification'),
  )
  t.equal(
    constraint && firstText(constraint, 'MainIndication'),
    'urn:etsi:019102:mainindication:failed',
  )
  t.match(constraint && firstText(constraint, 'Indications'), /^DIGEST_DIFFERS: /)
  const untrusted = readXml(writeEtsiReport(SOURCES['without a trust anchor'] as ReportSource))
  t.ok(
    textsOf(untrusted, 'SubIndication').includes(
      'urn:etsi:019102:subindication:NO_CERTIFICATE_CHAIN_FOUND',
    ),
  )
})

t.test('a document without a signature has a report that says so', async (t) => {
  const xml = readXml(writeEtsiReport(SOURCES['unsigned'] as ReportSource))
  t.same(textsOf(xml, 'MainIndication'), ['urn:etsi:019102:mainindication:indeterminate'])
  t.same(textsOf(xml, 'SubIndication'), ['urn:x-sigcase:subindication:NO_SIGNATURE_FOUND'])
})

t.test('names from the PDF stay text', async (t) => {
  const name = '</Signer><Signer a="1">&amp; ]]> \u0000\ud800\ufffe'
  const { report, certificates } = SOURCES['archived'] as ReportSource
  const [first, ...others] = report.signatures
  const signatures = [
    { ...first, fieldName: name, signer: { ...first?.signer, commonName: name } },
    ...others,
  ] as CoreReport['signatures']
  const xml = readXml(writeEtsiReport({ report: { ...report, signatures }, certificates }))
  t.same(modelFaults(xml), [])
  const shown = '</Signer><Signer a="1">&amp; ]]> \ufffd\ufffd\ufffd'
  t.equal(firstText(xml, 'Signer'), shown)
  t.equal(firstText(xml, 'PAdESFieldName'), shown)
})

t.test('a policy file is named with its digest', async (t) => {
  const policy = { id: 'https://policy.example/1', version: 4, sha256: 'ab'.repeat(32) }
  const xml = readXml(writeEtsiReport(await buildSource(archived, { policy })))
  t.equal(firstText(xml, 'Identifier'), policy.id)
  t.equal(firstText(xml, 'PolicyName'), 'https://policy.example/1, version 4')
  const [hash] = find(xml, 'SigPolicyHash') as [XmlElement]
  t.equal(firstText(hash, 'DigestValue'), Buffer.from(policy.sha256, 'hex').toString('base64'))
})

const KEYS: Readonly<Record<string, Identity>> = {
  'P-256': seal,
  'RSA with PKCS #1': await identity({ profile: 'seal', issuer: issuingCa, key: rsaKey() }),
}

t.test('the seal signs the report: XAdES baseline B, enveloped', async (t) => {
  for (const [name, signer] of Object.entries(KEYS)) {
    const source = SOURCES['archived'] as ReportSource
    const xml = await signXml((own) => writeEtsiReport(source, own), device(signer), NOW)
    const verified = await verifyListSignature(xml, [signer.certificate])
    t.equal(verified.signer.sha256.length, 64, name)
    t.equal(verified.root.name, 'ValidationReport')
    const signed = readXml(new TextDecoder().decode(xml))
    t.equal(textsOf(signed, 'SigningTime').at(-1), NOW.toISOString(), name)
    t.same(modelFaults(signed), [])
    t.equal(find(signed, 'X509Data').length, 1)
    await t.rejects(
      verifyListSignature(
        Buffer.from(Buffer.from(xml).toString().replace('total-passed', 'total-failed')),
        [signer.certificate],
      ),
      { code: 'SIGNATURE_WRONG' },
    )
  }
})

t.test('xmlsec1 accepts the signature, and refuses a changed report', { skip }, async (t) => {
  for (const [name, signer] of Object.entries(KEYS)) {
    const source = SOURCES['archived'] as ReportSource
    const xml = await signXml((own) => writeEtsiReport(source, own), device(signer), NOW)
    t.ok(isAccepted(xml, root.certificate, NOW), name)
    const changed = Buffer.from(xml).toString().replace('total-passed', 'total-failed')
    t.notOk(isAccepted(Buffer.from(changed), root.certificate, NOW), name)
    t.notOk(isAccepted(xml, janka.certificate, NOW), 'another root')
  }
})

t.test('a report of a revoked certificate names it with time and reason', async (t) => {
  const pdf = await signSample(buildPdf(), { signers: [signerRequest(janka, 'Janka', 500)] })
  const { report, certificates } = await buildSource(pdf)
  const [first, ...others] = report.signatures
  const revocation = [
    {
      certificateSha256: first?.signer?.certificateSha256 ?? '',
      status: 'revoked' as const,
      revokedAt: NOW.toISOString(),
      reason: 'keyCompromise',
    },
  ]
  const signatures = [{ ...first, revocation }, ...others] as CoreReport['signatures']
  const xml = readXml(writeEtsiReport({ report: { ...report, signatures }, certificates }))
  t.same(modelFaults(xml), [])
  t.equal(firstText(xml, 'RevocationTime'), NOW.toISOString())
  t.equal(firstText(xml, 'RevocationReason'), 'urn:etsi:019102:revocationReason:keyCompromise')
})
