/**
 * Where objects lie: the entries of all revisions, looked up without reading them whole (ISO
 * 32000-2, 7.5.4, 7.5.8).
 */
import { PadesError } from '../errors.ts'
import { MAX_OBJECT_NUMBER, MAX_OBJECTS, MAX_SUBSECTIONS_UNINDEXED } from './limits.ts'
import type { PdfDictionary } from './values.ts'

export type CrossReferenceEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'plain'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly container: number; readonly index: number }

/** Consecutive object numbers whose entries are decoded when asked for. */
export interface Subsection {
  readonly first: number
  readonly count: number
  /** @throws PadesError `DAMAGED` - the entry is not one */
  entryAt(index: number): CrossReferenceEntry
}

/** One section: what one revision says of the objects that it changes. */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream'
  /** Offset in the file at which the section begins. */
  readonly offset: number
  /** The trailer, or the dictionary of the cross-reference stream. */
  readonly trailer: PdfDictionary
  readonly subsections: readonly Subsection[]
  /**
   * The section at `/XRefStm` of a hybrid file, which lists the objects that the table hides as
   * free.
   */
  readonly hidden?: CrossReferenceSection | undefined
  /** In place of subsections: what a full scan of a damaged file found. */
  readonly scanned?: ReadonlyMap<number, CrossReferenceEntry>
}

export const FREE: CrossReferenceEntry = { kind: 'free' }

/**
 * Finds the entry of an object over all sections, newest first.
 *
 * For a file whose first revision has the objects 0 to 9 and whose second wrote 3 anew and freed 7,
 * the sections are `[{ 3, 7 }, { 0 … 9 }]`: `find(3)` is of the second revision, `find(7)` is free,
 * `find(8)` is of the first, and `find(10)` is undefined, as if it were free.
 */
export class CrossReferenceIndex {
  readonly #sections: readonly CrossReferenceSection[]
  readonly #isLong: boolean
  /** Made when it is asked: of the many states of a file, few are at a time. */
  #indexed: Map<number, CrossReferenceEntry> | undefined

  /** @param sections newest first */
  constructor(sections: readonly CrossReferenceSection[]) {
    this.#sections = sections
    const subsections = sections.reduce(
      (sum, { subsections: own, hidden }) => sum + own.length + (hidden?.subsections.length ?? 0),
      0,
    )
    this.#isLong = subsections > MAX_SUBSECTIONS_UNINDEXED
  }

  /** Lets go of what it made to find faster. */
  forget(): void {
    this.#indexed = undefined
  }

  /**
   * The newest entry of the object, be it of one that was freed; undefined when no section has one.
   */
  find(number: number): CrossReferenceEntry | undefined {
    if (this.#isLong) return (this.#indexed ??= this.#index()).get(number)
    for (const section of this.#sections) {
      const entry = findInSection(section, number)
      if (entry) return entry
    }
    return undefined
  }

  /** One more than the highest object number of any section. */
  get size(): number {
    let size = 0
    for (const section of this.#sections) {
      for (const { first, count } of subsectionsOf(section)) size = Math.max(size, first + count)
      for (const number of section.scanned?.keys() ?? []) size = Math.max(size, number + 1)
    }
    return size
  }

  /** Calls back for each object that is not free, numbers ascending within a subsection. */
  forEachLive(visit: (number: number, entry: CrossReferenceEntry) => void): void {
    const indexed = this.#indexed ?? this.#index()
    for (const [number, entry] of indexed) if (entry.kind !== 'free') visit(number, entry)
  }

  #index(): Map<number, CrossReferenceEntry> {
    const indexed = new Map<number, CrossReferenceEntry>()
    let visited = 0
    for (const section of this.#sections) {
      const own = new Map<number, CrossReferenceEntry>(section.scanned)
      for (const { first, count, entryAt } of subsectionsOf(section)) {
        visited += count
        if (visited > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
        for (let index = 0; index < count; index += 1) {
          const known = own.get(first + index)
          if (!known || (known.kind === 'free' && section.hidden)) {
            own.set(first + index, entryAt(index))
          }
        }
      }
      for (const [number, entry] of own) if (!indexed.has(number)) indexed.set(number, entry)
    }
    return indexed
  }
}

function subsectionsOf(section: CrossReferenceSection): readonly Subsection[] {
  return section.hidden
    ? [...section.subsections, ...section.hidden.subsections]
    : section.subsections
}

function findIn(
  subsections: readonly Subsection[],
  number: number,
): CrossReferenceEntry | undefined {
  for (const { first, count, entryAt } of subsections) {
    if (number >= first && number < first + count) return entryAt(number - first)
  }
  return undefined
}

/** In a hybrid file, what the table calls free may be hidden from old readers (7.5.8.4). */
function findInSection(
  section: CrossReferenceSection,
  number: number,
): CrossReferenceEntry | undefined {
  const entry = section.scanned?.get(number) ?? findIn(section.subsections, number)
  if (!section.hidden || (entry && entry.kind !== 'free')) return entry
  return findIn(section.hidden.subsections, number) ?? entry
}

/** Whether an indirect object can have the number; 0 is the head of the free ones. */
export function isObjectNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0 && number <= MAX_OBJECT_NUMBER
}
