/**
 * What there is to know of a PDF before it is signed, and whether it can be (ISO 32000-2, 7.6, 7.7,
 * 12.7.8, 12.8.2, annex F).
 */
import { PadesError } from '../errors.ts'
import { acroFormOf, type FormField, readFields } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import type { Encryption } from './encryption/encryption.ts'
import { assertMaySign } from './encryption/signing-rights.ts'
import { HEADER_WINDOW_BYTES, MAX_OBJECTS, MAX_SIGNED_OBJECT_NUMBER } from './limits.ts'
import { readDocument } from './open.ts'
import { type Page, type PageGeometry, readPages } from './page-tree.ts'
import { readPermissions } from './permissions.ts'
import type { ModificationLevel } from './signature-rules.ts'
import { isDictionary, PdfStream } from './values.ts'

export interface DocumentInspection {
  /** `1.7`, `2.0`: of the header, or of the catalog when that is later. */
  readonly pdfVersion: string
  readonly pageCount: number
  /** Empty for an encrypted document that cannot be decrypted. */
  readonly pages: readonly PageGeometry[]
  /** Whether every page is an object, as it must be; an annotation can be added to no other. */
  readonly pagesAreObjects: boolean
  readonly encrypted: boolean
  /** How it is encrypted; absent for a document that is not. */
  readonly encryption?: Encryption
  /** Whether the cross-reference was wrong and the file had to be scanned. */
  readonly repaired: boolean
  /** Signatures and document time-stamps that the document carries already. */
  readonly signatures: number
  /** What a certifying signature permits (DocMDP). */
  readonly certification?: ModificationLevel
  /** Whether a signature locks fields so that one more field or signature breaks it. */
  readonly locked: boolean
  readonly xfa: 'none' | 'static' | 'dynamic'
  readonly acroForm: boolean
  readonly linearized: boolean
  /** Whether the file has numbers, and readers have room, for the objects that signing adds. */
  readonly hasRoom: boolean
}

/**
 * Reads what is to be known of a PDF before it is signed: the tail, the cross-reference sections,
 * the page tree and the form; all of the file only when it is damaged.
 *
 * @param bytes the file, not copied
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
 */
export function inspect(bytes: Uint8Array): DocumentInspection {
  return readDocument(bytes, (document) => inspectDocument(document))
}

/** As {@link inspect}, for a document that is open and whose pages and fields may be known. */
export function inspectDocument(
  document: PdfDocument,
  known?: { readonly pages: readonly Page[]; readonly fields: readonly FormField[] },
): DocumentInspection {
  const { repaired } = document
  const linearized = isLinearized(document)
  const { encryption } = document
  if (encryption?.state === 'locked') {
    // Names and numbers could be read, strings and streams not: nothing more is worth knowing.
    return {
      encryption,
      pdfVersion: headerVersion(document),
      pageCount: 0,
      pages: [],
      pagesAreObjects: true,
      encrypted: true,
      repaired,
      signatures: 0,
      locked: false,
      xfa: 'none',
      acroForm: false,
      linearized,
      hasRoom: true,
    }
  }
  const pages = known?.pages ?? readPages(document)
  const fields = known?.fields ?? readFields(document)
  const { signatures, certification, locked } = readPermissions(document, fields)
  return {
    pdfVersion: versionOf(document),
    pageCount: pages.length,
    pages: pages.map(({ geometry }) => geometry),
    pagesAreObjects: pages.every(({ reference }) => reference !== undefined),
    encrypted: encryption !== undefined,
    ...(encryption && { encryption }),
    repaired,
    signatures,
    ...(certification !== undefined && { certification }),
    locked,
    xfa: xfaOf(document),
    acroForm: acroFormOf(document) !== undefined,
    linearized,
    hasRoom: hasRoom(document),
  }
}

/**
 * Refuses documents to which no signature can be added that holds, or only by breaking another.
 *
 * @throws PadesError `ENCRYPTED`, `NO_PAGES`, `DAMAGED_AND_SIGNED`, `CERTIFIED`, `LOCKED`,
 *   `DYNAMIC_XFA`, `TOO_MANY_OBJECTS`; `DAMAGED` when a page is not an object of its own
 */
