/**
 * Writes the document security store (ISO 32000-2, 12.8.4.3; ETSI EN 319 142-1, 5.4.2): what was in
 * it stays, what it has already is not written twice.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import type { PdfDocument } from '../pdf/document.ts'
import { replaceCatalog, toReference } from './form-update.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { serialise } from '../pdf/serialise.ts'
import { withEntry } from '../syntax/source.ts'
import {
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../pdf/values.ts'
import type { ValidationData } from './validation-data.ts'

/** Entries of the store, and of the part about one signature (tables 261 and 262). */
const KINDS = [
  { all: 'Certs', own: 'Cert' },
  { all: 'CRLs', own: 'CRL' },
  { all: 'OCSPs', own: 'OCSP' },
] as const

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** SHA-1 is a name here, as the standards demand; nothing rests on it. */
const nameOfSignature = (contents: Uint8Array) =>
  createHash('sha1').update(contents).digest('hex').toUpperCase()

/**
 * Adds validation data of signatures to the store, and the store to the catalog.
 *
 * @param catalog its source as it is now, which may be newer than the document
 * @throws PadesError `AMBIGUOUS` - readers may understand the catalog differently
 */
export function writeSecurityStore(
  document: PdfDocument,
  update: IncrementalUpdate,
  catalog: string,
  signatures: readonly ValidationData[],
): void {
  const before: PdfDictionary = document.dictionary(document.catalog.get('DSS')) ?? new Map()
  const known = new Map<string, PdfReference>()
  const lists = KINDS.map(({ all }) => [...(document.array(before.get(all)) ?? [])])
  for (const item of lists.flat()) remember(document, item, known)

  const information = new Map(document.dictionary(before.get('VRI')))
  for (const signature of signatures) {
    const pieces = [
      signature.certificates.map(({ der }) => der),
      signature.revocationLists,
      signature.ocspResponses,
    ]
    const own = new Map<string, PdfValue>([['Type', new PdfName('VRI')]])
    for (const [index, kind] of KINDS.entries()) {
      const references = pieces[index].map((der) => {
        const key = digestOf(der)
        const found = known.get(key) ?? toReference(update.add('<< >>', der))
        known.set(key, found)
        if (!lists[index].some((item) => isSame(item, found))) lists[index].push(found)
        return found
      })
      if (references.length > 0) own.set(kind.own, references)
    }
    information.set(nameOfSignature(signature.contents), own)
  }
  const store = new Map(before).set('Type', new PdfName('DSS'))
  for (const [index, { all }] of KINDS.entries()) {
    if (lists[index].length > 0) store.set(all, lists[index])
  }
  store.set('VRI', information)
  const reference = toReference(update.add(serialise(store)))
  replaceCatalog(document, update, withEntry(catalog, 'DSS', serialise(reference)))
}

const isSame = (item: PdfValue, { number }: PdfReference) =>
  item instanceof PdfReference && item.number === number

/** What cannot be decoded is kept, and never found again. */
function remember(document: PdfDocument, item: PdfValue, known: Map<string, PdfReference>): void {
  const stream = document.resolve(item)
  if (!(item instanceof PdfReference) || !(stream instanceof PdfStream)) return
  try {
    known.set(digestOf(Buffer.from(document.decode(stream))), item)
  } catch {
    // A damaged entry proves nothing.
  }
}
