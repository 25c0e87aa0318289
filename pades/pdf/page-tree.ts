/**
 * The pages of a document in their order, with what they inherit (ISO 32000-2, 7.7.3 and 14.11.2).
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from './document.ts'
import { MAX_DEPTH, MAX_PAGE_NODES, MAX_PAGES } from './limits.ts'
import { type PdfDictionary, PdfReference, type PdfValue } from './values.ts'

export type Rectangle = readonly [x1: number, y1: number, x2: number, y2: number]

/** What decides how a page is displayed, in units of default user space. */
export interface PageGeometry {
  readonly mediaBox: Rectangle
  /** Normalised and cut to the media box. */
  readonly cropBox: Rectangle
  /** Degrees by which the page is turned clockwise when displayed. */
  readonly rotate: 0 | 90 | 180 | 270
  /** Size of a unit in 1/72 inch. */
  readonly userUnit: number
}

export interface Page {
  /** Absent for a page written directly into its parent's `/Kids`. */
  readonly reference?: PdfReference
  readonly dictionary: PdfDictionary
  /** Resources of the page, or else of the nearest node above it. */
  readonly resources?: PdfValue
  readonly geometry: PageGeometry
  /** Whether readers may make different sizes of the boxes or the unit as they are written. */
  readonly hasOddSize: boolean
}

interface Inherited {
  readonly mediaBox?: PdfValue
  readonly cropBox?: PdfValue
  readonly rotate?: PdfValue
  readonly resources?: PdfValue
}

interface Node {
  readonly value: PdfValue
  readonly inherited: Inherited
  readonly depth: number
}

/** Points; producers round. */
const MOST_EXCESS = 1
/** US Letter replaces a missing or empty media box, as in other readers. */
const DEFAULT_MEDIA_BOX: Rectangle = [0, 0, 612, 792]

/**
 * Reads all pages in the order of reading.
 *
 * @throws PadesError `DAMAGED` - there is no page tree
 * @throws PadesError `LIMIT_EXCEEDED` - more than 100,000 pages or a tree that does not end
 */
