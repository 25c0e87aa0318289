/**
 * Evidence from after a certificate expired: an authority may leave out certificates that have
 * (RFC 5280, 3.3), unless it says since when it keeps them (RFC 6960, 4.4.4; X.509, 9.5.2.4).
 */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { fromBER } from 'asn1js'
import { Time } from 'pkijs'
import type { Certificate, Extension } from 'pkijs'
import { elementsOf, firstElement } from './elements.ts'
import { derOf } from './read-certificate.ts'

const EXPIRED_ON_LIST = '2.5.29.60'
const ARCHIVE_CUTOFF = '1.3.6.1.5.5.7.48.1.6'
const CERT_HASH = '1.3.36.8.3.13'
const EVER = new Date(0)

/** Hash functions of certHash, by the hexadecimal DER of their identifiers. */
const HASHES: Readonly<Record<string, string>> = {
  '06052b0e03021a': 'sha1',
  '0609608648016503040201': 'sha256',
  '0609608648016503040202': 'sha384',
  '0609608648016503040203': 'sha512',
}

/**
 * The time since when certificates that expired are still named; undefined when nothing says so.
 *
 * @param extensions of a list, or of what an answer says of one certificate
 */
export function retainedSince(
  extensions: readonly Extension[] | undefined,
  certificate: Certificate,
): Date | undefined {
  for (const { extnID, extnValue } of extensions ?? []) {
    const value = extnValue.valueBlock.valueHexView
    try {
      if (extnID === EXPIRED_ON_LIST || extnID === ARCHIVE_CUTOFF) return timeOf(value)
      if (extnID === CERT_HASH && isDigestOf(value, certificate)) return EVER
    } catch {
      // An extension that cannot be read says nothing.
    }
  }
  return undefined
}

/** Whether what was said at a time would still name the certificate if it had been revoked. */
export const isInTime = (
  saidAt: Date,
  retained: Date | undefined,
  { notBefore, notAfter }: Certificate,
): boolean =>
  saidAt >= notBefore.value &&
  (saidAt <= notAfter.value || (retained !== undefined && retained <= notAfter.value))

const timeOf = (der: Uint8Array): Date =>
  new Time({ schema: fromBER(Uint8Array.from(der).buffer).result }).value

/** Whether an answer has the digest of another certificate than the one in question. */
export const namesOther = (
  extensions: readonly Extension[] | undefined,
  certificate: Certificate,
): boolean =>
  extensions?.some(({ extnID, extnValue }) => {
    if (extnID !== CERT_HASH) return false
    try {
      return isDigestOf(extnValue.valueBlock.valueHexView, certificate) === false
    } catch {
      return false
    }
  }) ?? false

/** Undefined when the hash function is not known. */
function isDigestOf(der: Uint8Array, certificate: Certificate): boolean | undefined {
  const [algorithm, digest] = elementsOf(firstElement(der).content)
  const type = Buffer.from(firstElement(algorithm.content).encoded).toString('hex')
  const hash = HASHES[type]
  if (hash === undefined) return undefined
  const octets = derOf(certificate) ?? new Uint8Array()
  return createHash(hash).update(octets).digest().equals(Buffer.from(digest.content))
}
