/**
 * Reads revocation lists with pkijs, and finds certificates on them (RFC 5280, 5.1 and 5.3). asn1js
 * refuses lists of more than some thousand entries and takes long for shorter ones: entries are
 * split here, and pkijs reads everything else.
 */

import { Buffer } from 'node:buffer'
import { CertificateRevocationList, Extensions } from 'pkijs'
import type { Certificate, RelativeDistinguishedNames } from 'pkijs'
import { readOnce } from '../cms/read-once.ts'
import { type Element, elementsOf, firstElement, sequenceOf } from './elements.ts'
import { certificateIssuer, isIndirect } from './list-scope.ts'
import { readEntry, type RevokedEntry } from './revoked-entry.ts'

const SEQUENCE = 0x30
const TIMES: ReadonlySet<number> = new Set([0x17, 0x18])
/** Some hundred thousand entries. */
const MAX_ENTRIES = 500_000
const EXTENSIONS = 2
/** Entries that name an issuer, which pkijs reads, and issuers with the same serial number. */
const MAX_NAMED = 2_000
const MAX_ISSUERS = 50

/** A list and its DER. */
export interface List {
  readonly der: Uint8Array
  /** Without its entries. */
  readonly list: CertificateRevocationList
}

type Issuers = RelativeDistinguishedNames[]

/** The entries of lists, and issuers of the certificates on them by serial number. */
const entriesOf = new WeakMap<CertificateRevocationList, Uint8Array>()
const revokedBy = new WeakMap<CertificateRevocationList, ReadonlyMap<string, Issuers>>()

const octetsOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

/**
 * Reads a DER list; equal octets give the same object, which must not be changed.
 *
 * @throws Error
 */
export const readList = readOnce((der: Uint8Array): List => {
  const [toBeSigned, ...others] = elementsOf(firstElement(der).content)
  const parts = elementsOf(toBeSigned.content)
  // thisUpdate, the optional nextUpdate, then revokedCertificates.
  const at = parts.findLastIndex(({ tag }) => TIMES.has(tag)) + 1
  const revoked = parts[at]?.tag === SEQUENCE ? parts.splice(at, 1) : []
  const list = CertificateRevocationList.fromBER(
    octetsOf(sequenceOf([sequenceOf(parts.map(encodedOf)), ...others.map(encodedOf)])),
  )
  list.tbsView = Uint8Array.from(toBeSigned.encoded)
  entriesOf.set(list, revoked[0]?.content ?? new Uint8Array())
  return { der, list }
})

const encodedOf = ({ encoded }: Element): Uint8Array => encoded
const serialOf = (octets: Uint8Array): string => Buffer.from(octets).toString('latin1')

/**
 * Whether a list has an entry of the certificate. An entry belongs to the issuer that it names,
 * else to that of the entry before it (5.3.3). A list that cannot be read may have one.
 *
 * @param list of {@link readList}
 */
export function isListed(list: CertificateRevocationList, certificate: Certificate): boolean {
  try {
    const known = revokedBy.get(list) ?? readEntries(list)
    revokedBy.set(list, known)
    const issuers = known.get(serialOf(certificate.serialNumber.valueBlock.valueHexView)) ?? []
    return issuers.some((one) => one.isEqual(certificate.issuer))
  } catch {
    return true
  }
}

/**
 * What a list says of a certificate that is on it.
 *
 * @param list of {@link readList}
 */
export function revocationsOf(
  list: CertificateRevocationList,
  certificate: Certificate,
): RevokedEntry[] {
  if (!isListed(list, certificate)) return []
  const serial = serialOf(certificate.serialNumber.valueBlock.valueHexView)
  const found: RevokedEntry[] = []
  try {
    for (const { entry, issuer } of eachEntry(list)) {
      const isOwn = serialIn(entry) === serial && issuer.isEqual(certificate.issuer)
      if (isOwn) found.push(readEntry(entry))
    }
  } catch {
    // What cannot be read says of nothing that it was revoked, nor that it was not.
  }
  return found
}

const serialIn = ({ content }: Element): string => serialOf(firstElement(content).content)

interface OwnedEntry {
  readonly entry: Element
  readonly issuer: RelativeDistinguishedNames
}

/** @throws Error */
function* eachEntry(list: CertificateRevocationList): Generator<OwnedEntry> {
  const namesIssuers = isIndirect(list)
  let { issuer } = list
  let named = 0
  let rest = entriesOf.get(list)
  if (!rest) throw new TypeError('the list has been read elsewhere')
  for (let count = 0; rest.length > 0; count += 1) {
    if (count >= MAX_ENTRIES || named > MAX_NAMED) throw new RangeError('too many entries')
    const entry = firstElement(rest)
    rest = rest.subarray(entry.encoded.length)
    const other = namesIssuers ? namedIssuer(entry) : undefined
    if (other) {
      issuer = other
      named += 1
    }
    yield { entry, issuer }
  }
}

/** @throws Error */
function readEntries(list: CertificateRevocationList): ReadonlyMap<string, Issuers> {
  const revoked = new Map<string, Issuers>()
  for (const { entry, issuer } of eachEntry(list)) {
    const serial = serialIn(entry)
    const known = revoked.get(serial)
    if (!known) revoked.set(serial, [issuer])
    else if (known.at(-1) !== issuer) known.push(issuer)
    if (known && known.length > MAX_ISSUERS) throw new RangeError('too many issuers')
  }
  return revoked
}

function namedIssuer({ content }: Element): RelativeDistinguishedNames | undefined {
  const extensions = elementsOf(content)[EXTENSIONS]
  return (
    extensions && certificateIssuer(Extensions.fromBER(octetsOf(extensions.encoded)).extensions)
  )
}
