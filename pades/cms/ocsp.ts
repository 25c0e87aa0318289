/** Asks about the status of a certificate (RFC 6960, 4.1). */

import { createHash } from 'node:crypto'
import type { Certificate } from './certificate-reader.ts'
import { NULL, objectIdentifier, octetString, sequence, TAG, tlv } from './der.ts'
import { OID } from './object-identifiers.ts'

const sha1 = (octets: Uint8Array) => octetString(createHash('sha1').update(octets).digest())

/** A request about one certificate; SHA-1 names the issuer, as every responder knows it. */
export function encodeOcspRequest(certificate: Certificate, issuer: Certificate): Uint8Array {
  const id = sequence(
    sequence(objectIdentifier(OID.sha1), NULL),
    sha1(issuer.subject),
    sha1(issuer.publicKeyBits),
    tlv(TAG.integer, certificate.serialNumber),
  )
  return sequence(sequence(sequence(sequence(id))))
}