export function assertSignable(inspection: DocumentInspection): void {
  const { pageCount, pagesAreObjects, certification, locked, xfa } = inspection
  const { repaired, signatures } = inspection
  assertMaySign(inspection.encryption)
  if (pageCount === 0) throw new PadesError('NO_PAGES')
  if (!pagesAreObjects) throw new PadesError('DAMAGED')
  // Only a whole new cross-reference would repair it, and behind that the revision before is cut
  // off.
  if (repaired && signatures > 0) throw new PadesError('DAMAGED_AND_SIGNED')
  // Level 2 permits filling in fields that are there; signing here adds fields.
  if (certification === 1 || certification === 2) throw new PadesError('CERTIFIED')
  if (locked) throw new PadesError('LOCKED')
  if (xfa === 'dynamic') throw new PadesError('DYNAMIC_XFA')
  if (!inspection.hasRoom) throw new PadesError('TOO_MANY_OBJECTS')
}

/** More than fifty signers add, with all their fields: entries that are said anew among them. */
const OBJECTS_TO_ADD = 20_000

/** What is signed must be read again: the limits of validation hold for the signed file. */
function hasRoom(document: PdfDocument): boolean {
  const all = document.sections.flatMap(({ subsections, hidden, scanned }) => [
    ...subsections.map(({ count }) => count),
    ...(hidden?.subsections.map(({ count }) => count) ?? []),
    scanned?.size ?? 0,
  ])
  const entries = all.reduce((sum, count) => sum + count, 0)
  const isNumbered = document.size + OBJECTS_TO_ADD <= MAX_SIGNED_OBJECT_NUMBER
  return isNumbered && entries + OBJECTS_TO_ADD <= MAX_OBJECTS
}

function headerVersion({ bytes, headerOffset }: PdfDocument): string {
  const start = headerOffset + '%PDF-'.length
  return /^\d\.\d/.exec(bytes.toString('latin1', start, start + 3))?.[0] ?? ''
}

function versionOf(document: PdfDocument): string {
  const inHeader = headerVersion(document)
  const inCatalog = document.name(document.catalog.get('Version'))
  return inCatalog !== undefined && /^\d\.\d$/.test(inCatalog) && inCatalog > inHeader
    ? inCatalog
    : inHeader
}

/** Annex F.3.3: the first object says so, and how long the file was before it was updated. */
function isLinearized(document: PdfDocument): boolean {
  const { bytes, headerOffset } = document
  const window = bytes.subarray(headerOffset, headerOffset + HEADER_WINDOW_BYTES)
  const keyword = window.indexOf(' obj')
  if (keyword === -1) return false
  const valueAt = headerOffset + keyword + ' obj'.length
  const value = document.parseAt(valueAt, (parser) => parser.readValue())
  return (
    isDictionary(value) && value.has('Linearized') && value.get('L') === bytes.length - headerOffset
  )
}

/** XML of the template's configuration: `required` makes the form lay itself out anew (XFA 3.3). */
const DYNAMIC_RENDER = 'dynamicRender>required<'

function xfaOf(document: PdfDocument): DocumentInspection['xfa'] {
  const xfa = document.resolve(acroFormOf(document)?.get('XFA'))
  if (xfa === null) return 'none'
  if (document.resolve(document.catalog.get('NeedsRendering')) === true) return 'dynamic'
  const packets = xfa instanceof PdfStream ? [xfa] : (document.array(xfa) ?? [])
  const isDynamic = packets.some((item) => {
    const packet = document.resolve(item)
    return packet instanceof PdfStream && holds(document, packet, DYNAMIC_RENDER)
  })
  return isDynamic ? 'dynamic' : 'static'
}

function holds(document: PdfDocument, stream: PdfStream, text: string): boolean {
  try {
    return document.decode(stream).includes(text)
  } catch (error) {
    // A packet that cannot be decoded is not a reason to refuse the document.
    if (error instanceof PadesError && error.code === 'DAMAGED') return false
    throw error
  }
}
