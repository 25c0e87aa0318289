/** The peer @cantoo/pdf-lib with pkijs, the usual combination for incremental signing. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as asn1js from 'asn1js'
import { PDFArray, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib'
import * as pkijs from 'pkijs'
import type { Credential } from '../../pades/index.ts'
import type { SigningPeer } from './peer.ts'

const HOLE_BYTES = 8_192
const PLACEHOLDER = 1_000_000_000
const RANGE_SOURCE = `[ 0 ${PLACEHOLDER} ${PLACEHOLDER} ${PLACEHOLDER} ]`
const INVISIBLE_WIDGET_FLAGS = 132
const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
}

const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const toArrayBuffer = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
const algorithm = (algorithmId: string) => new pkijs.AlgorithmIdentifier({ algorithmId })
const attribute = (type: string, value: asn1js.BaseBlock) =>
  new pkijs.Attribute({ type, values: [value] })

function signedAttributes(digest: Uint8Array, certificate: Uint8Array): pkijs.Attribute[] {
  const octets = (bytes: Uint8Array) => new asn1js.OctetString({ valueHex: toArrayBuffer(bytes) })
  const essCertificate = new asn1js.Sequence({ value: [octets(sha256(certificate))] })
  const essCertificates = new asn1js.Sequence({ value: [essCertificate] })
  return [
    attribute(OID.contentType, new asn1js.ObjectIdentifier({ value: OID.data })),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, new asn1js.Sequence({ value: [essCertificates] })),
  ].sort((a, b) =>
    Buffer.compare(Buffer.from(a.toSchema().toBER()), Buffer.from(b.toSchema().toBER())),
  )
}

async function cms(digest: Uint8Array, credential: Credential): Promise<Uint8Array> {
  const certificates = credential.certificates.map((der) =>
    pkijs.Certificate.fromBER(toArrayBuffer(der)),
  )
  const [own] = certificates as [pkijs.Certificate]
  const attributes = signedAttributes(digest, credential.certificates[0] as Uint8Array)
  const set = new asn1js.Set({ value: attributes.map((one) => one.toSchema()) })
  const value = await credential.sign(new Uint8Array(set.toBER()))
  const signerInfo = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: algorithm(OID.sha256),
    signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes }),
    signatureAlgorithm: algorithm(OID.ecdsaWithSha256),
    signature: new asn1js.OctetString({ valueHex: toArrayBuffer(value) }),
  })
  const signedData = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [algorithm(OID.sha256)],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: OID.data }),
    certificates,
    signerInfos: [signerInfo],
  })
  const content = signedData.toSchema(true)
  const info = new pkijs.ContentInfo({ contentType: OID.signedData, content })
  return new Uint8Array(info.toSchema().toBER())
}

/** Appends a revision with a field and an unsigned signature dictionary. */
async function withPlaceholder(file: Uint8Array, fieldName: string): Promise<Buffer> {
  const document = await PDFDocument.load(file, {
    updateMetadata: false,
    forIncrementalUpdate: true,
  })
  const { context } = document
  const page = document.getPage(0)
  const range = PDFArray.withContext(context)
  range.push(PDFNumber.of(0))
  for (let index = 0; index < 3; index++) range.push(PDFNumber.of(PLACEHOLDER))
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of('0'.repeat(HOLE_BYTES * 2)),
    }),
  )
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      Rect: [0, 0, 0, 0],
      V: signature,
      T: PDFString.of(fieldName),
      F: INVISIBLE_WIDGET_FLAGS,
      P: page.ref,
    }),
  )
  page.node.addAnnot(widget)
  const form = document.catalog.getOrCreateAcroForm()
  form.dict.set(PDFName.of('SigFlags'), PDFNumber.of(3))
  form.addField(widget)
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

async function signOnce(
  file: Uint8Array,
  credential: Credential,
  fieldName: string,
): Promise<Uint8Array> {
  const prepared = await withPlaceholder(file, fieldName)
  const rangeStart = prepared.indexOf(RANGE_SOURCE, file.length)
  const holeStart = prepared.indexOf('/Contents <', file.length) + '/Contents '.length
  const holeEnd = holeStart + HOLE_BYTES * 2 + 2
  const range = `[ 0 ${holeStart} ${holeEnd} ${prepared.length - holeEnd} ]`
  prepared.write(range.padEnd(RANGE_SOURCE.length), rangeStart, 'latin1')
  const digest = sha256(prepared.subarray(0, holeStart), prepared.subarray(holeEnd))
  const encoded = await cms(digest, credential)
  prepared.write(Buffer.from(encoded).toString('hex'), holeStart + 1, 'latin1')
  return prepared
}

export const pdfLib: SigningPeer = {
  name: '@cantoo/pdf-lib + pkijs',
  async sign(file, credentials) {
    let signed = file
    for (const [index, credential] of credentials.entries()) {
      signed = await signOnce(signed, credential, `Signature${index + 1}`)
    }
    return signed
  },
}
