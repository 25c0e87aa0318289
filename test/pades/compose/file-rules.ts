/** Rules of PDF/UA-1 for the file, its fonts and its annotations (ISO 14289-1, by clause). */
import { Buffer } from 'node:buffer'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString,
  type PDFObject,
} from 'pdf-lib'

const HIDDEN = 2
/** What a map to Unicode must not contain (7.21.7). */
const NOT_TEXT = new Set(['0000', 'FEFF', 'FFFE'])
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/

const at = (dictionary: PDFDict, key: string) => dictionary.lookup(PDFName.of(key))
const nameAt = (dictionary: PDFDict, key: string): string | undefined => {
  const value = at(dictionary, key)
  return value instanceof PDFName ? value.decodeText() : undefined
}
const dictionaryOf = (value: PDFObject | undefined): PDFDict | undefined =>
  value instanceof PDFDict ? value : undefined

/** Letters that a font can show; each destination of its map is text. */
function mapFaults(font: PDFDict): string[] {
  const map = at(font, 'ToUnicode')
  if (!(map instanceof PDFRawStream)) return ['7.21.7: a font without ToUnicode']
  const text = Buffer.from(decodePDFRawStream(map).decode()).toString('latin1')
  const targets = [...text.matchAll(/<[0-9A-F]{4}>\s+<([0-9A-F]+)>\s*$/gim)].map(([, to = '']) =>
    to.toUpperCase(),
  )
  if (targets.length === 0) return ['7.21.7: an empty ToUnicode']
  return targets.some((to) => NOT_TEXT.has(to)) ? ['7.21.7: a letter without text'] : []
}

function descendantFaults(font: PDFDict): string[] {
  const descendant = at(font, 'DescendantFonts') as PDFArray
  const cid = descendant.lookup(0, PDFDict)
  const faults: string[] = []
  if (nameAt(font, 'Encoding') !== 'Identity-H') faults.push('7.21.3.3: a CMap outside the file')
  if (nameAt(cid, 'Subtype') === 'CIDFontType2') {
    const map = at(cid, 'CIDToGIDMap')
    const isKnown = map instanceof PDFRawStream || nameAt(cid, 'CIDToGIDMap') === 'Identity'
    if (!isKnown) faults.push('7.21.3.2: no CIDToGIDMap')
  }
  if (!(at(cid, 'W') instanceof PDFArray)) faults.push('7.21.5: no widths')
  return faults
}

function fontFaults(font: PDFDict): string[] {
  const type = nameAt(font, 'Subtype')
  if (type === 'Type0') return [...descendantFaults(font), ...mapFaults(font)]
  if (type?.startsWith('CIDFont')) return []
  return [`7.21.4.1: a font of the type ${type}, which nothing shows to be embedded`]
}

/** An annotation needs no tag when it is hidden or outside of its page (7.18.1). */
function isOutOfSight(annotation: PDFDict, page: { width: number; height: number }): boolean {
  const flags = at(annotation, 'F')
  if (flags instanceof PDFNumber && (flags.asNumber() & HIDDEN) !== 0) return true
  const [left = 0, bottom = 0, right = 0, top = 0] = (at(annotation, 'Rect') as PDFArray)
    .asArray()
    .map((value) => (value as PDFNumber).asNumber())
  return right <= 0 || top <= 0 || left >= page.width || bottom >= page.height
}

function annotationFaults(document: PDFDocument): string[] {
  return document.getPages().flatMap((page) => {
    const list = at(page.node, 'Annots')
    if (!(list instanceof PDFArray)) return []
    const seen = list
      .asArray()
      .map((_, index) => list.lookup(index, PDFDict))
      .filter((annotation) => !isOutOfSight(annotation, page.getSize()))
    return seen.map((annotation) => `7.18.1: ${nameAt(annotation, 'Subtype')} is not tagged`)
  })
}

/** The language that a catalogue or an element names. */
function languageFaults(dictionary: PDFDict): string[] {
  const language = at(dictionary, 'Lang')
  const isText = language instanceof PDFString || language instanceof PDFHexString
  const tag = isText ? language.decodeText() : ''
  return LANGUAGE_TAG.test(tag) ? [] : [`7.2: ${tag} is not a language`]
}

function catalogFaults({ catalog, context }: PDFDocument): string[] {
  const faults: string[] = []
  const marked = dictionaryOf(at(catalog, 'MarkInfo'))
  if (String(marked?.get(PDFName.of('Suspects'))) === 'true') faults.push('6.2: suspects')
  faults.push(...languageFaults(catalog))
  if (catalog.has(PDFName.of('Outlines'))) faults.push('7.2: bookmarks, which no rule checks')
  if (dictionaryOf(at(catalog, 'StructTreeRoot'))?.has(PDFName.of('RoleMap'))) {
    faults.push('7.1: types that only the file knows')
  }
  if (catalog.has(PDFName.of('OCProperties'))) faults.push('7.10: optional content')
  if (dictionaryOf(at(catalog, 'AcroForm'))?.has(PDFName.of('XFA'))) faults.push('7.15: XFA')
  if (context.trailerInfo.Encrypt) faults.push('7.16: encryption')
  return faults
}

/** A drawing belongs to the figure that shows it, so it has no marked contents of its own. */
function formFaults(stream: PDFRawStream): string[] {
  if (nameAt(stream.dict, 'Subtype') !== 'Form') return []
  const source = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
  return [
    ...(stream.dict.has(PDFName.of('Ref')) ? ['7.20: contents of another file'] : []),
    ...(/\/MCID|\bBDC\b|\bBMC\b/.test(source) ? ['7.20: marked contents in a drawing'] : []),
  ]
}

/** What the file lacks of PDF/UA-1 beside its structure. */
export function fileFaults(document: PDFDocument): string[] {
  const faults = [...catalogFaults(document), ...annotationFaults(document)]
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream) faults.push(...formFaults(object))
    if (!(object instanceof PDFDict)) continue
    const type = nameAt(object, 'Type')
    if (
      nameAt(object, 'Subtype') === 'Widget' &&
      object.has(PDFName.of('FT')) &&
      !at(object, 'TU')
    ) {
      faults.push('7.18.1: a form field without a name for people')
    }
    if (type === 'Font') faults.push(...fontFaults(object))
    if (
      type === 'FontDescriptor' &&
      (object.has(PDFName.of('CIDSet')) || object.has(PDFName.of('CharSet')))
    ) {
      faults.push('7.21.4.2: a list of glyphs, which no rule checks')
    }
    if (object.has(PDFName.of('S')) && object.has(PDFName.of('Lang')))
      faults.push(...languageFaults(object))
    if (type !== 'Filespec') continue
    if (!at(object, 'F') || !at(object, 'UF')) faults.push('7.11: an attachment without its name')
    if (!at(object, 'Desc')) faults.push('7.11: an attachment without a description')
  }
  return faults
}
