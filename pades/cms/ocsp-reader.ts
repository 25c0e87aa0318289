/** Reads OCSP answers about certificates (RFC 6960, 4.2). */

import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier, readCertificate } from './certificate-reader.ts'
import type { AlgorithmIdentifier, Certificate } from './certificate-reader.ts'
import { compareOctets, TAG, withoutLeadingZeros } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readBitString, readInteger, readObjectIdentifier, readOctetString } from './der-values.ts'
import { readTime } from './der-time.ts'
import type { DerElement } from './der-reader.ts'
import { type Extension, readExtensions } from './extension-list.ts'
import { OID } from './object-identifiers.ts'
import { readOnce } from './read-once.ts'
import { readReason } from './revocation-entries.ts'
import type { RevocationReason } from './revocation-list.ts'
import { HASHES } from './signature-algorithms.ts'

/** One answer is about a few certificates, and carries the responder's own. */
const MAX_RESPONSES = 100
const MAX_CERTIFICATES = 20
const SUCCESSFUL = 0
/** By the tag of `CertStatus` (4.2.1). */
const STATUSES = ['good', 'revoked'] as const

/** Extensions that may be critical: they are processed, or do not change what is said (4.4). */
const PROCESSED: ReadonlySet<string> = new Set([
  OID.ocspNonce,
  OID.ocspListReference,
  OID.ocspArchiveCutoff,
  OID.ocspExtendedRevoke,
  OID.certHash,
])

/** What a responder says of one certificate. */
export interface OcspStatus {
  readonly status: 'good' | 'revoked' | 'unknown'
  readonly revokedAt: Date | undefined
  readonly reason: RevocationReason
  readonly thisUpdate: Date
  readonly nextUpdate: Date | undefined
  /** Certificates that expired since then are still known to the responder (4.4.4). */
  readonly retainedSince: Date | undefined
  /** Whether the answer has the digest of the certificate itself. */
  readonly hasDigest: boolean
}

interface Single extends Omit<OcspStatus, 'hasDigest'> {
  readonly certificateDigest: { readonly hash: string; readonly octets: Uint8Array } | undefined
  readonly hash: string | undefined
  readonly issuerNameHash: Uint8Array
  readonly issuerKeyHash: Uint8Array
  readonly serialNumber: Uint8Array
}

/** An answer as read; nothing of it is checked yet. */
export class OcspResponse {
  readonly der: Uint8Array
  readonly toBeSigned: Uint8Array
  readonly producedAt: Date
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  /** Those that it carries. */
  readonly certificates: readonly Certificate[]
  /** DER Name, or the key hash of the responder. */
  readonly responder: { readonly name: Uint8Array } | { readonly keyHash: Uint8Array }
  readonly #responses: readonly Single[]

  /** @throws DerError, PadesError `BAD_CERTIFICATE` */
  constructor(der: Uint8Array) {
    const basic = basicResponse(readDer(der).as(TAG.sequence))
    const data = basic.child(0).as(TAG.sequence)
    const fields = [...data.children]
    if (fields[0]?.tag === TAG.contextConstructed) fields.shift()
    const responder = fields.shift() ?? data
    this.der = der
    this.toBeSigned = data.encoded
    this.responder =
      responder.tag === (TAG.contextConstructed | 1)
        ? { name: responder.child(0).as(TAG.sequence).encoded }
        : {
            keyHash: readOctetString(responder.as(TAG.contextConstructed | 2).child(0)),
          }
    this.producedAt = readTime(fields.shift() ?? data)
    const responses = (fields.shift() ?? data).as(TAG.sequence).children
    if (responses.length > MAX_RESPONSES) throw new DerError('too many answers')
    this.#responses = responses.map(readSingle)
    readProcessed(fields.shift(), TAG.contextConstructed | 1)
    this.signatureAlgorithm = readAlgorithmIdentifier(basic.child(1))
    this.signature = readBitString(basic.child(2))
    const certificates = basic.children[3]?.as(TAG.contextConstructed).child(0).children ?? []
    if (certificates.length > MAX_CERTIFICATES) throw new DerError('too many certificates')
    this.certificates = certificates.map(({ encoded }) => readCertificate(encoded))
  }

  /** Whether the answer names a certificate as its responder's. */
  isBy({ subject, publicKeyBits }: Certificate): boolean {
    return 'name' in this.responder
      ? compareOctets(this.responder.name, subject) === 0
      : compareOctets(this.responder.keyHash, digestOf('sha1', publicKeyBits)) === 0
  }

