/** Reads the validation data of a document (EN 319 142-1, 5.4.2; ISO 32000-2, 12.8.4.3). */

import { readCertificate } from '../cms/certificate-reader.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import { compareOctets } from '../cms/der.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import { findOtherKeys } from '../cms/other-keys.ts'
import type { FindOtherKeys } from '../cms/other-keys.ts'
import { RevocationEvidence } from '../cms/revocation.ts'
import type { FindListIssuers, RevocationData } from '../cms/revocation.ts'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'

/** Far more than the certificates and lists of one document of people. */
const MAX_ENTRIES = 2_000
const MAX_BYTES = 67_108_864
/** References in the parts about single signatures, which mostly repeat those of the store. */
const MAX_REFERENCES = 100_000

/** Entries of a store, and of the part about one signature (tables 261 and 262). */
const CERTIFICATES = { all: 'Certs', own: 'Cert' } as const
const LISTS = { all: 'CRLs', own: 'CRL' } as const
const ANSWERS = { all: 'OCSPs', own: 'OCSP' } as const
type Kind = typeof CERTIFICATES | typeof LISTS | typeof ANSWERS

export interface SecurityStore {
  readonly certificates: readonly Certificate[]
  readonly data: RevocationData
  /** Whether all of it was read; otherwise it has more than is read of one document. */
  readonly isWhole: boolean
}

/**
 * What was read of a store: at most so many entries of each kind, and so many bytes together. Data
 * that only the part about one signature (VRI) has count as those of the store: what an authority
 * says of a certificate is true of every signature.
 */
class StoreReader {
  readonly #document: PdfDocument
  readonly #paths: PathFinder
  readonly #store: PdfDictionary
  readonly #parts: readonly PdfDictionary[]
  #left = MAX_BYTES
  #referencesLeft = MAX_REFERENCES
  isWhole = true

  constructor(document: PdfDocument, paths: PathFinder, store: PdfDictionary) {
    this.#document = document
    this.#paths = paths
    this.#store = store
    const parts = [...(document.dictionary(store.get('VRI'))?.values() ?? [])]
    if (parts.length > MAX_ENTRIES) this.isWhole = false
    this.#parts = parts.slice(0, MAX_ENTRIES).flatMap((part) => document.dictionary(part) ?? [])
  }

  read({ all, own }: Kind): Uint8Array[] {
    const items = this.#itemsOf(this.#store.get(all))
    const known = new Set(items.flatMap((item) => numberOf(item) ?? []))
    const others = new Map<number, PdfValue>()
    for (const item of this.#parts.flatMap((part) => this.#referencesIn(part.get(own)))) {
      if (!known.has(item.number)) others.set(item.number, item)
    }
    const entries = [...items, ...others.values()]
    if (entries.length > MAX_ENTRIES) this.isWhole = false
    return entries.slice(0, MAX_ENTRIES).flatMap((item) => {
      const bytes = this.#decoded(item)
      return bytes ? [this.#paths.shareOctets(bytes)] : []
    })
  }

  #itemsOf(list: PdfValue | undefined): PdfArray {
    return list === undefined ? [] : (this.#document.array(list) ?? [])
  }

  /** A stream is always an object of its own (7.3.8.1). */
  #referencesIn(list: PdfValue | undefined): PdfReference[] {
    const items = this.#itemsOf(list)
    if (items.length > this.#referencesLeft) this.isWhole = false
    const read = items.slice(0, this.#referencesLeft)
    this.#referencesLeft -= read.length
    return read.filter((item) => item instanceof PdfReference)
  }

  #decoded(item: PdfValue): Uint8Array | undefined {
    const stream = this.#document.resolve(item)
    if (!(stream instanceof PdfStream) || this.#left <= 0) return undefined
    try {
      const bytes = this.#document.decode(stream)
      this.#left -= bytes.length
      if (this.#left >= 0) return bytes
    } catch (error) {
      if (!(error instanceof PadesError)) throw error
      if (error.code === 'DAMAGED') return undefined
      if (error.code !== 'LIMIT_EXCEEDED') throw error
    }
    this.isWhole = false
    return undefined
  }
}

/**
 * The content of the store; undefined when the document has none. Pieces that cannot be read are
 * passed over: they prove nothing.
 */
export function readSecurityStore(
  document: PdfDocument,
  paths: PathFinder,
): SecurityStore | undefined {
  const store = document.dictionary(document.catalog.get('DSS'))
  if (!store) return undefined
  const reader = new StoreReader(document, paths, store)
  const certificates = reader.read(CERTIFICATES).flatMap((der) => certificateOf(der, paths))
  const revocationLists = reader.read(LISTS)
  const ocspResponses = reader.read(ANSWERS)
  const { isWhole } = reader
  return { certificates, data: { revocationLists, ocspResponses }, isWhole }
}

const numberOf = (item: PdfValue): number | undefined =>
  item instanceof PdfReference ? item.number : undefined

function certificateOf(der: Uint8Array, paths: PathFinder): Certificate[] {
  try {
    return [paths.share(readCertificate(der))]
  } catch {
    return []
  }
}

/** How far an authority's clock may be ahead of the verifier's. */
const CLOCK_TOLERANCE_MS = 60_000

/** Until when data may be made that count at a time of validation. */
export const untilOf = (validationTime: Date): Date =>
  new Date(validationTime.getTime() + CLOCK_TOLERANCE_MS)

/**
 * All revocation data that there are. What is newer than `validationTime`, by more than clocks
 * differ, does not count.
 *
 * @param parts the nearest first
 * @param validationTime without it, data of every time count
 * @param listIssuers issuers of lists about other issuers' certificates; by default none
 * @param otherKeys other keys of an authority, which may sign its lists; by default none
 */
export function evidenceOf(
  parts: readonly RevocationData[],
  validationTime?: Date,
  listIssuers?: FindListIssuers,
  otherKeys?: FindOtherKeys,
): RevocationEvidence {
  return new RevocationEvidence(
    {
      revocationLists: parts.flatMap(({ revocationLists }) => revocationLists),
      ocspResponses: parts.flatMap(({ ocspResponses }) => ocspResponses),
    },
    validationTime && untilOf(validationTime),
    listIssuers,
    otherKeys,
  )
}

/**
 * Reads the store of a document on first use: most are never used. The signature level depends on
 * the store alone, so the time of validation does not matter.
 *
 * @returns gives undefined when the document has no store
 */
export function evidenceIn(
  document: PdfDocument | undefined,
  { paths }: { paths: PathFinder },
): () => RevocationEvidence | undefined {
  let read: { evidence: RevocationEvidence | undefined } | undefined
  return () => {
    if (read) return read.evidence
    const store = document && readSecurityStore(document, paths)
    // The level does not say whom one trusts.
    const listIssuers: FindListIssuers = (name) =>
      store?.certificates.filter(({ subject }) => compareOctets(subject, name) === 0) ?? []
    const otherKeys = findOtherKeys(store?.certificates ?? [])
    read = { evidence: store && evidenceOf([store.data], undefined, listIssuers, otherKeys) }
    return read.evidence
  }
}
