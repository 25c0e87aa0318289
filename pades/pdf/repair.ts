/** Finds the objects of a damaged PDF by reading all of it once, as other readers do. */
import { PadesError } from '../errors.ts'
import { CLASS_OF, isDigit, WHITE } from './characters.ts'
import type { CrossReferenceEntry, CrossReferenceSection } from './cross-reference.ts'
import { isObjectNumber } from './cross-reference.ts'
import type { PdfDocument } from './document.ts'
import { MAX_OBJECTS, MAX_SPACES_IN_OBJECT_HEADER, MAX_TRAILERS_TRIED } from './limits.ts'
import { readObjectStream } from './object-stream.ts'
import {
  isDictionary,
  nameOf,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './values.ts'

/** The header of an object, or what looks like one. */
export interface FoundObject {
  readonly number: number
  readonly generation: number
  /** Offset of the number. */
  readonly start: number
}

/**
 * Gives the document a cross-reference section made from a scan of the whole file: of two objects
 * with one number, the later one counts.
 *
 * @throws PadesError `DAMAGED` - no catalog is found
 * @throws PadesError `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
 */
export function repairDocument(document: PdfDocument): void {
  const found = scanForObjects(document)
  if (found.length === 0) throw new PadesError('DAMAGED')
  document.offsetBase = document.headerOffset
  const entries = new Map<number, CrossReferenceEntry>()
  const contested = new Set<number>()
  const use = (trailer: PdfDictionary): void =>
    document.useSections([sectionOf(entries, trailer)], true)
  for (const { number, generation, start } of found) {
    if (entries.has(number)) contested.add(number)
    entries.set(number, { kind: 'plain', offset: start - document.offsetBase, generation })
  }
  use(new Map())
  addCompressed(document, found, entries, contested)
  document.contested = contested
  const trailer = findTrailer(document, found)
  use(trailer)
  for (const root of rootsOfTrailers(document)) {
    const chosen = trailer.get('Root')
    if (!(chosen instanceof PdfReference) || chosen.number !== root) contested.add(root)
    if (chosen instanceof PdfReference && chosen.number !== root) contested.add(chosen.number)
  }
  if (!isCatalog(document, trailer.get('Root'))) {
    const root = findCatalog(document, found)
    if (!root) throw new PadesError('DAMAGED')
    use(new Map([...trailer, ['Root', root]]))
  }
}

function sectionOf(
  entries: ReadonlyMap<number, CrossReferenceEntry>,
  trailer: PdfDictionary,
): CrossReferenceSection {
  const isPacked = [...entries.values()].some(({ kind }) => kind === 'compressed')
  return {
    kind: isPacked ? 'stream' : 'table',
    offset: 0,
    trailer,
    subsections: [],
    scanned: entries,
  }
}

/**
 * Every `1 0 obj` of the file, by offset, in any context.
 *
 * @throws PadesError `TOO_MANY_OBJECTS`
 */
export function scanForObjects({ bytes }: PdfDocument): FoundObject[] {
  const found: FoundObject[] = []
  let at = bytes.indexOf('obj', 0, 'latin1')
  while (at !== -1) {
    const object = objectHeaderBefore(bytes, at)
    if (object && isObjectNumber(object.number)) {
      found.push(object)
      if (found.length > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
    }
    at = bytes.indexOf('obj', at + 3, 'latin1')
  }
  return found
}

function objectHeaderBefore(bytes: Uint8Array, keyword: number): FoundObject | undefined {
  const generation = integerBefore(bytes, keyword)
  if (!generation || generation.spaces === 0) return undefined
  const number = integerBefore(bytes, generation.start)
  if (!number || number.spaces === 0) return undefined
  return { number: number.value, generation: generation.value, start: number.start }
}

const LONGEST_NUMBER = 10

function integerBefore(
  bytes: Uint8Array,
  end: number,
): { value: number; start: number; spaces: number } | undefined {
  let at = end
  const first = Math.max(0, end - MAX_SPACES_IN_OBJECT_HEADER)
  while (at > first && CLASS_OF[bytes[at - 1]] === WHITE) at -= 1
  const spaces = end - at
  let value = 0
  let scale = 1
  const last = at
  while (at > 0 && isDigit(bytes[at - 1]) && last - at < LONGEST_NUMBER) {
    at -= 1
    value += (bytes[at] - 0x30) * scale
    scale *= 10
  }
  return at === last ? undefined : { value, start: at, spaces }
}

/** The object in which an offset lies, by the last header before it. */
function objectAround(found: readonly FoundObject[], offset: number): FoundObject | undefined {
  let low = 0
  let high = found.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (found[middle].start <= offset) low = middle + 1
    else high = middle
  }
  return found[low - 1]
}

/** Calls back for each object that holds the name, by offset. */
function forEachWithName(
  document: PdfDocument,
  found: readonly FoundObject[],
  name: string,
  visit: (object: FoundObject, value: PdfValue) => void,
): void {
  const { bytes } = document
  let last: FoundObject | undefined
  for (let at = bytes.indexOf(name, 0, 'latin1'); at !== -1;) {
    const object = objectAround(found, at)
    if (object && object !== last) {
      last = object
      const parsed = document.parseAt(object.start, (parser) => parser.readIndirectObject())
      visit(object, parsed?.value ?? null)
    }
    at = bytes.indexOf(name, at + name.length, 'latin1')
  }
}

function addCompressed(
  document: PdfDocument,
  found: readonly FoundObject[],
  entries: Map<number, CrossReferenceEntry>,
  contested: Set<number>,
): void {
  const startOf = new Map(found.map(({ number, start }) => [number, start]))
  forEachWithName(document, found, '/ObjStm', (container, value) => {
    if (!(value instanceof PdfStream) || nameOf(value.dictionary.get('Type')) !== 'ObjStm') return
    if (startOf.get(container.number) !== container.start) return
    const numbers = numbersIn(document, value)
    for (const [index, number] of numbers.entries()) {
      if (entries.has(number)) contested.add(number)
      const plainAt = startOf.get(number)
      if (plainAt !== undefined && plainAt > container.start) continue
      entries.set(number, { kind: 'compressed', container: container.number, index })
      if (entries.size > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
    }
  })
}

function numbersIn(document: PdfDocument, stream: PdfStream): readonly number[] {
  try {
    const dictionary = document.resolvedEntries(stream.dictionary)
    return readObjectStream(dictionary, document.decode(stream)).numbers.filter(isObjectNumber)
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return []
    throw error
  }
}

/** The last trailer with a catalog, else the last cross-reference stream with one. */
function findTrailer(document: PdfDocument, found: readonly FoundObject[]): PdfDictionary {
  const { bytes } = document
  let at = bytes.length
  for (let tried = 0; tried < MAX_TRAILERS_TRIED && at > 0; tried += 1) {
    at = bytes.lastIndexOf('trailer', at - 1, 'latin1')
    if (at === -1) break
    const value = document.parseAt(at + 'trailer'.length, (parser) => parser.readValue())
    if (isDictionary(value) && isCatalog(document, value.get('Root'))) return value
  }
  let trailer: PdfDictionary = new Map()
  forEachWithName(document, found, '/XRef', (_, value) => {
    if (value instanceof PdfStream && isCatalog(document, value.dictionary.get('Root'))) {
      trailer = value.dictionary
    }
  })
  return trailer
}

/** The catalogs that trailers name: readers take the first or the last of them. */
function rootsOfTrailers(document: PdfDocument): ReadonlySet<number> {
  const roots = new Set<number>()
  let at = document.bytes.length
  for (let tried = 0; tried < MAX_TRAILERS_TRIED && at > 0; tried += 1) {
    at = document.bytes.lastIndexOf('trailer', at - 1, 'latin1')
    if (at === -1) break
    const value = document.parseAt(at + 'trailer'.length, (parser) => parser.readValue())
    const root = isDictionary(value) ? value.get('Root') : undefined
    if (root instanceof PdfReference && isCatalog(document, root)) roots.add(root.number)
  }
  return roots
}

function findCatalog(
  document: PdfDocument,
  found: readonly FoundObject[],
): PdfReference | undefined {
  let root: PdfReference | undefined
  forEachWithName(document, found, '/Catalog', ({ number, generation }, value) => {
    const reference = new PdfReference(number, generation)
    if (isDictionary(value) && isCatalog(document, reference)) root = reference
  })
  return root
}

function isCatalog(document: PdfDocument, root: PdfValue | undefined): boolean {
  if (!(root instanceof PdfReference)) return false
  const catalog = document.dictionary(root)
  return catalog !== undefined && document.dictionary(catalog.get('Pages')) !== undefined
}
