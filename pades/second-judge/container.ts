/** Has pkijs verify the CMS of a signature or time-stamp (RFC 5652, 5.6; RFC 3161, 2.4.2). */

import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { fromBER, OctetString, Set as AsnSet } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignedDataVerifyError,
  SignerInfo,
} from 'pkijs'
import type { Certificate } from 'pkijs'
import { readOnce } from '../cms/read-once.ts'
import { elementsOf, firstElement } from './elements.ts'
import type { Element } from './elements.ts'
import { JudgeEngine } from './engine.ts'
import type { KnownDigest } from './engine.ts'
import type { Opinion } from './opinion.ts'
import { readCertificate } from './read-certificate.ts'

const MARKER_BYTES = 32
const TIME_STAMP_INFO = '1.2.840.113549.1.9.16.1.4'
/** Tokens of one signature; our reader looks at as many. */
const MAX_TOKENS = 20

/** What pkijs makes of a container. */
export interface ContainerOpinion {
  readonly value: Opinion
  /** Opinion on each signature time-stamp, in the order of the CMS. */
  readonly timeStamps: readonly Opinion[]
}

const octetsOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

const OCTET_STRING = 0x04
const SEQUENCE = 0x30
const SET = 0x31
const CERTIFICATES = 0xa0
const SIGNED_ATTRIBUTES = 0xa0
const UNSIGNED_ATTRIBUTES = 0xa1
const BOOLEAN = 0x01
/** The field of a TSTInfo. */
const EXTENSIONS = 0xa1
/** The attribute type of a signature time-stamp, as DER (RFC 3161, appendix A). */
const TOKEN_TYPE = '060b2a864886f70d010910020e'
/** As DER. */
const SIGNED_DATA_TYPE = '06092a864886f70d010702'

/** A container, and the tokens in it. */
interface Container {
  readonly signedData: SignedData
  readonly tokens: readonly Uint8Array[]
}

function read(contents: Uint8Array): Container | undefined {
  for (const readAs of [containerOf, wholeContainerOf]) {
    try {
      return readAs(contents)
    } catch {
      // The other way may read it.
    }
  }
  return undefined
}

const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14'

/** Has pkijs read everything, as BER needs whose lengths are not definite. @throws Error */
function wholeContainerOf(octets: Uint8Array): Container {
  const { content } = ContentInfo.fromBER(octetsOf(octets))
  const signedData = new SignedData({ schema: content })
  const attributes = signedData.signerInfos[0]?.unsignedAttrs?.attributes ?? []
  const values = attributes
    .filter(({ type }) => type === TIME_STAMP_TOKEN)
    .flatMap((attribute) => attribute.values as { valueBeforeDecodeView: Uint8Array }[])
  const tokens = values.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView)
  return { signedData, tokens: tokens.slice(0, MAX_TOKENS) }
}

const hexOf = (octets: Uint8Array) => Buffer.from(octets).toString('hex')
const schemaOf = (der: Uint8Array) => fromBER(octetsOf(der)).result

/**
 * Puts a SignedData together from its parts. pkijs can read all of it at once, and then builds and
 * compares a schema of every part, which takes many times as long.
 *
 * @throws Error when it is none, or has another form than DER
 */
function containerOf(octets: Uint8Array): Container {
  const [type, explicit] = elementsOf(firstElement(octets).content)
  if (hexOf(type.encoded) !== SIGNED_DATA_TYPE) throw new TypeError('this is not SignedData')
  const parts = elementsOf(firstElement(explicit.content).content)
  const signers = parts.at(-1)
  if (signers?.tag !== SET) throw new TypeError('there are no signers')
  const certificates = parts.find(({ tag }) => tag === CERTIFICATES)
  const infos = elementsOf(signers.content).map(({ content }) => elementsOf(content))
  const signedData = new SignedData()
  signedData.encapContentInfo = new EncapsulatedContentInfo({ schema: schemaOf(parts[2].encoded) })
  signedData.signerInfos = infos.map(signerOf)
  signedData.certificates = certificates ? elementsOf(certificates.content).flatMap(readable) : []
  return { signedData, tokens: infos.slice(0, 1).flatMap(tokensOf) }
}

// Signatures of one service and stamps of one authority share these.
const readSignerId = readOnce((der) => new IssuerAndSerialNumber({ schema: schemaOf(der) }))
const readAlgorithm = readOnce((der) => new AlgorithmIdentifier({ schema: schemaOf(der) }))
const readContentType = readOnce((der) => new Attribute({ schema: schemaOf(der) }))

/** The attribute types of RFC 5652, 11.1 and 11.2, as DER. */
const CONTENT_TYPE = '06092a864886f70d010903'
const MESSAGE_DIGEST = '06092a864886f70d010904'

/** A signer with the attributes that pkijs looks at. @throws Error for other forms */
function signerOf(info: readonly Element[]): SignerInfo {
  const [, sid, digestAlgorithm, attributes, signatureAlgorithm, signature] = info
  const isUsual = sid?.tag === SEQUENCE && attributes?.tag === SIGNED_ATTRIBUTES
  if (!isUsual || signature?.tag !== OCTET_STRING) throw new TypeError('another form of SignerInfo')
  const encodedValue = Uint8Array.from(attributes.encoded)
  encodedValue[0] = SET
  return new SignerInfo({
    sid: readSignerId(sid.encoded),
    digestAlgorithm: readAlgorithm(digestAlgorithm.encoded),
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: elementsOf(attributes.content).flatMap(attributeOf),
      encodedValue: encodedValue.buffer,
    }),
    signatureAlgorithm: readAlgorithm(signatureAlgorithm.encoded),
    signature: new OctetString({ valueHex: octetsOf(signature.content) }),
  })
}

