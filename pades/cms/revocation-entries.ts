/** Finds the entries of a certificate revocation list (RFC 5280, 5.3). */

import { Buffer } from 'node:buffer'
import { compareOctets, TAG, withoutLeadingZeros } from './der.ts'
import { DerElement, DerError, readDer } from './der-reader.ts'
import { readInteger } from './der-values.ts'
import { readTime } from './der-time.ts'
import { nameKey } from './distribution-points.ts'
import { type Extension, readExtensions } from './extension-list.ts'
import { OID } from './object-identifiers.ts'
import { REVOCATION_REASONS } from './revocation-list.ts'
import type { RevocationReason } from './revocation-list.ts'

/** Entries of one list; the largest lists of national authorities have some hundred thousand. */
const MAX_ENTRIES = 1_000_000
/** Longer extensions, which name an issuer, are rarely those of another entry. */
const MAX_SHARED_BYTES = 64

/** What a list says of one certificate. */
export interface Revocation {
  readonly revokedAt: Date
  readonly reason: RevocationReason
}

/** The extensions of an entry. */
interface Details {
  readonly reason: RevocationReason
  /** `certificateIssuer`, in indirect lists. */
  readonly issuer: Uint8Array | undefined
}

/** The parts of an entry. */
interface Entry {
  readonly serialNumber: Uint8Array
  readonly revokedAt: Date
  readonly details: Details
  readonly end: number
}

const NO_DETAILS: Details = { reason: 'unspecified', issuer: undefined }

/** The name of a CRLReason (RFC 5280, 5.3.1); an unknown one is `unspecified`. @throws DerError */
export const readReason = (element: DerElement): RevocationReason =>
  REASONS.get(element.as(TAG.enumerated).content[0] ?? 0) ?? 'unspecified'

const REASONS = new Map<number, RevocationReason>(
  Object.entries(REVOCATION_REASONS).map(([name, code]) => [code, name as RevocationReason]),
)

/** Where the entries come from. */
export interface EntriesOfList {
  /** `revokedCertificates`. */
  readonly revoked: DerElement
  /** DER name of the issuer of the list. */
  readonly issuer: Uint8Array
  readonly isIndirect: boolean
}

/**
 * The entries of a list. Lists have thousands of them, and a document asks for a few: this keeps
 * the offset of each, and reads an entry again when it is asked for.
 */
export class RevocationEntries {
  readonly #list: EntriesOfList
  readonly #offsets = new Map<string, number>()
  /** Most entries of a list have the same few reasons. */
  readonly #details = new Map<string, Details>()

  /** @throws DerError when an entry cannot be read, or has an unknown critical extension */
  constructor(list: EntriesOfList) {
    this.#list = list
    const { contentStart, contentEnd } = list.revoked
    // An entry is of the issuer that it names, else of that of the entry before it (5.3.3).
    let issuer: string | undefined
    // Not `children`: a list may have more entries than any other structure may have parts.
    for (let at = contentStart; at < contentEnd;) {
      if (this.#offsets.size >= MAX_ENTRIES) throw new DerError('too many entries')
      const { serialNumber, details, end } = this.#read(at)
      if (details.issuer) issuer = otherIssuer(readCertificateIssuer(details.issuer), list.issuer)
      this.#offsets.set(entryKey(serialNumber, issuer), at)
      at = end
    }
  }

  /**
   * The entry of a certificate.
   *
   * @param serialNumber octets of the INTEGER
   * @param issuer DER name of the issuer of the certificate
   */
  find(serialNumber: Uint8Array, issuer: Uint8Array): Revocation | undefined {
    const key = entryKey(serialNumber, otherIssuer(issuer, this.#list.issuer))
    const at = this.#offsets.get(key)
    if (at === undefined) return undefined
    const { revokedAt, details } = this.#read(at)
    return { revokedAt, reason: details.reason }
  }

  #read(at: number): Entry {
    const { source, contentEnd, depth } = this.#list.revoked
    const entry = new DerElement(source, at, contentEnd, depth + 1).as(TAG.sequence)
    const next = (from: number) => new DerElement(source, from, entry.contentEnd, depth + 2)
    const serialNumber = next(entry.contentStart)
    const revokedAt = next(serialNumber.end)
    const isBare = revokedAt.end === entry.contentEnd
    return {
      serialNumber: readInteger(serialNumber),
      revokedAt: readTime(revokedAt),
      details: isBare ? NO_DETAILS : this.#detailsOf(next(revokedAt.end)),
      end: entry.end,
    }
  }

  #detailsOf(extensions: DerElement): Details {
    const octets = extensions.encoded
    if (octets.length > MAX_SHARED_BYTES) return readDetails(extensions, this.#list.isIndirect)
    const key = textOf(octets)
    const details = this.#details.get(key) ?? readDetails(extensions, this.#list.isIndirect)
    this.#details.set(key, details)
    return details
  }
}

/** One character for each octet. */
const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** Not an octet: no serial number contains it. */
const SEPARATOR = '\u0100'

/** Most entries are of certificates of the issuer of the list: their keys have no name. */
function entryKey(serialNumber: Uint8Array, issuer: string | undefined): string {
  const serial = textOf(withoutLeadingZeros(serialNumber))
  return issuer === undefined ? serial : issuer + SEPARATOR + serial
}

/** The name of an issuer as it is compared; undefined when it is that of the list. */
const otherIssuer = (issuer: Uint8Array, ofList: Uint8Array): string | undefined =>
  compareOctets(issuer, ofList) === 0 || nameKey(issuer) === nameKey(ofList)
    ? undefined
    : nameKey(issuer)

/** @throws DerError */
function readDetails(element: DerElement, isIndirect: boolean): Details {
  const extensions = readExtensions(element)
  const named = extensions.find(({ type }) => type === OID.certificateIssuer)
  const isProcessed = (one: Extension) => one === named && isIndirect
  if (extensions.some((one) => one.critical && !isProcessed(one))) {
    throw new DerError('an entry is not understood')
  }
  const reason = extensions.find(({ type }) => type === OID.reasonCode)
  return {
    reason: reason ? readReason(readDer(reason.value)) : 'unspecified',
    issuer: isIndirect ? named?.value : undefined,
  }
}

/** The only directory name of an entry's certificateIssuer (5.3.3). @throws DerError */
function readCertificateIssuer(value: Uint8Array): Uint8Array {
  const names = readDer(value).as(TAG.sequence).children
  const directory = names.filter(({ tag }) => tag === (TAG.contextConstructed | 4))
  if (directory.length !== 1) throw new DerError('an entry without the name of an issuer')
  return directory[0].child(0).as(TAG.sequence).encoded
}
