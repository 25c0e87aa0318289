/** The revisions of a document: where one ends, and what later ones name (ISO 32000-2, 7.5.6). */

import { PadesError } from '../errors.ts'
import type {
  CrossReferenceEntry,
  CrossReferenceSection,
  Subsection,
} from '../pdf/cross-reference.ts'
import { PdfDocument } from '../pdf/document.ts'
import { MAX_OBJECTS } from '../pdf/limits.ts'

/** How far before the end of a revision its `startxref` may lie. */
const END_WINDOW_BYTES = 128
const REVISION_END = /startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF[\0\t\n\f\r ]*$/

/** A state of the document that ends at an offset of the file. */
export interface Revision {
  readonly end: number
  /** From 1, the oldest. */
  readonly number: number
  /** The document as it was then. */
  readonly document: PdfDocument
  /** Sections that came later, newest first. */
  readonly newer: readonly CrossReferenceSection[]
}

/**
 * The revision that ends at an offset; undefined when none does, or when the newest section does
 * not lead back to it.
 */
export function revisionEndingAt(document: PdfDocument, end: number): Revision | undefined {
  if (document.repaired) return undefined
  const window = document.bytes.subarray(Math.max(0, end - END_WINDOW_BYTES), end)
  const target = REVISION_END.exec(window.toString('latin1'))?.[1]
  if (target === undefined) return undefined
  const offset = Number(target) + document.offsetBase
  const index = document.sections.findIndex((section) => section.offset === offset)
  if (index === -1) return undefined
  const older = document.sections.slice(index)
  const newer = document.sections.slice(0, index)
  // Revisions are appended: later sections lie behind, earlier ones before the end.
  if (older.some((section) => section.offset >= end)) return undefined
  if (newer.some((section) => section.offset < end)) return undefined
  const earlier = new PdfDocument(document.bytes.subarray(0, end))
  earlier.offsetBase = document.offsetBase
  earlier.useSections(older, false)
  return { end, number: older.length, document: earlier, newer }
}

/** Looks at a state of the document and lets go of it: fifty signers make fifty states. */
export function forgetting<T>(revision: Revision | undefined, look: () => T): T {
  try {
    return look()
  } finally {
    revision?.document.forget()
  }
}

/** What a section says of an object, and the index of the section, 0 being the newest. */
export interface NamedEntry {
  readonly entry: CrossReferenceEntry
  readonly section: number
}

/**
 * Every object number that sections name; the newest section wins.
 *
 * @param sections newest first
 * @throws PadesError `TOO_MANY_OBJECTS`
 */
export function entriesOf(
  sections: readonly CrossReferenceSection[],
): ReadonlyMap<number, NamedEntry> {
  const entries = new Map<number, NamedEntry>()
  let visited = 0
  const take = (subsections: readonly Subsection[], section: number, isHybrid: boolean): void => {
    for (const { first, count, entryAt } of subsections) {
      visited += count
      if (visited > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
      for (let index = 0; index < count; index += 1) {
        if (entries.has(first + index)) continue
        const entry = entryAt(index)
        if (entry.kind !== 'free' || !isHybrid) entries.set(first + index, { entry, section })
      }
    }
  }
  for (const [index, { subsections, hidden }] of sections.entries()) {
    // What the table of a hybrid file calls free may be in its stream (7.5.8.4).
    if (hidden) {
      take(subsections, index, true)
      take(hidden.subsections, index, false)
    }
    take(subsections, index, false)
  }
  return entries
}

/** What a reader that repairs files takes for objects, or for the end of a revision. */
const MARKS = ['obj', 'xref', 'trailer', '%%EOF', '%PDF', '/Root'] as const

/** Whether what follows the last revision could be one to other readers (incremental saving). */
export function looksLikeRevision({ bytes }: PdfDocument, end: number): boolean {
  const tail = bytes.subarray(end)
  return MARKS.some((mark) => tail.includes(mark, 0, 'latin1'))
}

/**
 * Offset behind the last revision of a document, its `%%EOF` and line end included.
 *
 * @param signedEnds ends of signed ranges, which count when they close the last revision
 */
export function endOfLastRevision(document: PdfDocument, signedEnds: readonly number[]): number {
  const { bytes, sections } = document
  if (document.repaired || sections.length === 0) return bytes.length
  const newest = Math.max(...sections.map(({ offset }) => offset))
  const signed = Math.max(...signedEnds.filter((end) => end > newest), 0)
  if (signed > 0) return signed
  const keyword = bytes.indexOf('startxref', newest, 'latin1')
  const mark = keyword === -1 ? -1 : bytes.indexOf('%%EOF', keyword, 'latin1')
  if (mark === -1) return bytes.length
  const lineEnd = /^(\r\n|\r|\n)?/.exec(bytes.toString('latin1', mark + 5, mark + 7))
  return mark + 5 + (lineEnd?.[0].length ?? 0)
}
