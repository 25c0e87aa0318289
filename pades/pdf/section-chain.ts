/** The chain of cross-reference sections, from the end of the file (7.5.4 to 7.5.8). */
import { PadesError } from '../errors.ts'
import type { CrossReferenceSection } from './cross-reference.ts'
import { readStreamSubsections } from './cross-reference-stream.ts'
import { readTable } from './cross-reference-table.ts'
import type { PdfDocument } from './document.ts'
import { MAX_SECTIONS, TAIL_WINDOW_BYTES } from './limits.ts'
import type { ObjectLoader } from './object-loader.ts'
import { isDictionary, isInteger, PdfStream } from './values.ts'

/**
 * Finds the newest section.
 *
 * @returns its offset as the file states it, and what to add to offsets of the sections to find
 *   bytes of the file
 * @throws PadesError `DAMAGED` - it cannot be found, or its offset leads to something else
 */
export function findNewestSection(document: PdfDocument): { target: number; base: number } {
  const { bytes, headerOffset } = document
  const tailStart = Math.max(0, bytes.length - TAIL_WINDOW_BYTES)
  const found = bytes.subarray(tailStart).lastIndexOf('startxref', undefined, 'latin1')
  if (found === -1) throw new PadesError('DAMAGED')
  const targetAt = tailStart + found + 'startxref'.length
  const target = document.parseAt(targetAt, (parser) => parser.takeInteger())
  if (target === undefined) throw new PadesError('DAMAGED')
  const bases = headerOffset === 0 ? [0] : [headerOffset, 0]
  const base = bases.find((candidate) => isSectionAt(document, target + candidate))
  if (base === undefined) throw new PadesError('DAMAGED')
  return { target, base }
}

function isSectionAt(document: PdfDocument, offset: number): boolean {
  if (offset >= document.bytes.length) return false
  return document.parseAt(offset, (parser) => {
    if (parser.takeKeyword('xref')) return true
    return (
      parser.takeInteger() !== undefined &&
      parser.takeInteger() !== undefined &&
      parser.takeKeyword('obj')
    )
  })
}

/**
 * Reads the sections from the newest one to the oldest; `offsetBase` of the document is set.
 *
 * @param target offset of the newest section, as the file states it
 * @throws PadesError `DAMAGED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
 */
export function readSectionChain(
  document: PdfDocument,
  loader: ObjectLoader,
  target: number,
): CrossReferenceSection[] {
  const sections: CrossReferenceSection[] = []
  const visited = new Set<number>()
  const sectionAt = (offset: number) => readSection(document, loader, offset + document.offsetBase)
  let next: number | undefined = target
  while (next !== undefined && !visited.has(next)) {
    if (sections.length >= MAX_SECTIONS) throw new PadesError('LIMIT_EXCEEDED')
    visited.add(next)
    const section: CrossReferenceSection = sectionAt(next)
    const hiddenAt = section.kind === 'table' ? section.trailer.get('XRefStm') : undefined
    const hidden = isInteger(hiddenAt) ? sectionAt(hiddenAt) : undefined
    if (hidden?.kind === 'table') throw new PadesError('DAMAGED')
    sections.push(hidden ? { ...section, hidden } : section)
    const previous = section.trailer.get('Prev')
    // Zero means "none" in files of some producers.
    next = isInteger(previous) && previous > 0 ? previous : undefined
  }
  return sections
}

function readSection(
  document: PdfDocument,
  loader: ObjectLoader,
  offset: number,
): CrossReferenceSection {
  if (offset < 0 || offset >= document.bytes.length) throw new PadesError('DAMAGED')
  const table = document.parseAt(offset, (parser) => {
    if (!parser.takeKeyword('xref')) return undefined
    const subsections = readTable(document.bytes, parser)
    const trailer = parser.readValue()
    if (!isDictionary(trailer)) throw new PadesError('DAMAGED')
    return { kind: 'table', offset, trailer, subsections } as const
  })
  return table ?? readStreamSection(document, loader, offset)
}

function readStreamSection(
  document: PdfDocument,
  loader: ObjectLoader,
  offset: number,
): CrossReferenceSection {
  const stream = loader.objectAt(offset)?.value
  if (!(stream instanceof PdfStream)) throw new PadesError('DAMAGED')
  const data = document.decode(stream)
  const subsections = readStreamSubsections(document.resolvedEntries(stream.dictionary), data)
  return { kind: 'stream', offset, trailer: stream.dictionary, subsections }
}
