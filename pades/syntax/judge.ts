/**
 * Judges whether every reader must understand a document alike: its cross-reference sections and
 * every object that the trailer leads to (ISO 32000-2, clause 7).
 */
import type { Buffer } from 'node:buffer'
import { CR, LF, SPACE, TAB } from '../pdf/characters.ts'
import type { CrossReferenceSection } from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { isDictionary, PdfReference, PdfStream, type PdfValue } from '../pdf/values.ts'
import type { Fault, FaultCode } from './faults.ts'
import { findShownHiddenObject } from './hybrid.ts'
import { SILENT } from './listener.ts'
import { hasOddFilter } from './stream-entries.ts'
import { scanSection } from './sections.ts'
import { faultOf, ObjectVersions, type ObjectVersion, resolveLengthIn } from './versions.ts'

/** Entries of a trailer that lead to what is shown. The information dictionary shows nothing. */
const WAYS_IN = ['Root', 'Encrypt'] as const

/**
 * Judges states of one file, the oldest first. Each version of an object is looked at once, however
 * many states show it; a fault of an earlier state counts for the later ones.
 */
export class SyntaxJudge {
  readonly versions: ObjectVersions
  readonly #document: PdfDocument
  readonly #visited = new Set<ObjectVersion>()
  readonly #sections = new Set<number>()
  #fault: Fault | undefined

  readonly #ignoresSize: boolean
  /** Whether numbers that are free now were in use before. */
  readonly #freed = new Map<number, boolean>()

  /**
   * @param document the newest state
   * @param options `ignoresSize`: a revision is going to follow that names the right Size
   */
  constructor(
    document: PdfDocument,
    { versions = new ObjectVersions(document), ignoresSize = false } = {},
  ) {
    this.#document = document
    this.versions = versions
    this.#ignoresSize = ignoresSize
  }

  /**
   * Judges a state.
   *
   * @param state one of the file; later ones come in later calls
   * @param named numbers that sections newer than the state before name
   * @returns the first ambiguous fault; undefined when every reader takes the state alike
   * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
   */
  judge(state: PdfDocument, named: Iterable<number> = []): Fault | undefined {
    this.#judgeSections(state)
    if (this.#fault) return this.#fault
    const open: number[] = [...named]
    for (const key of WAYS_IN) collectReferences(state.trailer.get(key), open)
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      const version = this.versions.versionIn(state, number)
      if (!version || this.#visited.has(version)) continue
      this.#visited.add(version)
      this.#fault ??= version.fault ?? this.#faultIn(state, version)
      if (this.#fault) return this.#fault
      for (let index = 0; index < version.references.length; index += 2) {
        open.push(version.references[index])
      }
    }
    this.#fault ??= catalogFault(state)
    return this.#fault
  }

  #faultIn(state: PdfDocument, version: ObjectVersion): Fault | undefined {
    const { number, start } = version
    if (state.contested.has(number)) return { code: 'OBJECT_TWICE', object: number, offset: start }
    if (state.repaired && version.scanned && !beginsLine(state.bytes, start)) {
      return { code: 'HEADER_IN_LINE', object: number, offset: start }
    }
    if (version.scanned?.hasUnusualFilter && hasOddFilterIn(state, number)) {
      return { code: 'FILTER_ODD', object: number, offset: start }
    }
    return this.#wrongReference(state, version) ?? this.#beyondSize(state, version)
  }

  /** A reference that is null to some readers and leads to an object for others. */
  #wrongReference(state: PdfDocument, version: ObjectVersion): Fault | undefined {
    const { references, number, start } = version
    for (let index = 0; index < references.length; index += 2) {
      const entry = state.entryOf(references[index])
      if (!entry) continue
      if (entry.kind === 'free') {
        if (!this.#wasFreed(state, references[index])) continue
        return { code: 'REFERENCE_TO_FREED', object: number, offset: start }
      }
      const generation = entry.kind === 'plain' ? entry.generation : 0
      if (references[index + 1] !== generation) {
        return { code: 'REFERENCE_GENERATION', object: number, offset: start }
      }
    }
    return undefined
  }

  #wasFreed(state: PdfDocument, number: number): boolean {
    const known = this.#freed.get(number) ?? wasInUse(state, number)
    this.#freed.set(number, known)
    return known
  }

