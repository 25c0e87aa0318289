/** Hybrid files: objects that only newer readers find (ISO 32000-2, 7.5.8.4). */
import {
  type CrossReferenceEntry,
  CrossReferenceIndex,
  type CrossReferenceSection,
} from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_OBJECTS } from '../pdf/limits.ts'
import { PdfReference, PdfStream, type PdfValue } from '../pdf/values.ts'
import { isArray, isDictionary } from '../pdf/values.ts'

/** Entries that lead into the structure tree, which describes a page and shows nothing. */
const STRUCTURE_KEYS: ReadonlySet<string> = new Set(['StructTreeRoot', 'SE', 'IDTree', 'SD'])

/**
 * Looks for an object that some readers do not find and that something shown may need.
 *
 * Word processors hide the structure tree in this way; that is harmless.
 *
 * @returns its number; undefined when there is none
 */
export function findShownHiddenObject(state: PdfDocument): number | undefined {
  if (state.sections.every((section) => !section.hidden)) return undefined
  const plain = new CrossReferenceIndex(
    state.sections.map((section) => ({ ...section, hidden: undefined })),
  )
  const hidden = new Set<number>()
  for (const section of state.sections) collectHidden(section, state, plain, hidden)
  const visited = new Set<number>()
  const open: PdfValue[] = [state.trailer.get('Root') ?? null, state.trailer.get('Info') ?? null]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof PdfReference) {
      if (visited.has(value.number) || visited.size > MAX_OBJECTS) continue
      visited.add(value.number)
      if (hidden.has(value.number)) return value.number
      open.push(state.get(value))
    } else if (value instanceof PdfStream) open.push(value.dictionary)
    else if (isArray(value)) open.push(...value)
    else if (isDictionary(value)) {
      for (const [key, item] of value) if (!STRUCTURE_KEYS.has(key)) open.push(item)
    }
  }
  return undefined
}

/**
 * Collects objects that a reader which leaves out XRefStm finds elsewhere or not at all, and
 * objects that XRefStm places elsewhere than the table of its own section: PDFium believes XRefStm,
 * others believe the table.
 */
function collectHidden(
  section: CrossReferenceSection,
  state: PdfDocument,
  plain: CrossReferenceIndex,
  numbers: Set<number>,
): void {
  if (!section.hidden) return
  const table = new CrossReferenceIndex([{ ...section, hidden: undefined }])
  for (const { first, count, entryAt } of section.hidden.subsections) {
    for (let index = 0; index < count; index += 1) {
      const number = first + index
      const entry = entryAt(index)
      const listed = table.find(number)
      const isListed = listed !== undefined && listed.kind !== 'free'
      const isHidden =
        entry.kind !== 'free' && !isSameEntry(state.entryOf(number), plain.find(number))
      if (isHidden || (isListed && !isSameEntry(listed, entry))) numbers.add(number)
    }
  }
}

function isSameEntry(
  a: CrossReferenceEntry | undefined,
  b: CrossReferenceEntry | undefined,
): boolean {
  if (a?.kind === 'plain') {
    return b?.kind === 'plain' && a.offset === b.offset && a.generation === b.generation
  }
  return a?.kind === b?.kind && a?.kind !== 'compressed'
}
