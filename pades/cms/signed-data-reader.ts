/** Reads CMS SignedData (RFC 5652, 5) and what its signed attributes claim (RFC 5035, RFC 6211). */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier, readCertificate } from './certificate-reader.ts'
import type { AlgorithmIdentifier, Certificate } from './certificate-reader.ts'
import { compareOctets, TAG, withoutLeadingZeros } from './der.ts'
import { DerError, readDer, readPaddedDer } from './der-reader.ts'
import { isDer } from './der-form.ts'
import {
  readInteger,
  readObjectIdentifier,
  readOctetString,
  readSmallInteger,
} from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { OID } from './object-identifiers.ts'
import type { RevocationData } from './revocation.ts'
import { revocationChoices } from './revocation-values.ts'
import { HASHES } from './signature-algorithms.ts'

/** Bounds on what one CMS may carry; real ones have a few of each. */
const MAX_CERTIFICATES = 200
const MAX_ATTRIBUTES = 100

export interface Attributes {
  /** Elements of the values of each attribute, by dotted OID. */
  readonly values: ReadonlyMap<string, readonly DerElement[]>
  /** DER SET OF, as it is hashed. */
  readonly encoded: Uint8Array
  /** Whether the octets are DER, order of the attributes included (RFC 5652, 5.4). */
  readonly isDer: boolean
}

/** How a SignerInfo names its certificate. */
export type SignerIdentifier =
  | { readonly issuer: Uint8Array; readonly serialNumber: Uint8Array }
  | { readonly keyIdentifier: Uint8Array }

export interface SignerInfo {
  readonly version: number
  readonly identifier: SignerIdentifier
  readonly digestAlgorithm: AlgorithmIdentifier
  readonly signedAttributes: Attributes | undefined
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly unsignedAttributes: Attributes | undefined
}

export interface SignedData {
  readonly version: number
  /** Dotted OIDs. */
  readonly digestAlgorithms: readonly string[]
  readonly contentType: string
  /** The content when it is inside. */
  readonly content: Uint8Array | undefined
  /** Those that can be read, in the order of the CMS. */
  readonly certificates: readonly Certificate[]
  /** How many X.509 certificates cannot be read. */
  readonly unreadableCertificates: number
  /** How many certificates are of other kinds. */
  readonly otherCertificates: number
  readonly signers: readonly SignerInfo[]
  /** Revocation data beside the certificates; not checked. */
  readonly revocationData: RevocationData
}

/** Gives the same object for certificates that are the same. */
export type ShareCertificate = (certificate: Certificate) => Certificate

/**
 * Reads a CMS SignedData.
 *
 * @param cms DER or BER ContentInfo; zero octets may follow, as in the `/Contents` of a PDF
 * @param share lets several CMS have their certificates, and what was learnt of them, in common
 * @throws PadesError `BAD_CMS`
 */
export function readSignedData(
  cms: Uint8Array,
  share: ShareCertificate = (certificate) => certificate,
): SignedData {
  try {
    const info = readPaddedDer(cms).as(TAG.sequence)
    if (readObjectIdentifier(info.child(0)) !== OID.signedData) throw new DerError('no SignedData')
    if (info.children.length !== 2) throw new DerError('more than a ContentInfo')
    return signedDataOf(onlyIn(info.child(1)).as(TAG.sequence), share)
  } catch (cause) {
    if (cause instanceof PadesError && cause.code === 'BAD_CMS') throw cause
    throw new PadesError('BAD_CMS', undefined, { cause })
  }
}

/** The value of an explicit tag `[0]`, which has exactly one (ITU-T X.690, 8.14). */
function onlyIn(explicit: DerElement): DerElement {
  const { children } = explicit.as(TAG.contextConstructed)
  if (children.length !== 1) throw new DerError('more than one value in a tag')
  return children[0]
}

/** Tags of the fields that may be between content and signers (RFC 5652, 5.1). */
const NOTHING = ''
const CERTIFICATES = String(TAG.contextConstructed)
const LISTS = String(TAG.contextConstructed | 1)
const BOTH = `${CERTIFICATES},${LISTS}`

