/** Reads certificate revocation lists (RFC 5280, 5). */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier } from './certificate-reader.ts'
import type { AlgorithmIdentifier } from './certificate-reader.ts'
import { TAG, withoutLeadingZeros } from './der.ts'
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
import { OID } from './object-identifiers.ts'
import { readOnce } from './read-once.ts'
import { REVOCATION_REASONS } from './revocation-list.ts'
import type { RevocationReason } from './revocation-list.ts'

/** Entries of one list; the largest lists of national authorities have some hundred thousand. */
const MAX_ENTRIES = 1_000_000
const MAX_EXTENSIONS = 100

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
  /** Whether it has a critical extension: what it then says is of some certificates only. */
  readonly isPartial: boolean
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
    this.isPartial = extensions.some(({ critical }) => critical)
  }

  /** Lower-case hex over the whole list. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.der).digest('hex')
    return this.#sha256
  }

  /**
   * What the list says of a certificate of its issuer; undefined when it is not on it.
   *
   * @param serialNumber octets of the INTEGER
   * @throws DerError when the entries cannot be read
   */
  revocationOf(serialNumber: Uint8Array): Revocation | undefined {
    this.#entries ??= readEntries(this.#revoked)
    return this.#entries.get(serialKey(serialNumber))
  }
}

const isTime = (element: DerElement | undefined) =>
  element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime

const serialKey = (octets: Uint8Array) => Buffer.from(withoutLeadingZeros(octets)).toString('hex')

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

function readEntries(revoked: DerElement | undefined): ReadonlyMap<string, Revocation> {
  const entries = new Map<string, Revocation>()
  if (!revoked) return entries
  const { source, contentStart, contentEnd, depth } = revoked
  // Not `children`: a list may have more entries than any other structure may have parts.
  for (let at = contentStart; at < contentEnd;) {
    if (entries.size >= MAX_ENTRIES) throw new DerError('too many entries')
    const entry = new DerElement(source, at, contentEnd, depth + 1)
    at = entry.end
    const extensions = readExtensions(entry.children[2])
    // Entries of other issuers (5.3.3) are in lists that are partial anyway.
    if (extensions.some(({ critical }) => critical))
      throw new DerError('an entry is not understood')
    const reason = extensions.find(({ type }) => type === OID.reasonCode)
    const code = reason && readDer(reason.value).as(TAG.enumerated).content[0]
    entries.set(serialKey(readInteger(entry.child(0))), {
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
