/** Reads certificate revocation lists (RFC 5280, 5). */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier } from './certificate-reader.ts'
import type { AlgorithmIdentifier } from './certificate-reader.ts'
import { compareOctets, TAG, withoutLeadingZeros } from './der.ts'
import {
  DerElement,
  DerError,
  readBitString,
  readBoolean,
  readDer,
  readInteger,
  readObjectIdentifier,
  readOctetString,
  readTime,
} from './der-reader.ts'
import { nameKey, readListScope } from './distribution-points.ts'
import type { ListScope } from './distribution-points.ts'
import { OID } from './object-identifiers.ts'
import { readOnce } from './read-once.ts'
import { REVOCATION_REASONS } from './revocation-list.ts'
import type { RevocationReason } from './revocation-list.ts'

/** Entries of one list; the largest lists of national authorities have some hundred thousand. */
const MAX_ENTRIES = 1_000_000
const MAX_EXTENSIONS = 100

/** Critical extensions that are processed. */
const PROCESSED: ReadonlySet<string> = new Set([
  OID.issuingDistributionPoint,
  OID.deltaCrlIndicator,
])

/** What a list says of one certificate. */
export interface Revocation {
  readonly revokedAt: Date
  readonly reason: RevocationReason
}

interface Extension {
  readonly type: string
  readonly critical: boolean
  readonly value: Uint8Array
}

const REASONS = new Map<number, RevocationReason>(
  Object.entries(REVOCATION_REASONS).map(([name, code]) => [code, name as RevocationReason]),
)

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
  /** Whether it has a critical extension that is not processed. */
  readonly isPartial: boolean
  /** Which certificates it is about; undefined: all of its issuer. */
  readonly scope: ListScope | undefined
  /** DER of the issuingDistributionPoint. */
  readonly encodedScope: Uint8Array | undefined
  readonly #revoked: DerElement | undefined
  #entries: ReadonlyMap<string, Revocation> | undefined
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
    this.#entries ??= readEntries(this.#revoked, this.issuer, this.scope?.isIndirect ?? false)
    return this.#entries.get(entryKey(serialNumber, otherIssuer(issuer, this.issuer)))
  }
}

const isTime = (element: DerElement | undefined) =>
  element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime

/** Most entries are of certificates of the issuer of the list: their keys have no name. */
function entryKey(serialNumber: Uint8Array, issuer: string | undefined): string {
  const serial = Buffer.from(withoutLeadingZeros(serialNumber)).toString('hex')
  return issuer === undefined ? serial : `${issuer} ${serial}`
}

/** The name of an issuer as it is compared; undefined when it is that of the list. */
const otherIssuer = (issuer: Uint8Array, ofList: Uint8Array): string | undefined =>
  compareOctets(issuer, ofList) === 0 || nameKey(issuer) === nameKey(ofList)
    ? undefined
    : nameKey(issuer)

/** The only directory name of an entry's certificateIssuer (5.3.3). @throws DerError */
function readCertificateIssuer(value: Uint8Array): Uint8Array {
  const names = readDer(value).as(TAG.sequence).children
  const directory = names.filter(({ tag }) => tag === (TAG.contextConstructed | 4))
  if (directory.length !== 1) throw new DerError('an entry without the name of an issuer')
  return directory[0].child(0).as(TAG.sequence).encoded
}

/** `Extensions` of a list or of an entry. @throws DerError */
function readExtensions(element: DerElement | undefined): Extension[] {
  const parts = element?.as(TAG.sequence).children ?? []
  if (parts.length > MAX_EXTENSIONS) throw new DerError('too many extensions')
  return parts.map((part) => {
    const second = part.child(1)
    const isMarked = second.tag === TAG.boolean
    return {
      type: readObjectIdentifier(part.child(0)),
      critical: isMarked && readBoolean(second),
      value: readOctetString(isMarked ? part.child(2) : second),
    }
  })
}

/** An entry is of the issuer that it names, else of that of the entry before it (5.3.3). */
function readEntries(
  revoked: DerElement | undefined,
  ofList: Uint8Array,
  isIndirect: boolean,
): ReadonlyMap<string, Revocation> {
  let issuer: string | undefined
  const entries = new Map<string, Revocation>()
  if (!revoked) return entries
  const { source, contentStart, contentEnd, depth } = revoked
  // Not `children`: a list may have more entries than any other structure may have parts.
  for (let at = contentStart; at < contentEnd;) {
    if (entries.size >= MAX_ENTRIES) throw new DerError('too many entries')
    const entry = new DerElement(source, at, contentEnd, depth + 1)
    at = entry.end
    const extensions = readExtensions(entry.children[2])
    const named = extensions.find(({ type }) => type === OID.certificateIssuer)
    if (named && isIndirect) issuer = otherIssuer(readCertificateIssuer(named.value), ofList)
    if (extensions.some((one) => one.critical && !(one === named && isIndirect)))
      throw new DerError('an entry is not understood')
    const reason = extensions.find(({ type }) => type === OID.reasonCode)
    const code = reason && readDer(reason.value).as(TAG.enumerated).content[0]
    entries.set(entryKey(readInteger(entry.child(0)), issuer), {
      revokedAt: readTime(entry.child(1)),
      reason: REASONS.get(code ?? 0) ?? 'unspecified',
    })
  }
  return entries
}

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