function signedDataOf(signedData: DerElement, share: ShareCertificate): SignedData {
  const [version, digestAlgorithms, contentInfo, ...rest] = signedData.children
  if (!contentInfo) throw new DerError('no content')
  if (contentInfo.children.length > 2) throw new DerError('more than an EncapsulatedContentInfo')
  const signerInfos = rest.at(-1)?.as(TAG.set)
  const optional = rest.slice(0, -1).map(({ tag }) => tag)
  if (![NOTHING, CERTIFICATES, LISTS, BOTH].includes(optional.join())) {
    throw new DerError('more than a SignedData')
  }
  const explicit = contentInfo.children[1]
  const certificateSet = rest.find(({ tag }) => tag === TAG.contextConstructed)
  const certificates = readCertificates(certificateSet).map(share)
  return {
    version: readSmallInteger(version),
    digestAlgorithms: digestAlgorithms
      .as(TAG.set)
      .children.map((element) => readAlgorithmIdentifier(element).type),
    contentType: readObjectIdentifier(contentInfo.as(TAG.sequence).child(0)),
    content: explicit && readOctetString(onlyIn(explicit)),
    certificates,
    unreadableCertificates: x509Of(certificateSet).length - certificates.length,
    otherCertificates: (certificateSet?.children.length ?? 0) - x509Of(certificateSet).length,
    signers: signerInfos?.children.map(readSignerInfo) ?? [],
    revocationData: revocationChoices(rest.find(({ tag }) => String(tag) === LISTS)),
  }
}

/** Attribute certificates and other kinds have context-specific tags (RFC 5652, 10.2.2). */
const x509Of = (set: DerElement | undefined) =>
  set?.children.filter(({ tag }) => (tag & 0xe0) !== TAG.contextConstructed) ?? []

/** Those that cannot be read are left out. */
function readCertificates(set: DerElement | undefined): Certificate[] {
  const elements = x509Of(set)
  if (elements.length > MAX_CERTIFICATES) throw new DerError('too many certificates')
  return elements.flatMap(({ encoded }) => {
    try {
      return [readCertificate(encoded)]
    } catch {
      return []
    }
  })
}

function readSignerInfo(element: DerElement): SignerInfo {
  const parts = [...element.as(TAG.sequence).children]
  const version = readSmallInteger(parts.shift() ?? element)
  const identifier = readSignerIdentifier(parts.shift() ?? element)
  const digestAlgorithm = readAlgorithmIdentifier(parts.shift() ?? element)
  const signed = parts[0]?.tag === TAG.contextConstructed ? parts.shift() : undefined
  const signatureAlgorithm = readAlgorithmIdentifier(parts.shift() ?? element)
  const signature = readOctetString(parts.shift() ?? element)
  const unsigned = parts[0]?.tag === (TAG.contextConstructed | 1) ? parts.shift() : undefined
  if (parts.length > 0) throw new DerError('more than a SignerInfo')
  return {
    version,
    identifier,
    digestAlgorithm,
    signedAttributes: signed && readAttributes(signed),
    signatureAlgorithm,
    signature,
    unsignedAttributes: unsigned && readAttributes(unsigned),
  }
}

function readSignerIdentifier(element: DerElement): SignerIdentifier {
  if (element.tag === TAG.context) return { keyIdentifier: element.content }
  const [issuer, serialNumber, more] = element.as(TAG.sequence).children
  if (!issuer || !serialNumber || more) throw new DerError('no signer identifier')
  return { issuer: issuer.as(TAG.sequence).encoded, serialNumber: readInteger(serialNumber) }
}

/** The values of an attribute that occurs twice are joined, so that a check for one value fails. */
function readAttributes(implicit: DerElement): Attributes {
  const encoded = Uint8Array.from(implicit.encoded)
  encoded[0] = TAG.set
  const set = readDer(encoded)
  if (set.children.length > MAX_ATTRIBUTES) throw new DerError('too many attributes')
  const values = new Map<string, readonly DerElement[]>()
  for (const attribute of set.children) {
    const type = readObjectIdentifier(attribute.as(TAG.sequence).child(0))
    const own = attribute.child(1).as(TAG.set).children
    if (attribute.children.length !== 2) throw new DerError('more than an attribute')
    values.set(type, [...(values.get(type) ?? []), ...own])
  }
  return { values, encoded, isDer: isDer(set) }
}

const same = (a: Uint8Array, b: Uint8Array) => compareOctets(a, b) === 0

const sameNumber = (a: Uint8Array, b: Uint8Array) =>
  same(withoutLeadingZeros(a), withoutLeadingZeros(b))

/** The certificate that a SignerInfo names, among those given. */
export function findSignerCertificate(
  { identifier, signedAttributes }: SignerInfo,
  certificates: readonly Certificate[],
): Certificate | undefined {
  const named = certificates.filter((certificate) =>
    'issuer' in identifier
      ? same(certificate.issuer, identifier.issuer) &&
        sameNumber(certificate.serialNumber, identifier.serialNumber)
      : certificate.subjectKeyIdentifier !== undefined &&
        same(certificate.subjectKeyIdentifier, identifier.keyIdentifier),
  )
  return named.find((one) => isReferredTo(one, signedAttributes)) ?? named[0]
}

