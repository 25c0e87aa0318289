/**
 * Writes the CMS of a PAdES baseline signature (RFC 5652, 5; RFC 5035, 5.4; RFC 6211; EN 319 142-1,
 * 6.3).
 */

import { createHash } from 'node:crypto'
import { digestIdentifier, SIGNATURE_ALGORITHMS } from './algorithms.ts'
import type { HashName, CmsAlgorithm } from './algorithms.ts'
import { readCertificate } from './certificate-reader.ts'
import {
  contextConstructed,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  sortedSet,
  TAG,
  tlv,
} from './der.ts'
import { readDer } from './der-reader.ts'
import { OID } from './object-identifiers.ts'

export interface SignedDataOptions {
  /** DER, the signer's first, then its issuers. */
  certificates: readonly Uint8Array[]
  algorithm: CmsAlgorithm
  /** What is signed inside the CMS; absent for a detached signature over plain data. */
  content?: { type: string; encoded: Uint8Array }
}

/** The CMS of one signer; all that does not depend on the document is written once. */
export interface SignedDataTemplate {
  /** Hash function that the message digest must be made with. */
  readonly hash: HashName
  /**
   * The signed attributes over a message digest.
   *
   * @returns DER SET OF Attribute: exactly the bytes to be signed
   */
  signedAttributes(messageDigest: Uint8Array): Uint8Array
  /**
   * The finished CMS.
   *
   * @param signedAttributes as {@link signedAttributes} gave them
   * @param signatureValue DER `Ecdsa-Sig-Value`, or the RSA block
   * @param timeStampToken DER token over the signature value; becomes an unsigned attribute
   * @returns DER ContentInfo
   */
  encode(
    signedAttributes: Uint8Array,
    signatureValue: Uint8Array,
    timeStampToken?: Uint8Array,
  ): Uint8Array
  /**
   * The largest size of {@link encode} in octets.
   *
   * @param timeStampBytes size of the time-stamp token in octets; 0 without one
   */
  maxBytes(timeStampBytes: number): number
}

const attribute = (type: string, ...values: readonly Uint8Array[]) =>
  sequence(objectIdentifier(type), setOf(...values))

const SIGNED_DATA = objectIdentifier(OID.signedData)
const MESSAGE_DIGEST = objectIdentifier(OID.messageDigest)
const TIME_STAMP_TOKEN = objectIdentifier(OID.signatureTimeStampToken)
const DIRECTORY_NAME = 4
/** SignedData is version 3 when the content is not plain data (RFC 5652, 5.1). */
const VERSION_PLAIN = integer(1)
const VERSION_OTHER = integer(3)
const SIGNER_INFO_VERSION = integer(1)

/** signing-certificate-v2 with issuer and serial number; SHA-256 is the default, hence absent. */
function signingCertificateV2(der: Uint8Array, issuer: Uint8Array, serial: Uint8Array) {
  const certificateHash = createHash('sha256').update(der).digest()
  const issuerSerial = sequence(sequence(contextConstructed(DIRECTORY_NAME, issuer)), serial)
  const reference = sequence(octetString(certificateHash), issuerSerial)
  return attribute(OID.signingCertificateV2, sequence(sequence(reference)))
}

/** cms-algorithm-protection: no other algorithm can be put in place of these (RFC 6211, 2). */
const algorithmProtection = (digest: Uint8Array, signature: Uint8Array) =>
  attribute(OID.algorithmProtection, sequence(digest, implicitSequence(1, signature)))

/** `[number] IMPLICIT` of a SEQUENCE that is already written. */
const implicitSequence = (number: number, encoded: Uint8Array) =>
  contextConstructed(number, readDer(encoded).content)

/** One certificate each, in the order that DER demands. */
function certificateSet(certificates: readonly Uint8Array[]): Uint8Array {
  const sorted = sortedSet(certificates)
  const unique = sorted.filter((der, i) => i === 0 || !sameOctets(der, sorted[i - 1]))
  return contextConstructed(0, ...unique)
}

const sameOctets = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((octet, i) => octet === b[i])

/** Octets of the longest signature value of this key. */
function maxSignatureBytes(algorithm: CmsAlgorithm, spkiBits: Uint8Array): number {
  const fixed = SIGNATURE_ALGORITHMS[algorithm].maxSignatureBytes
  // An RSA public key holds its modulus and more, hence is never shorter than its signatures.
  return fixed ?? spkiBits.length
}

/**
 * Prepares the CMS of one signer (PAdES baseline B; T with a time-stamp token).
 *
 * No signing-time: the claimed time is in the `/M` entry of the signature dictionary.
 *
 * @throws PadesError `BAD_CERTIFICATE` when the signer's certificate cannot be read
 */
export function signedDataTemplate(options: SignedDataOptions): SignedDataTemplate {
  const { certificates, algorithm, content } = options
  const { hash, identifier } = SIGNATURE_ALGORITHMS[algorithm]
  const digestAlgorithm = digestIdentifier(hash)
  const signer = readCertificate(certificates[0] ?? new Uint8Array())
  const serial = tlv(TAG.integer, signer.serialNumber)
  const contentType = content?.type ?? OID.data

  const constantAttributes = [
    attribute(OID.contentType, objectIdentifier(contentType)),
    signingCertificateV2(signer.der, signer.issuer, serial),
    algorithmProtection(digestAlgorithm, identifier),
  ]
  const beforeSigner = [
    content ? VERSION_OTHER : VERSION_PLAIN,
    setOf(digestAlgorithm),
    content
      ? sequence(objectIdentifier(contentType), contextConstructed(0, octetString(content.encoded)))
      : sequence(objectIdentifier(contentType)),
    certificateSet(certificates),
  ]
  const signerIdentifier = sequence(signer.issuer, serial)

  const signedAttributes = (messageDigest: Uint8Array) =>
    setOf(...constantAttributes, sequence(MESSAGE_DIGEST, tlv(TAG.set, octetString(messageDigest))))

  const encode = (attributes: Uint8Array, value: Uint8Array, timeStampToken?: Uint8Array) => {
    const implicitAttributes = Uint8Array.from(attributes)
    implicitAttributes[0] = TAG.contextConstructed
    const unsigned = timeStampToken
      ? [contextConstructed(1, sequence(TIME_STAMP_TOKEN, tlv(TAG.set, timeStampToken)))]
      : []
    const signerInfo = sequence(
      SIGNER_INFO_VERSION,
      signerIdentifier,
      digestAlgorithm,
      implicitAttributes,
      identifier,
      octetString(value),
      ...unsigned,
    )
    return sequence(
      SIGNED_DATA,
      contextConstructed(0, sequence(...beforeSigner, tlv(TAG.set, signerInfo))),
    )
  }

  const maxBytes = (timeStampBytes: number) => {
    const digestBytes = createHash(hash).digest().length
    const value = new Uint8Array(maxSignatureBytes(algorithm, signer.publicKeyBits))
    const token = timeStampBytes > 0 ? new Uint8Array(timeStampBytes) : undefined
    return encode(signedAttributes(new Uint8Array(digestBytes)), value, token).length
  }

  return { hash, signedAttributes, encode, maxBytes }
}
