/** Judges metadata of the document that a later revision rewrote (ISO 32000-2, 14.3.2, 7.7.2). */

import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfName, PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfValue } from '../pdf/values.ts'
import { differingKeys } from './compare-values.ts'
import { referrersOf, valueOf } from './differences.ts'
import type { Differences } from './differences.ts'
import type { History } from './history.ts'
import { packetsAgree } from './xmp.ts'

/** How the packet is stored. */
const STORAGE_KEYS: ReadonlySet<string> = new Set(['Length', 'Filter', 'DecodeParms'])

function isMetadata(document: PdfDocument, value: PdfValue): value is PdfStream {
  return (
    value instanceof PdfStream &&
    document.name(value.dictionary.get('Type')) === 'Metadata' &&
    document.name(value.dictionary.get('Subtype')) === 'XML'
  )
}

function saysTheSame({ before, after }: Differences, old: PdfValue, current: PdfValue): boolean {
  if (!isMetadata(before, old) || !isMetadata(after, current)) return false
  const isStoredOnly = differingKeys(old.dictionary, current.dictionary).every((key) =>
    STORAGE_KEYS.has(key),
  )
  try {
    return isStoredOnly && packetsAgree(before.decode(old), after.decode(current))
  } catch (error) {
    if (error instanceof PadesError) return false
    throw error
  }
}

/**
 * Permits another packet of metadata that says the same, apart from dates, identifiers and the
 * program that wrote it. It has no other role: a page may show any stream.
 *
 * @returns whether the entry of the catalog may differ
 */
export function judgeMetadata(differences: Differences, history: History): boolean {
  const { before, after, added, changed, permitted } = differences
  const old = before.catalog.get('Metadata')
  const current = after.catalog.get('Metadata')
  if (!(old instanceof PdfReference) || !(current instanceof PdfReference)) return false
  const isSameObject = old.number === current.number
  const isWritten = isSameObject ? changed.has(old.number) : added.has(current.number)
  if (!isWritten) return false
  const root = after.trailer.get('Root')
  const isOnlyMetadata = referrersOf(differences, history, current.number).every(
    ({ source, path }) =>
      path === 'Metadata' && root instanceof PdfReference && source === root.number,
  )
  if (!isOnlyMetadata) return false
  if (!saysTheSame(differences, valueOf(before, old.number), valueOf(after, current.number))) {
    return false
  }
  if (isSameObject) permitted.add(current.number)
  return old.generation === current.generation
}

const VERSION = /^(?:1\.[0-7]|2\.0)$/

/** Whether the catalog names a version of PDF that is not older than the one before. */
export function versionOnlyGrew({ before, after }: Differences): boolean {
  const version = after.catalog.get('Version')
  if (!(version instanceof PdfName) || !VERSION.test(version.value)) return false
  const header = before.bytes.toString('latin1', before.headerOffset, before.headerOffset + 8)
  const inHeader = /^%PDF-(\d\.\d)$/.exec(header)?.[1]
  const inCatalog = before.name(before.catalog.get('Version')) ?? '0.0'
  // Versions have one digit on either side of the point.
  return inHeader !== undefined && version.value >= inHeader && version.value >= inCatalog
}