  /**
   * What is said of a certificate of that issuer; undefined when nothing is (4.1.1 CertID). Where
   * the answer speaks of it several times, the gravest status counts.
   */
  statusOf(certificate: Certificate, issuer: Certificate): OcspStatus | undefined {
    const serial = withoutLeadingZeros(certificate.serialNumber)
    const said = this.#responses
      .filter(
        ({ hash, issuerNameHash, issuerKeyHash, serialNumber }) =>
          hash !== undefined &&
          compareOctets(serialNumber, serial) === 0 &&
          compareOctets(issuerNameHash, digestOf(hash, issuer.subject)) === 0 &&
          compareOctets(issuerKeyHash, digestOf(hash, issuer.publicKeyBits)) === 0,
      )
      .map((single) => statusFor(single, certificate))
    const worst = GRAVEST_FIRST.find((status) => said.some((one) => one.status === status))
    return said.find(({ status }) => status === worst)
  }
}

const GRAVEST_FIRST: readonly OcspStatus['status'][] = ['revoked', 'unknown', 'good']

/** What a single answer says; the digest of another certificate does not make this one good. */
function statusFor(single: Single, { der }: Certificate): OcspStatus {
  const { certificateDigest: digest } = single
  if (!digest) return { ...single, hasDigest: false }
  const hasDigest = compareOctets(digest.octets, digestOf(digest.hash, der)) === 0
  const isOfOther = single.status === 'good' && !hasDigest
  return { ...single, hasDigest, ...(isOfOther && { status: 'unknown' }) }
}

const digestOf = (hash: string, octets: Uint8Array): Uint8Array =>
  createHash(hash).update(octets).digest()

/** OCSPResponse, or the BasicOCSPResponse in it: PDFs carry either. @throws DerError */
function basicResponse(response: DerElement): DerElement {
  if (response.child(0).tag !== TAG.enumerated) return response
  if (response.child(0).content[0] !== SUCCESSFUL) throw new DerError('not successful')
  const bytes = response.child(1).as(TAG.contextConstructed).child(0).as(TAG.sequence)
  if (readObjectIdentifier(bytes.child(0)) !== OID.basicOcspResponse) {
    throw new DerError('another kind of answer')
  }
  return readDer(readOctetString(bytes.child(1))).as(TAG.sequence)
}

function readSingle(element: DerElement): Single {
  const [id, status, thisUpdate, ...rest] = element.as(TAG.sequence).children
  if (!thisUpdate) throw new DerError('an answer is not whole')
  const nextUpdate = rest.find(({ tag }) => tag === TAG.contextConstructed)
  const extensions = readProcessed(rest.at(-1), TAG.contextConstructed | 1)
  const kind = status.tag & 0x1f
  const isRevoked = STATUSES[kind] === 'revoked'
  const reason = isRevoked ? status.children[1] : undefined
  return {
    status: STATUSES[kind] ?? 'unknown',
    revokedAt: isRevoked ? readTime(status.child(0)) : undefined,
    reason: reason ? readReason(reason.as(TAG.contextConstructed).child(0)) : 'unspecified',
    thisUpdate: readTime(thisUpdate),
    nextUpdate: nextUpdate && readTime(nextUpdate.child(0)),
    retainedSince: readIn(extensions, OID.ocspArchiveCutoff, readTime),
    certificateDigest: readIn(extensions, OID.certHash, readDigest),
    hash: HASHES[readAlgorithmIdentifier(id.child(0)).type],
    issuerNameHash: readOctetString(id.child(1)),
    issuerKeyHash: readOctetString(id.child(2)),
    serialNumber: withoutLeadingZeros(readInteger(id.child(3))),
  }
}

/** Extensions, where the element has the tag of theirs. @throws DerError for a critical one */
function readProcessed(element: DerElement | undefined, tag: number): readonly Extension[] {
  const extensions = readExtensions(element?.tag === tag ? element.child(0) : undefined)
  if (extensions.some(({ critical, type }) => critical && !PROCESSED.has(type))) {
    throw new DerError('a critical extension is not known')
  }
  return extensions
}

/** Reads the value of an extension; one that cannot be read says nothing. */
function readIn<T>(
  extensions: readonly Extension[],
  type: string,
  read: (value: DerElement) => T,
): T | undefined {
  const found = extensions.find((one) => one.type === type)
  try {
    return found && read(readDer(found.value))
  } catch {
    return undefined
  }
}

function readDigest(element: DerElement): Single['certificateDigest'] {
  const hash = HASHES[readAlgorithmIdentifier(element.child(0)).type]
  return hash === undefined ? undefined : { hash, octets: readOctetString(element.child(1)) }
}

/**
 * Reads a DER answer.
 *
 * @throws PadesError `BAD_REVOCATION_DATA`, also for an answer that is an error
 */
export const readOcspResponse = readOnce((der: Uint8Array): OcspResponse => {
  try {
    return new OcspResponse(der)
  } catch (cause) {
    throw new PadesError('BAD_REVOCATION_DATA', undefined, { cause })
  }
})