export function readPages(document: PdfDocument): Page[] {
  const root = document.catalog.get('Pages')
  if (!document.dictionary(root)) throw new PadesError('DAMAGED')
  const pages: Page[] = []
  const visited = new Set<number>()
  const open: Node[] = [{ value: root ?? null, inherited: {}, depth: 0 }]
  let nodes = 0
  for (let node = open.pop(); node; node = open.pop()) {
    nodes += 1
    if (nodes > MAX_PAGE_NODES || pages.length > MAX_PAGES) throw new PadesError('LIMIT_EXCEEDED')
    const { value } = node
    const dictionary = document.dictionary(value)
    if (!dictionary) continue
    const kids = document.array(dictionary.get('Kids'))
    if (!kids || document.name(dictionary.get('Type')) === 'Page') {
      pages.push(pageOf(document, value, dictionary, node.inherited))
      continue
    }
    if (value instanceof PdfReference) {
      // A node within itself.
      if (visited.has(value.number)) continue
      visited.add(value.number)
    }
    if (node.depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    if (kids.length + open.length > MAX_PAGE_NODES) throw new PadesError('LIMIT_EXCEEDED')
    const inherited = inheritedBy(dictionary, node.inherited)
    for (let index = kids.length - 1; index >= 0; index -= 1) {
      open.push({ value: kids[index], inherited, depth: node.depth + 1 })
    }
  }
  return pages
}

/**
 * Whether `/Count` of every node says how many pages lie below it. Readers that skip by it find
 * other pages where it does not (table 30).
 *
 * @throws PadesError `DAMAGED`, `LIMIT_EXCEEDED` - as {@link readPages}, which goes before
 */
export function hasTrueCounts(document: PdfDocument): boolean {
  const counts: { promised: PdfValue; parent?: number; pages: number }[] = []
  const open: { value: PdfValue; parent?: number; depth: number }[] = [
    { value: document.catalog.get('Pages') ?? null, depth: 0 },
  ]
  for (let node = open.pop(); node; node = open.pop()) {
    const { parent, depth } = node
    const dictionary = document.dictionary(node.value)
    const kids = dictionary && document.array(dictionary.get('Kids'))
    if (!dictionary || !kids || document.name(dictionary.get('Type')) === 'Page') {
      if (dictionary && parent !== undefined) (counts[parent] as { pages: number }).pages += 1
      continue
    }
    if (depth >= MAX_DEPTH || kids.length + open.length + counts.length > MAX_PAGE_NODES)
      return false
    const index = counts.length
    counts.push({
      promised: document.resolve(dictionary.get('Count')),
      ...(parent !== undefined && { parent }),
      pages: 0,
    })
    for (const value of kids) open.push({ value, parent: index, depth: depth + 1 })
  }
  // Parents come before their kids.
  for (const { parent, pages } of counts.toReversed()) {
    if (parent !== undefined) (counts[parent] as { pages: number }).pages += pages
  }
  return counts.every(({ promised, pages }) => promised === pages)
}

function inheritedBy(dictionary: PdfDictionary, above: Inherited): Inherited {
  return {
    mediaBox: dictionary.get('MediaBox') ?? above.mediaBox,
    cropBox: dictionary.get('CropBox') ?? above.cropBox,
    rotate: dictionary.get('Rotate') ?? above.rotate,
    resources: dictionary.get('Resources') ?? above.resources,
  }
}

function pageOf(
  document: PdfDocument,
  value: PdfValue,
  dictionary: PdfDictionary,
  above: Inherited,
): Page {
  const own = inheritedBy(dictionary, above)
  const mediaBox = rectangle(document, own.mediaBox) ?? DEFAULT_MEDIA_BOX
  const crop = rectangle(document, own.cropBox) ?? mediaBox
  const userUnit = document.resolve(dictionary.get('UserUnit'))
  const geometry: PageGeometry = {
    mediaBox,
    cropBox: intersection(mediaBox, crop) ?? mediaBox,
    rotate: quarterTurns(document.resolve(own.rotate)),
    userUnit: typeof userUnit === 'number' && userUnit > 0 ? userUnit : 1,
  }
  const reference = value instanceof PdfReference ? value : undefined
  const { resources } = own
  const hasOddBox =
    !isBox(document, own.mediaBox) ||
    (document.resolve(own.cropBox) !== null && !isBox(document, own.cropBox)) ||
    !intersection(mediaBox, crop) ||
    exceeds(crop, mediaBox) ||
    isThin(geometry.cropBox)
  return {
    dictionary,
    geometry,
    hasOddSize: hasOddBox || (userUnit !== null && userUnit !== geometry.userUnit),
    ...(reference && { reference }),
    ...(resources !== undefined && { resources }),
  }
}

/** Poppler ignores some of the boxes that are larger than the page, and shows all of it. */
const exceeds = (inner: Rectangle, outer: Rectangle): boolean =>
  inner.some((side, index) => (side - outer[index]) * (index < 2 ? -1 : 1) > MOST_EXCESS)

/** Readers round less than a point to nothing, or to a point. */
const isThin = ([x1, y1, x2, y2]: Rectangle): boolean => x2 - x1 < 1 || y2 - y1 < 1

/** Readers ignore a box without an area, or show nothing of the page. */
const isBox = (document: PdfDocument, value: PdfValue | undefined): boolean =>
  value !== undefined &&
  document.array(value)?.length === 4 &&
  rectangle(document, value) !== undefined

/** A rectangle with its lower left corner first; undefined when it is none or empty. */
function rectangle(document: PdfDocument, value: PdfValue | undefined): Rectangle | undefined {
  const items = value === undefined ? undefined : document.array(value)
  if (!items) return undefined
  const x1 = document.resolve(items[0])
  const y1 = document.resolve(items[1])
  const x2 = document.resolve(items[2])
  const y2 = document.resolve(items[3])
  if (typeof x1 !== 'number' || typeof y1 !== 'number') return undefined
  if (typeof x2 !== 'number' || typeof y2 !== 'number') return undefined
  if (x1 === x2 || y1 === y2) return undefined
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function intersection(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const x1 = Math.max(a[0], b[0])
  const y1 = Math.max(a[1], b[1])
  const x2 = Math.min(a[2], b[2])
  const y2 = Math.min(a[3], b[3])
  return x2 > x1 && y2 > y1 ? [x1, y1, x2, y2] : undefined
}

function quarterTurns(value: PdfValue): PageGeometry['rotate'] {
  if (typeof value !== 'number') return 0
  switch (((value % 360) + 360) % 360) {
    case 90:
      return 90
    case 180:
      return 180
    case 270:
      return 270
    default:
      return 0
  }
}
