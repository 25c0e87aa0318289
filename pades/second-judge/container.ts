/** Has pkijs verify the CMS of a signature or time-stamp (RFC 5652, 5.6; RFC 3161, 2.4.2). */

import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { Constructed, fromBER, ObjectIdentifier, Set as AsnSet } from 'asn1js'
import type { BaseBlock } from 'asn1js'
import { EncapsulatedContentInfo, SignedData, SignedDataVerifyError, SignerInfo } from 'pkijs'
import type { Certificate } from 'pkijs'
import { JudgeEngine } from './engine.ts'
import type { KnownDigest } from './engine.ts'
import type { Opinion } from './opinion.ts'
import { readCertificate } from './read-certificate.ts'

const MARKER_BYTES = 32
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14'
const TIME_STAMP_INFO = '1.2.840.113549.1.9.16.1.4'
/** Tokens of one signature; our reader looks at as many. */
const MAX_TOKENS = 20

/** What pkijs makes of a container. */
export interface ContainerOpinion {
  readonly value: Opinion
  /** Of each signature time-stamp, in the order of the CMS. */
  readonly timeStamps: readonly Opinion[]
}

const octetsOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

function read(contents: Uint8Array): SignedData | undefined {
  try {
    const { result, offset } = fromBER(octetsOf(contents))
    return offset < 0 ? undefined : signedDataOf(result)
  } catch {
    return undefined
  }
}

const CONTEXT_SPECIFIC = 3
/** Of the certificates among the optional parts of a SignedData (RFC 5652, 5.1). */
const CERTIFICATES_TAG = 0

/** The elements of a constructed value. @throws TypeError */
function childrenOf(block: unknown): readonly BaseBlock[] {
  if (!(block instanceof Constructed)) throw new TypeError('a value is not constructed')
  return block.valueBlock.value as BaseBlock[]
}

/**
 * Puts a SignedData together from its parts. pkijs can read all of it at once, and then builds and
 * compares a schema of every part, which takes four times as long.
 *
 * @throws Error when it is none
 */
function signedDataOf(contentInfo: unknown): SignedData {
  const [type, explicit] = childrenOf(contentInfo)
  if (!(type instanceof ObjectIdentifier) || type.getValue() !== SIGNED_DATA) {
    throw new TypeError('this is no SignedData')
  }
  const [content] = childrenOf(explicit)
  const parts = childrenOf(content)
  const certificates = parts.find(
    ({ idBlock }) =>
      idBlock.tagClass === CONTEXT_SPECIFIC && idBlock.tagNumber === CERTIFICATES_TAG,
  )
  const signedData = new SignedData()
  signedData.encapContentInfo = new EncapsulatedContentInfo({ schema: parts[2] })
  signedData.signerInfos = childrenOf(parts.at(-1)).map((schema) => new SignerInfo({ schema }))
  signedData.certificates = certificates ? childrenOf(certificates).flatMap(readable) : []
  return signedData
}

/** Certificates of other kinds, and broken ones, are left out. */
function readable({ valueBeforeDecodeView }: BaseBlock): Certificate[] {
  try {
    return [readCertificate(valueBeforeDecodeView)]
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
  const signedData = read(contents)
  const [signer] = signedData?.signerInfos ?? []
  if (!signedData || !signer || signedData.signerInfos.length !== 1) {
    return { value: 'unknown', timeStamps: [] }
  }
  // Content of its own is what our reader refuses, whatever the value.
  const isDetached = signedData.encapContentInfo.eContent === undefined
  const value = isDetached ? await verifyContainer(signedData, digestOf) : 'unknown'
  const timeStamps: Opinion[] = []
  for (const token of tokensOf(signer)) timeStamps.push(await judgeToken(token, signer))
  return { value, timeStamps }
}

/** Verifies the value of a document time-stamp and that it is for the document. */
export async function judgeDocumentTimeStamp(
  contents: Uint8Array,
  digestOf: KnownDigest['digestOf'],
): Promise<Opinion> {
  const signedData = read(contents)
  return isToken(signedData) ? verifyContainer(signedData, digestOf) : 'unknown'
}

const isToken = (signedData: SignedData | undefined): signedData is SignedData =>
  signedData?.encapContentInfo.eContentType === TIME_STAMP_INFO

function tokensOf({ unsignedAttrs }: SignerInfo): unknown[] {
  const attributes = unsignedAttrs?.attributes ?? []
  return attributes
    .filter(({ type }) => type === TIME_STAMP_TOKEN)
    .flatMap(({ values }) => values as unknown[])
    .slice(0, MAX_TOKENS)
}

async function judgeToken(token: unknown, { signature }: SignerInfo): Promise<Opinion> {
  try {
    const signedData = signedDataOf(token)
    if (!isToken(signedData)) return 'unknown'
    const data = octetsOf(signature.valueBlock.valueHexView)
    return await opinionOf(signedData.verify({ signer: 0, data }, new JudgeEngine()))
  } catch {
    return 'unknown'
  }
}

async function verifyContainer(
  signedData: SignedData,
  digestOf: KnownDigest['digestOf'],
): Promise<Opinion> {
  const marker = Uint8Array.from(randomBytes(MARKER_BYTES))
  const engine = new JudgeEngine({ marker, digestOf })
  const verify = () => opinionOf(signedData.verify({ signer: 0, data: marker.buffer }, engine))
  const opinion = await verify()
  if (opinion !== 'wrong' || !sortSignedAttributes(signedData)) return opinion
  return verify()
}

/** Puts signed attributes into the order of DER (RFC 5652, 5.4); false when they are in it. */
function sortSignedAttributes({ signerInfos }: SignedData): boolean {
  const [signer] = signerInfos
  const { signedAttrs } = signer
  if (!signedAttrs) return false
  const before = Buffer.from(signedAttrs.encodedValue)
  const encodings = signedAttrs.attributes
    .map((attribute) => Buffer.from(attribute.toSchema().toBER(false)))
    .sort((a, b) => a.compare(b))
  const value = encodings.map((encoding) => fromBER(octetsOf(encoding)).result)
  signedAttrs.encodedValue = new AsnSet({ value }).toBER(false)
  return !before.equals(Buffer.from(signedAttrs.encodedValue))
}

/** Code of pkijs for what is wrong; another one says that it could not verify. */
const WRONG = 15

async function opinionOf(verification: Promise<boolean>): Promise<Opinion> {
  try {
    return (await verification) ? 'right' : 'wrong'
  } catch (error) {
    const isWrong = error instanceof SignedDataVerifyError && error.code === WRONG
    return isWrong && /doesn't match|is failed/.test(error.message) ? 'wrong' : 'unknown'
  }
}