  /** Some readers drop objects whose numbers Size does not cover. */
  #beyondSize(state: PdfDocument, { number, start }: ObjectVersion): Fault | undefined {
    const size = state.sections[0]?.trailer.get('Size')
    const isCovered =
      this.#ignoresSize || state.repaired || (typeof size === 'number' && number < size)
    return isCovered ? undefined : { code: 'SIZE_WRONG', object: number, offset: start }
  }

  /** Every version that a judged state showed. */
  get judged(): ReadonlySet<ObjectVersion> {
    return this.#visited
  }

  #judgeSections(state: PdfDocument): void {
    if (state.repaired) return
    try {
      for (const section of state.sections) {
        if (this.#sections.has(section.offset)) continue
        this.#sections.add(section.offset)
        const end = state.bytes.length
        scanSection(this.#document, section, end, resolveLengthIn(state), SILENT)
      }
    } catch (error) {
      this.#fault ??= faultOf(error)
    }
    this.#fault ??= chainFault(state)
  }
}

/** Whether only white space is between the offset and the end of the line before it. */
function beginsLine(bytes: Buffer, offset: number): boolean {
  let at = offset - 1
  while (at >= 0 && (bytes[at] === SPACE || bytes[at] === TAB)) at -= 1
  return at < 0 || bytes[at] === LF || bytes[at] === CR
}

function hasOddFilterIn(state: PdfDocument, number: number): boolean {
  const stream = state.get(state.referenceTo(number))
  return stream instanceof PdfStream && hasOddFilter(state, stream.dictionary)
}

function collectReferences(value: PdfValue | undefined, numbers: number[]): void {
  if (value instanceof PdfReference) numbers.push(value.number)
  if (isDictionary(value)) for (const item of value.values()) collectReferences(item, numbers)
}

/** Whether an older section names an object that a newer one frees. */
function wasInUse({ sections }: PdfDocument, number: number): boolean {
  return sections.some(({ subsections, hidden }) =>
    [...subsections, ...(hidden?.subsections ?? [])].some(
      ({ first, count, entryAt }) =>
        number >= first && number < first + count && entryAt(number - first).kind !== 'free',
    ),
  )
}

/** A reader that takes a table for the sign of an old file does not follow Prev to a stream. */
export function isTableOverStream(
  sections: readonly CrossReferenceSection[],
  index: number,
): boolean {
  return sections[index]?.kind === 'table' && sections[index + 1]?.kind === 'stream'
}

/** Ghostscript does not open a file whose catalog has another type (7.7.2, table 29). */
function catalogFault(state: PdfDocument): Fault | undefined {
  const catalog = state.dictionary(state.trailer.get('Root'))
  const isCatalog = !catalog?.has('Type') || state.name(catalog.get('Type')) === 'Catalog'
  return isCatalog ? undefined : { code: 'ROOT_WRONG', offset: 0 }
}

/** How the sections hang together (7.5.5, 7.5.6). */
function chainFault(state: PdfDocument): Fault | undefined {
  const [newest] = state.sections
  const oldest = state.sections.at(-1)
  const fault = (code: FaultCode): Fault => ({ code, offset: newest?.offset ?? 0 })
  if (!newest || !oldest) return fault('NO_CROSS_REFERENCE')
  if (!(newest.trailer.get('Root') instanceof PdfReference)) return fault('ROOT_WRONG')
  // The chain ends where Prev leads nowhere or back: some readers then scan the whole file. Zero
  // means none to most; a reader that scans finds what was appended last, which is judged apart.
  if ((oldest.trailer.get('Prev') ?? 0) !== 0) return fault('PREV_WRONG')
  if (state.sections.some((_, index) => isTableOverStream(state.sections, index))) {
    return fault('SECTION_KINDS_MIXED')
  }
  const shown = findShownHiddenObject(state)
  return shown === undefined
    ? undefined
    : { code: 'HYBRID_SHOWN', object: shown, offset: newest.offset }
}
