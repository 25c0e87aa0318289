/** Reads certificate revocation lists (RFC 5280, 5). */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier } from './certificate-reader.ts'
import type { AlgorithmIdentifier } from './certificate-reader.ts'
import { TAG, withoutLeadingZeros } from './der.ts'
import { type DerElement, DerError, readDer } from './der-reader.ts'
import { readBitString, readInteger } from './der-values.ts'
import { readTime } from './der-time.ts'
import { readListScope } from './distribution-points.ts'
import type { ListScope } from './distribution-points.ts'
import { readExtensions } from './extension-list.ts'
import { OID } from './object-identifiers.ts'
import { readOnce } from './read-once.ts'
import { type Revocation, RevocationEntries } from './revocation-entries.ts'

/** Critical extensions that are processed. */
const PROCESSED: ReadonlySet<string> = new Set([
  OID.issuingDistributionPoint,
  OID.deltaCrlIndicator,
])

/** A list as read; nothing of it is checked yet. */
export class RevocationList {
  readonly der: Uint8Array
  readonly toBeSigned: Uint8Array
  /** DER Name. */
  readonly issuer: Uint8Array
  readonly thisUpdate: Date
  readonly nextUpdate: Date | undefined
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly authorityKeyIdentifier: Uint8Array | undefined
  /** Unsigned octets in their shortest form. */
  readonly number: Uint8Array | undefined
  /**
   * Only in a delta list: the number of the list that it builds on, in its shortest form (5.2.4).
   */
  readonly baseNumber: Uint8Array | undefined
  /** Certificates that expired since then are still on it (ITU-T X.509, expiredCertsOnCRL). */
  readonly retainedSince: Date | undefined
  /** Whether it has a critical extension that is not processed. */
  readonly isPartial: boolean
  /** Which certificates it is about; undefined: all of its issuer. */
  readonly scope: ListScope | undefined
  /** DER of the issuingDistributionPoint. */
  readonly encodedScope: Uint8Array | undefined
  readonly #revoked: DerElement | undefined
  #entries: RevocationEntries | undefined
  #sha256: string | undefined

  /** @throws DerError */
  constructor(der: Uint8Array) {
    const list = readDer(der).as(TAG.sequence)
    const toBeSigned = list.child(0).as(TAG.sequence)
    const fields = [...toBeSigned.children]
    if (fields[0]?.tag === TAG.integer) fields.shift()
    const inner = fields.shift() ?? toBeSigned
    if (Buffer.compare(inner.encoded, list.child(1).encoded) !== 0) {
      throw new DerError('it names two signature algorithms')
    }
    this.der = der
    this.toBeSigned = toBeSigned.encoded
    this.issuer = (fields.shift() ?? toBeSigned).as(TAG.sequence).encoded
    this.thisUpdate = readTime(fields.shift() ?? toBeSigned)
    this.nextUpdate = isTime(fields[0]) ? readTime(fields.shift() as DerElement) : undefined
    this.#revoked = fields[0]?.tag === TAG.sequence ? fields.shift() : undefined
    const extensions = readExtensions(fields[0]?.as(TAG.contextConstructed).child(0))
    this.signatureAlgorithm = readAlgorithmIdentifier(list.child(1))
    this.signature = readBitString(list.child(2))
    const valueOf = (type: string) => extensions.find((one) => one.type === type)?.value
    const key = valueOf(OID.authorityKeyIdentifier)
    this.authorityKeyIdentifier =
      key && readDer(key).children.find(({ tag }) => tag === TAG.context)?.content
    const number = valueOf(OID.crlNumber)
    this.number = number && withoutLeadingZeros(readInteger(readDer(number)))
    const scope = valueOf(OID.issuingDistributionPoint)
    this.encodedScope = scope
    this.scope = scope && readListScope(scope, this.issuer)
    const base = valueOf(OID.deltaCrlIndicator)
    this.baseNumber = base && withoutLeadingZeros(readInteger(readDer(base)))
    this.retainedSince = readRetention(valueOf(OID.expiredCertificatesOnList))
    this.isPartial = extensions.some(({ critical, type }) => critical && !PROCESSED.has(type))
  }

  /** Lower-case hex over the whole list. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.der).digest('hex')
    return this.#sha256
  }

  /**
   * What the list says of a certificate; undefined when it is not on it.
   *
   * @param serialNumber octets of the INTEGER
   * @param issuer DER name of the issuer of the certificate; that of the list without it
   * @throws DerError when the entries cannot be read
   */
  revocationOf(serialNumber: Uint8Array, issuer: Uint8Array = this.issuer): Revocation | undefined {
    if (!this.#revoked) return undefined
    this.#entries ??= new RevocationEntries({
      revoked: this.#revoked,
      issuer: this.issuer,
      isIndirect: this.scope?.isIndirect ?? false,
    })
    return this.#entries.find(serialNumber, issuer)
  }
}

/** What cannot be read says nothing. */
function readRetention(value: Uint8Array | undefined): Date | undefined {
  try {
    return value && readTime(readDer(value))
  } catch {
    return undefined
  }
}

const isTime = (element: DerElement | undefined) =>
  element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime

/**
 * Reads a DER list, its entries included.
 *
 * @throws PadesError `BAD_REVOCATION_DATA`
 */
export const readRevocationList = readOnce((der: Uint8Array): RevocationList => {
  try {
    const list = new RevocationList(der)
    void list.revocationOf(Uint8Array.of(0))
    return list
  } catch (cause) {
    throw new PadesError('BAD_REVOCATION_DATA', undefined, { cause })
  }
})
