/** Extensions of the certificates that this library issues (RFC 5280, 4.2.1), by profile. */

import { createHash } from 'node:crypto'
import {
  bitString,
  contextConstructed,
  contextPrimitive,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  TAG,
  tlv,
  TRUE,
} from './der.ts'
import { OID } from './object-identifiers.ts'

/** What a certificate is for. */
export type CertificateProfile = 'root' | 'issuing-ca' | 'signer' | 'seal' | 'tsa'

const CRITICAL = true

/** DER `Extension`. */
export function extension(type: string, critical: boolean, value: Uint8Array): Uint8Array {
  const id = objectIdentifier(type)
  return critical ? sequence(id, TRUE, octetString(value)) : sequence(id, octetString(value))
}

const authority = (...constraints: readonly Uint8Array[]) =>
  extension(OID.basicConstraints, CRITICAL, sequence(TRUE, ...constraints))
const endEntity = extension(OID.basicConstraints, CRITICAL, sequence())

/** Bits of KeyUsage, one octet: digitalSignature 0x80, nonRepudiation 0x40, keyCertSign 0x04… */
const keyUsage = (bits: number, unusedBits: number) =>
  extension(OID.keyUsage, CRITICAL, bitString(Uint8Array.of(bits), unusedBits))

const certificateAndCrlSigning = keyUsage(0x06, 1)
const signing = keyUsage(0xc0, 6)
const timeStampingOnly = extension(
  OID.extendedKeyUsage,
  CRITICAL,
  sequence(objectIdentifier(OID.timeStamping)),
)

/** Constant extensions of each profile. A time-stamp authority has nothing but time-stamping. */
const CONSTANT: Readonly<Record<CertificateProfile, readonly Uint8Array[]>> = {
  root: [authority(), certificateAndCrlSigning],
  'issuing-ca': [authority(integer(0)), certificateAndCrlSigning],
  signer: [endEntity, signing],
  seal: [endEntity, signing],
  tsa: [endEntity, signing, timeStampingOnly],
}

/** SHA-1 over the public key's bits: a name, not a protection (RFC 5280, 4.2.1.2, method 1). */
export const keyIdentifier = (publicKeyBits: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha1').update(publicKeyBits).digest())

/** DER `Extension` that names the issuer's key. */
export const authorityKeyIdentifier = (issuerKey: Uint8Array): Uint8Array =>
  extension(OID.authorityKeyIdentifier, !CRITICAL, sequence(contextPrimitive(0, issuerKey)))

/** Where a verifier finds the revocation list and the issuer's certificate. */
export interface PublishedAt {
  crlUrl?: string
  issuerCertificateUrl?: string
  ocspUrl?: string
}

const URI = 6
const uri = (url: string) => tlv(TAG.context | URI, new TextEncoder().encode(url))

function publication({ crlUrl, issuerCertificateUrl, ocspUrl }: PublishedAt): Uint8Array[] {
  const extensions: Uint8Array[] = []
  if (crlUrl) {
    const point = sequence(contextConstructed(0, contextConstructed(0, uri(crlUrl))))
    extensions.push(extension(OID.crlDistributionPoints, !CRITICAL, sequence(point)))
  }
  const access: Uint8Array[] = []
  if (ocspUrl) access.push(sequence(objectIdentifier(OID.accessOcsp), uri(ocspUrl)))
  if (issuerCertificateUrl) {
    access.push(sequence(objectIdentifier(OID.accessCaIssuers), uri(issuerCertificateUrl)))
  }
  if (access.length > 0) {
    extensions.push(extension(OID.authorityInformationAccess, !CRITICAL, sequence(...access)))
  }
  return extensions
}

/**
 * DER `Extensions` of a certificate.
 *
 * @param subjectKey key identifier of the subject
 * @param issuerKey key identifier of the issuer; absent in a self-signed root
 */
export function certificateExtensions(
  profile: CertificateProfile,
  subjectKey: Uint8Array,
  issuerKey: Uint8Array | undefined,
  publishedAt: PublishedAt,
): Uint8Array {
  const issuer = issuerKey ? [authorityKeyIdentifier(issuerKey)] : []
  return sequence(
    ...CONSTANT[profile],
    extension(OID.subjectKeyIdentifier, !CRITICAL, octetString(subjectKey)),
    ...issuer,
    ...publication(publishedAt),
  )
}