function attributeOf({ encoded, content }: Element): Attribute[] {
  const type = hexOf(firstElement(content).encoded)
  if (type === CONTENT_TYPE) return [readContentType(encoded)]
  return type === MESSAGE_DIGEST ? [new Attribute({ schema: schemaOf(encoded) })] : []
}

function tokensOf(info: readonly Element[]): Uint8Array[] {
  const attributes = info.find(({ tag }) => tag === UNSIGNED_ATTRIBUTES)
  if (!attributes) return []
  const values = elementsOf(attributes.content).flatMap(({ content }) => {
    const [type, set] = elementsOf(content)
    return hexOf(type.encoded) === TOKEN_TYPE ? elementsOf(set.content) : []
  })
  return values.map(({ encoded }) => encoded).slice(0, MAX_TOKENS)
}

/** Certificates of other kinds, and broken ones, are left out. */
function readable({ encoded }: Element): Certificate[] {
  try {
    return [readCertificate(encoded)]
  } catch {
    return []
  }
}

/**
 * Verifies the value of a detached signature, and its signature time-stamps.
 *
 * @param contents the `/Contents` of a signature, with or without padding
 * @param digestOf digest of the signed bytes by a hash function of `node:crypto`
 */
export async function judgeSignatureContainer(
  contents: Uint8Array,
  digestOf: KnownDigest['digestOf'],
): Promise<ContainerOpinion> {
  const { signedData, tokens = [] } = read(contents) ?? {}
  const [signer] = signedData?.signerInfos ?? []
  if (!signedData || !signer || signedData.signerInfos.length !== 1) {
    return { value: 'unknown', timeStamps: [] }
  }
  // Content of its own is what our reader refuses, whatever the value.
  const isDetached = signedData.encapContentInfo.eContent === undefined
  const value = isDetached ? await verifyContainer(signedData, digestOf) : 'unknown'
  const timeStamps: Opinion[] = []
  for (const token of tokens) timeStamps.push(await judgeToken(token, signer))
  return { value, timeStamps }
}

/** Verifies the value of a document time-stamp and that it is for the document. */
export async function judgeDocumentTimeStamp(
  contents: Uint8Array,
  digestOf: KnownDigest['digestOf'],
): Promise<Opinion> {
  const signedData = read(contents)?.signedData
  return isToken(signedData) ? verifyContainer(signedData, digestOf) : 'unknown'
}

const isToken = (signedData: SignedData | undefined): signedData is SignedData =>
  signedData?.encapContentInfo.eContentType === TIME_STAMP_INFO && isUnderstood(signedData)

/** Whether all that a token says can be processed: pkijs passes over its extensions. */
function isUnderstood({ encapContentInfo }: SignedData): boolean {
  try {
    const info = firstElement(new Uint8Array(encapContentInfo.eContent?.getValue() ?? []))
    const field = elementsOf(info.content).find(({ tag }) => tag === EXTENSIONS)
    return elementsOf(field?.content ?? new Uint8Array()).every(({ content }) => {
      const [, critical] = elementsOf(content)
      return critical?.tag !== BOOLEAN || !critical.content.some(Boolean)
    })
  } catch {
    return false
  }
}

async function judgeToken(token: Uint8Array, { signature }: SignerInfo): Promise<Opinion> {
  try {
    const signedData = read(token)?.signedData
    if (!isToken(signedData)) return 'unknown'
    const data = octetsOf(signature.valueBlock.valueHexView)
    const engine = new JudgeEngine({ signer: signedData.signerInfos[0] })
    return await judgeVerification(signedData.verify({ signer: 0, data }, engine))
  } catch {
    return 'unknown'
  }
}

async function verifyContainer(
  signedData: SignedData,
  digestOf: KnownDigest['digestOf'],
): Promise<Opinion> {
  const [signer] = signedData.signerInfos
  // Without signed attributes the value is for the octets themselves, which are not at hand.
  if (!signer?.signedAttrs) return 'unknown'
  const marker = Uint8Array.from(randomBytes(MARKER_BYTES))
  const engine = new JudgeEngine({ known: { marker, digestOf }, signer })
  const verify = (one: SignedData) =>
    judgeVerification(one.verify({ signer: 0, data: marker.buffer }, engine))
  const opinion = await verify(signedData)
  if (opinion !== 'wrong') return opinion
  try {
    return sortSignedAttributes(signedData) ? await verify(signedData) : opinion
  } catch {
    return opinion
  }
}

/** Puts signed attributes into the order of DER (RFC 5652, 5.4); false when they are in it. */
function sortSignedAttributes({ signerInfos }: SignedData): boolean {
  const [signer] = signerInfos
  const { signedAttrs } = signer
  if (!signedAttrs) return false
  const before = Buffer.from(signedAttrs.encodedValue)
  // `attributes` may lack those that pkijs does not look at.
  const { valueBlock } = fromBER(signedAttrs.encodedValue).result as AsnSet
  const encodings = valueBlock.value
    .map((schema) => Buffer.from(new Attribute({ schema }).toSchema().toBER(false)))
    .sort((a, b) => a.compare(b))
  const value = encodings.map((encoding) => fromBER(octetsOf(encoding)).result)
  signedAttrs.encodedValue = new AsnSet({ value }).toBER(false)
  return !before.equals(Buffer.from(signedAttrs.encodedValue))
}

/** Code of pkijs for what is wrong; another one says that it could not verify. */
const WRONG = 15

async function judgeVerification(verification: Promise<boolean>): Promise<Opinion> {
  try {
    return (await verification) ? 'right' : 'wrong'
  } catch (error) {
    const isWrong = error instanceof SignedDataVerifyError && error.code === WRONG
    return isWrong && /doesn't match|is failed/.test(error.message) ? 'wrong' : 'unknown'
  }
}
