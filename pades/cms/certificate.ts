/** Issues X.509 certificates with a key that may be far away (RFC 5280, 4.1). */

import { PadesError } from '../errors.ts'
import { SIGNATURE_ALGORITHMS } from './algorithms.ts'
import type { Sign, CmsAlgorithm } from './algorithms.ts'
import { readCertificate } from './certificate-reader.ts'
import { bitString, certificateTime, contextConstructed, integer, sequence, TAG } from './der.ts'
import { readDer } from './der-reader.ts'
import { readBitString } from './der-values.ts'
import { certificateExtensions, keyIdentifier } from './extensions.ts'
import type { CertificateProfile, PublishedAt } from './extensions.ts'
import { encodeName } from './names.ts'
import type { DistinguishedName } from './names.ts'

export interface CertificateRequest {
  subject: DistinguishedName
  /** DER SubjectPublicKeyInfo. */
  publicKeySpki: Uint8Array
  /** DER certificate of the issuer; absent for a root, which signs itself. */
  issuer?: Uint8Array
  /** Up to 20 octets, random; read as a positive number. */
  serialNumber: Uint8Array
  notBefore: Date
  notAfter: Date
  profile: CertificateProfile
  /** Algorithm of the issuer's key. */
  algorithm: CmsAlgorithm
  publishedAt?: PublishedAt
}

/** Longest serial number of RFC 5280, 4.1.2.2. */
const MAX_SERIAL_OCTETS = 20
const VERSION_3 = contextConstructed(0, integer(2))

export interface Issuer {
  /** DER Name. */
  name: Uint8Array
  keyIdentifier: Uint8Array
}

/** What is taken from an issuer's certificate: the same one issues thousands. */
const issuers = new WeakMap<Uint8Array, Issuer>()

/** @throws PadesError `BAD_CERTIFICATE` */
export function readIssuer(der: Uint8Array): Issuer {
  const known = issuers.get(der)
  if (known) return known
  const certificate = readCertificate(der)
  const issuer = {
    name: certificate.subject,
    keyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKeyBits),
  }
  issuers.set(der, issuer)
  return issuer
}

function publicKeyBits(spki: Uint8Array): Uint8Array {
  try {
    return readBitString(readDer(spki).as(TAG.sequence).child(1))
  } catch (cause) {
    throw new PadesError('BAD_KEY', undefined, { cause })
  }
}

/** A positive number of at most 20 octets: a set first bit would cost an octet more. */
function serialInteger(octets: Uint8Array): Uint8Array {
  if (octets.length === 0 || octets.length > MAX_SERIAL_OCTETS) {
    throw new RangeError(`a serial number has 1 to ${MAX_SERIAL_OCTETS} octets`)
  }
  const positive = Uint8Array.from(octets)
  if (octets.length === MAX_SERIAL_OCTETS) positive[0] &= 0x7f
  if (positive.every((octet) => octet === 0)) throw new RangeError('a serial number is not zero')
  return integer(positive)
}

/**
 * Issues a certificate.
 *
 * @param sign signs the `TBSCertificate` with the issuer's key
 * @returns DER
 * @throws PadesError `BAD_CERTIFICATE` (issuer), `BAD_KEY` (subject), `BAD_NAME`
 * @throws RangeError when the serial number is empty, zero or too long
 */
export async function issueCertificate(
  request: CertificateRequest,
  sign: Sign,
): Promise<Uint8Array> {
  const { identifier } = SIGNATURE_ALGORITHMS[request.algorithm]
  const subject = encodeName(request.subject)
  const issuer = request.issuer && readIssuer(request.issuer)
  const subjectKey = keyIdentifier(publicKeyBits(request.publicKeySpki))
  const toBeSigned = sequence(
    VERSION_3,
    serialInteger(request.serialNumber),
    identifier,
    issuer?.name ?? subject,
    sequence(certificateTime(request.notBefore), certificateTime(request.notAfter)),
    subject,
    request.publicKeySpki,
    contextConstructed(
      3,
      certificateExtensions(
        request.profile,
        subjectKey,
        issuer?.keyIdentifier,
        request.publishedAt ?? {},
      ),
    ),
  )
  return sequence(toBeSigned, identifier, bitString(await sign(toBeSigned)))
}