/** Whether the signed reference is to that certificate; not, when it cannot be read. */
function isReferredTo(certificate: Certificate, attributes: Attributes | undefined): boolean {
  try {
    return certificateReference(attributes, certificate) === 'matches'
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** The value of an attribute that has exactly one; undefined when it has none or several. */
export function onlyValue(
  attributes: Attributes | undefined,
  type: string,
): DerElement | undefined {
  const values = attributes?.values.get(type) ?? []
  return values.length === 1 ? values[0] : undefined
}

export type CertificateReference = 'matches' | 'differs' | 'absent'

/**
 * Whether signing-certificate-v2, or signing-certificate, names that certificate first
 * (RFC 5035, 5.4; RFC 2634, 5.4). When both are there, both must.
 *
 * @throws DerError
 */
export function certificateReference(
  attributes: Attributes | undefined,
  certificate: Certificate,
): CertificateReference {
  const verdicts = [OID.signingCertificateV2, OID.signingCertificate]
    .filter((type) => attributes?.values.has(type))
    .map((type) => referenceMatches(onlyValue(attributes, type), type, certificate))
  if (verdicts.length === 0) return 'absent'
  return verdicts.every(Boolean) ? 'matches' : 'differs'
}

/**
 * Whether the signed reference to the certificate is a digest by MD5, which shall not be used
 * (EN 319 122-1, 6.2.1).
 */
export function referenceIsByMd5(attributes: Attributes | undefined): boolean {
  try {
    const value = onlyValue(attributes, OID.signingCertificateV2)
    const algorithm = value?.child(0).child(0).child(0)
    return algorithm?.tag === TAG.sequence && readAlgorithmIdentifier(algorithm).type === OID.md5
  } catch (error) {
    // What cannot be read matches no certificate.
    if (error instanceof DerError) return false
    throw error
  }
}

function referenceMatches(
  value: DerElement | undefined,
  type: string,
  certificate: Certificate,
): boolean {
  const attribute = value?.as(TAG.sequence)
  if (!attribute || attribute.children.length > 2) return false
  const parts = [...attribute.child(0).child(0).children]
  const named =
    type === OID.signingCertificateV2 && parts[0]?.tag === TAG.sequence
      ? readAlgorithmIdentifier(parts.shift() ?? parts[0]).type
      : undefined
  const hash = type === OID.signingCertificate ? 'sha1' : HASHES[named ?? OID.sha256]
  const expected = parts.shift()
  if (!hash || !expected) return false
  const digest = createHash(hash).update(certificate.der).digest()
  if (!digest.equals(readOctetString(expected))) return false
  const [issuerSerial, ...more] = parts
  if (more.length > 0) return false
  return !issuerSerial || namesIssuerAndSerial(issuerSerial, certificate)
}

function namesIssuerAndSerial(issuerSerial: DerElement, certificate: Certificate): boolean {
  const [names, serialNumber, ...more] = issuerSerial.as(TAG.sequence).children
  const directoryNames = names?.children.filter((name) => name.tag === (TAG.contextConstructed | 4))
  return (
    serialNumber !== undefined &&
    more.length === 0 &&
    sameNumber(readInteger(serialNumber), certificate.serialNumber) &&
    (directoryNames ?? []).some((name) => same(name.child(0).encoded, certificate.issuer))
  )
}

/**
 * Whether cms-algorithm-protection, if there, names the algorithms of the SignerInfo (RFC 6211, 3).
 *
 * @throws DerError
 */
export function algorithmProtectionHolds(signer: SignerInfo): boolean {
  if (!signer.signedAttributes?.values.has(OID.algorithmProtection)) return true
  const value = onlyValue(signer.signedAttributes, OID.algorithmProtection)
  const [digest, signature] = value?.as(TAG.sequence).children ?? []
  if (!digest || signature?.tag !== (TAG.contextConstructed | 1)) return false
  const [type, parameters] = signature.children
  return (
    readAlgorithmIdentifier(digest).type === signer.digestAlgorithm.type &&
    type !== undefined &&
    readObjectIdentifier(type) === signer.signatureAlgorithm.type &&
    same(parameters?.encoded ?? EMPTY, signer.signatureAlgorithm.parameters ?? EMPTY)
  )
}

const EMPTY = Buffer.alloc(0)
